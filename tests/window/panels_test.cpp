// Every panel as it is seen: in each arrangement, at three sizes, dark and light. Pictures to look at, and what a
// program can find by itself: text that is cut at an edge, that lies over other text, or that is too faint to read.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "app/window/thumbnails.hpp"
#include "core/index/config_text.hpp"
#include "tests/window/text_watch.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/theme/theme.hpp"

namespace pivotscope {
namespace {

namespace panels_seen {

struct screen {
  int width, height;
  float scale;
  std::string name() const { return fmt::format("{}x{}", width, height); }
};
constexpr screen screens[] = {{1280, 720, 1}, {1600, 1000, 1}, {2560, 1440, 2}};

constexpr const char* arrangements[] = {"learn", "tune", "compare"};

pixel_rect pixels_of(const ImRect& r) {
  return {static_cast<int>(r.Min.x), static_cast<int>(r.Min.y), static_cast<int>(r.Max.x), static_cast<int>(r.Max.y)};
}

// Font Awesome's are in the first private area of Unicode. They are shapes, and mostly their own commonest colour.
bool is_icon(const drawn_text& t) { return static_cast<unsigned char>(t.words.front()) >= 0xEE && t.words.size() <= 4; }

// Steps that read next to each other, far out: the later disc covers the earlier one.
bool is_disc(const drawn_text& t) { return t.size <= viz::px(16) && t.words.size() <= 4; }

// Keys and row ids in cells.
bool may_be_faint(const drawn_text& t) {
  const bool cells = t.window.starts_with("Layout") || t.window.starts_with("Tree") || t.window == "Memory";
  const std::string number = t.words.starts_with("row ") ? t.words.substr(4) : t.words;
  return cells && number.find_first_not_of("0123456789") == std::string::npos;
}

// The commonest colour of a part: what text in it lies on.
ImU32 ground_of(const picture& seen, const pixel_rect& part) {
  std::map<ImU32, u32> times;
  u32* same = nullptr;  // the count of `last`: most pixels are as the one before
  ImU32 last = 0;
  for (int y = std::max(part.top, 0); y < std::min(part.bottom, seen.height); ++y)
    for (int x = std::max(part.left, 0); x < std::min(part.right, seen.width); ++x) {
      const u8* rgb =
          &seen.rgb[(static_cast<std::size_t>(y) * static_cast<std::size_t>(seen.width) + static_cast<std::size_t>(x)) *
                    3];
      const ImU32 colour = IM_COL32(rgb[0], rgb[1], rgb[2], 255);
      if (same == nullptr || colour != last) same = &times[colour], last = colour;
      ++*same;
    }
  ImU32 ground = 0;
  for (const auto& [colour, count] : times)
    if (count > times[ground]) ground = colour;
  return ground;
}

}  // namespace panels_seen

class panels_test : public window_test {
 protected:
  void show(const panels_seen::screen& at) {
    window_->resize(at.width, at.height);
    view().scale = at.scale;
  }

  void arrange(int preset) {
    view().preset = preset;
    view().reset_layout = true;
    draw_frames(8);
  }

  // Brings every docked tab of the arrangement to the front once, those of different places at the same time.
  void each_tab(const std::function<void(const std::vector<ImGuiWindow*>& in_front)>& seen) {
    std::map<ImGuiID, std::vector<ImGuiWindow*>> places;
    std::size_t rounds = 0;
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (!window->DockNode || !window->WasActive) continue;
      std::vector<ImGuiWindow*>& tabs = places[window->DockId];
      tabs.push_back(window);
      rounds = std::max(rounds, tabs.size());
    }
    ImGui::FocusWindow(nullptr);  // the tab of a window that has the focus stays in front
    for (std::size_t r = 0; r < rounds; ++r) {
      std::vector<ImGuiWindow*> in_front;
      for (const auto& [place, tabs] : places) {
        if (r >= tabs.size()) continue;
        in_front.push_back(tabs[r]);
        if (ImGuiTabBar* bar = tabs[r]->DockNode->TabBar) bar->NextSelectedTabId = tabs[r]->TabId;
      }
      draw_frames(4);
      const auto tile_shown = [&] { return view().seen[static_cast<std::size_t>(viz::panel::tile)]; };
      EXPECT_TRUE(until([&] { return !tile_shown() || !view().tile.study || view().tile.study->complete(); }));
      for (const ImGuiWindow* window : in_front) EXPECT_TRUE(window->DockTabIsVisible) << window->Name;
      seen(in_front);
    }
  }

  void expect_texts_apart(const std::string& where) {
    draw_frames(1);
    const std::vector<drawn_text>& texts = watch_.texts();
    EXPECT_GT(texts.size(), 50u);
    expect_no_text_is_cut(where);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const drawn_text& t = texts[i];
      for (std::size_t j = 0; j < i; ++j)
        if (t.window == texts[j].window && overlap(t, texts[j]) &&
            !(panels_seen::is_disc(t) && panels_seen::is_disc(texts[j])) &&
            said_.insert(t.window + t.words + "|" + texts[j].words).second)
          ADD_FAILURE() << fmt::format("OVER {}, {}: \"{}\" lies over \"{}\"", where, t.window, t.words,
                                       texts[j].words);
    }
  }

  void expect_text_is_readable(const picture& seen, const std::string& where) {
    for (const drawn_text& t : watch_.texts()) {
      if (t.hidden() || t.cut() || panels_seen::is_icon(t)) continue;
      const ImU32 ground = panels_seen::ground_of(seen, panels_seen::pixels_of(t.seen()));
      const double contrast = viz::contrast(viz::over(t.colour, ground), ground);
      // What is ruled out is faint, that is its meaning; its key can still be read.
      const double least = panels_seen::may_be_faint(t) ? 3.5 : 4.5;
      if (contrast < least && said_.insert(t.window + t.words + "faint").second)
        ADD_FAILURE() << fmt::format("FAINT {}, {}: \"{}\" {:.2f} to 1", where, t.window, t.words, contrast);
    }
  }
};

TEST_F(panels_test, EveryPanelIsSeenAtEverySizeInBothThemes) {
  using namespace panels_seen;
  open({}, 1280, 720);
  view().pinned = *config_from_line("AO+BS");
  ASSERT_TRUE(until_settled());
  view().transport.step = 2;
  std::size_t written = 0;
  for (const screen& at : screens) {
    show(at);
    for (const bool light : {false, true}) {
      view().light = light;
      const std::string theme = light ? "light" : "dark";
      std::set<std::string> pictured;
      for (int preset = 1; preset <= 3; ++preset) {
        const std::string how = arrangements[preset - 1];
        arrange(preset);
        expect_picture(fmt::format("window-{}-{}-{}", how, theme, at.name()), next_frame());
        ++written;
        each_tab([&](const std::vector<ImGuiWindow*>& in_front) {
          expect_texts_apart(at.name() + ", " + how);
          const picture whole = next_frame();
          expect_text_is_readable(whole, theme + ", " + how);
          for (const ImGuiWindow* window : in_front) {
            if (!pictured.insert(window->Name).second) continue;
            std::string name = window->Name;
            for (char& c : name) c = c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            const pixel_rect part = pixels_of(window->Rect());
            expect_picture(fmt::format("{}-{}-{}", name, theme, at.name()),
                           small_picture(whole, part, part.right - part.left));
            ++written;
          }
        });
      }
      EXPECT_EQ(pictured.size(), viz::panel_count + 3) << "three are of the index that is pinned";
    }
  }
  EXPECT_EQ(written, (viz::panel_count + 3 + 3) * 2 * std::size(screens));
}

// What has long words and numbers: 64-bit keys, every knob turned, ranges, a build, many keys.
TEST_F(panels_test, NoTextIsCutWhateverIsShown) {
  using namespace panels_seen;
  open({}, 1280, 720);
  view().pinned = *config_from_line("AO+BS keys=u64");  // its keys are those of any scenario
  ASSERT_TRUE(until_settled());
  for (const char* scenario :
       {"AO+PB+KS fanout=9 lanes=4 keys=u64 layout=aos pin=full scratch=48 reorder=double threads=128 per_thread=16 "
        "keys=2^20 distribution=uniform seed=1 lookups=2^12 hits=0.5",
        "EO+KS fanout=33 lanes=8 keys=2^16 distribution=dense seed=123456789 lookups=4096",
        "EO+BS keys=1000 distribution=dense ranges=100 seed=1 lookup=9..412", "PLAIN keys=100 lookups=64 seed=1",
        "CGRX bucket=4 form=naive keys=u64 keys=1000 distribution=uniform seed=1 lookups=64 "
        "lookup=9000000000000000001"}) {
    state().open_scenario(scenario);
    ASSERT_TRUE(until_settled()) << scenario;
    for (const viz::notice& n : now().notices) ADD_FAILURE() << scenario << ": " << n.words;
    view().transport.step = steps() / 2;
    for (const screen& at : screens) {
      show(at);
      for (int preset = 1; preset <= 3; ++preset) {
        arrange(preset);
        each_tab([&](const auto&) {
          expect_texts_apart(fmt::format("{}, {}, {}", at.name(), arrangements[preset - 1], scenario));
        });
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope
