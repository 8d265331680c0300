// One's own keys, of two, ten and twenty digits, few and many, in every method: the key looked for and the one under the mouse
// can be read in full in Tree, Layout, Memory and Warp; the others as far as there is room, and none crosses its box. What is
// asked is what was drawn.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <ranges>

#include "core/index/config_text.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/models/warp_model.hpp"

namespace pivotscope {
namespace {

using viz::panel;

namespace keys_seen {

struct screen {
  int width, height;
  float scale;
};
constexpr screen screens[] = {{1280, 720, 1}, {1600, 1000, 1}, {2560, 1440, 2}};

constexpr const char* methods[] = {"AO+BS",    "AO+KS", "EO+BS", "EO+KS", "AO+PB+BS",
                                   "AO+PB+KS", "PLAIN", "HT+OA", "PACKED"};

// Are these the digits of the key, or a part of them with an ellipsis for each part that is left out?
bool stands_for(std::string_view words, std::string_view key) {
  constexpr std::string_view ellipsis = "\u2026";
  if (words.empty()) return key.empty();
  if (!words.starts_with(ellipsis))
    return !key.empty() && words.front() == key.front() && stands_for(words.substr(1), key.substr(1));
  for (std::size_t left_out = 1; left_out <= key.size(); ++left_out)
    if (stands_for(words.substr(ellipsis.size()), key.substr(left_out))) return true;
  return false;
}

bool is_key_label(const drawn_text& t) {
  return t.words.find_first_not_of("0123456789\xE2\x80\xA6") == std::string::npos &&
         t.words.find_first_of("0123456789") != std::string::npos;
}

// Keys that somebody has: spread over the range, with neighbours among them.
std::vector<u64> few_keys(u32 digits, u64 n) {
  const u64 first[] = {10, 1000000007, 10000000000000000019u}, step[] = {6, 230000017, 600000000000000077};
  const std::size_t kind = digits == 2 ? 0 : digits == 10 ? 1 : 2;
  std::vector<u64> keys;
  for (u64 i = 0; i < n; ++i) keys.push_back(i % 4 == 3 ? keys.back() + 1 : first[kind] + i * step[kind]);
  return keys;
}

}  // namespace keys_seen

class own_keys : public window_test, public ::testing::WithParamInterface<const char*> {
 protected:
  // Digits that stand one below the other in a narrow cell are one text.
  std::vector<const drawn_text*> texts_of(panel which) {
    std::vector<const drawn_text*> list;
    stacked_.clear();
    drawn_text* last = nullptr;
    for (const drawn_text& t : watch_.texts()) {
      if (t.window != viz::name_of(which) || t.hidden()) continue;
      const bool sign =
          t.size == viz::px(8) && (t.words == "\u22EE" || t.words.find_first_not_of("0123456789") == std::string::npos);
      if (!sign || t.words.size() > 3) {
        list.push_back(&t);
        continue;
      }
      const std::string words = t.words == "\u22EE" ? "\u2026" : t.words;
      const bool below = last && std::abs(last->box.GetCenter().x - t.box.GetCenter().x) < 1 &&
                         t.box.Min.y > last->box.Min.y && t.box.Min.y - last->box.Max.y < viz::px(1);
      if (below) {
        last->words += words, last->box.Add(t.box);
      } else {
        stacked_.push_back(t);
        last = &stacked_.back();
        last->words = words;
        list.push_back(last);
      }
    }
    return list;
  }
  void bring_to_front(panel which) {
    view().focus = which;
    draw_frames(4);
    if (which != panel::warp) return;
    EXPECT_TRUE(until([&] { return !view().warp.study || view().warp.study->of(true); }));
  }

  void expect_question_in_full(panel which) {
    const std::string key = std::to_string(now().choice.key->key);
    const auto texts = texts_of(which);
    EXPECT_TRUE(std::ranges::any_of(texts, [&](const drawn_text* t) { return t->words == key && !t->cut(); }))
        << viz::name_of(which) << " does not show " << key;
  }
  void expect_all_labelled(panel which, const std::vector<u64>& keys) {
    const auto texts = texts_of(which);
    for (const u64 key : keys)
      EXPECT_TRUE(std::ranges::any_of(
          texts, [&](const drawn_text* t) { return keys_seen::stands_for(t->words, std::to_string(key)); }))
          << viz::name_of(which) << " has no label for " << key;
  }
  void expect_texts_apart(panel which) {
    const auto texts = texts_of(which);
    // Discs with the numbers of steps, and signs, which are shapes: the later one covers the earlier.
    const auto is_disc = [](const drawn_text* t) {
      const bool icon = static_cast<unsigned char>(t->words.front()) >= 0xEE && t->words.size() <= 4;
      const bool number = t->words.find_first_not_of("0123456789") == std::string::npos;
      return icon || (number && t->size == viz::px(10) && t->words.size() <= 4);
    };
    for (const drawn_text* t : texts)
      if (t->cut()) ADD_FAILURE() << fmt::format("{}: \"{}\" is cut", viz::name_of(which), t->words);
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (overlap(*texts[i], *texts[j]) && !(is_disc(texts[i]) && is_disc(texts[j])))
          ADD_FAILURE() << fmt::format("{}: \"{}\" lies over \"{}\"", viz::name_of(which), texts[i]->words,
                                       texts[j]->words);
  }
  // The mouse on a label brings a card with the key that it stands for.
  void expect_hover_in_full(panel which, const std::vector<u64>& keys) {
    if (which == panel::layout && keys.empty()) return;  // a column of pixels is many keys
    const std::string sought = std::to_string(now().choice.key->key);
    std::string label;
    ImVec2 at;
    for (const drawn_text* t : texts_of(which)) {
      const bool thread = which == panel::warp && t->words == "4";
      if (which == panel::warp ? !thread : !keys_seen::is_key_label(*t) || t->words.size() < 2 || t->words == sought)
        continue;
      if (which != panel::warp && !keys.empty() &&
          std::ranges::none_of(keys, [&](u64 key) { return keys_seen::stands_for(t->words, std::to_string(key)); }))
        continue;
      // The first is the thread's number, or in a cell: numbers of slots come after. A shortened one says more.
      const bool shortened = t->words.find("\u2026") != std::string::npos;
      if (!label.empty() && !shortened) continue;
      label = t->words, at = t->seen().GetCenter();
      if (shortened) break;
    }
    if (label.empty()) return;  // cells are too narrow for any, or there are none
    bool told = false;
    perform([&](ImGuiTestContext& hand) {
      hand.MouseMoveToPos(at);
      draw_frames(40);  // a card waits until the mouse rests
      told = tells_key_of(which, label);
      hand.MouseMoveToPos({700, 20});
    });
    EXPECT_TRUE(told) << viz::name_of(which) << ": nothing tells the whole key of " << label;
  }
  // Does a card tell a key that is written so?
  bool tells_key_of(panel which, const std::string& label) {
    return std::ranges::any_of(watch_.texts(), [&](const drawn_text& t) {
      if (!t.window.starts_with("##Tooltip")) return false;
      // The words of a card, cut into numbers.
      for (std::size_t i = 0; i < t.words.size();) {
        std::size_t end = t.words.find_first_not_of("0123456789", i);
        if (end == std::string::npos) end = t.words.size();
        if (end > i && (which == panel::warp || keys_seen::stands_for(label, t.words.substr(i, end - i)))) return true;
        i = end + 1;
      }
      return false;
    });
  }

  std::deque<drawn_text> stacked_;

  void look_at(const std::string& scenario, const std::vector<u64>& keys) {
    state().open_scenario(scenario);
    ASSERT_TRUE(until_settled());
    view().transport.step = steps() / 2;
    const bool many = now().choice.load.keys > 1 << 12;
    const bool warp = !(many && std::string(GetParam()) == "PLAIN");
    for (const keys_seen::screen& at : keys_seen::screens) {
      SCOPED_TRACE(fmt::format("{} by {}", at.width, at.height));
      window_->resize(at.width, at.height);
      view().scale = at.scale;
      view().light = !view().light;
      view().preset = 1, view().reset_layout = true;
      draw_frames(6);
      for (const panel front : {panel::layout, panel::memory, panel::warp}) {
        if (front == panel::warp && !warp) continue;
        bring_to_front(front);
        if (front == panel::memory) {  // the entries, in rows that leave them room for two characters
          view().memory.array = main_region, view().memory.first_row = 0;
          view().memory.row_bytes = std::string(GetParam()) == "PACKED" ? 64 : 128;
          draw_frames(2);
        }
        for (const panel which : {panel::tree, front}) {
          if (which == panel::tree && front != panel::layout) continue;
          expect_question_in_full(which);
          expect_texts_apart(which);
          if (which != panel::warp) expect_all_labelled(which, keys);
          const bool hovers = keys.size() == 6 || now().choice.load.keys == 1 << 16;
          if (hovers && &at == &keys_seen::screens[0]) expect_hover_in_full(which, keys);
        }
      }
    }
  }
};

TEST_P(own_keys, CanBeReadInEveryView) {
  window_options start;
  start.config = *config_from_line(GetParam());
  open(start, 1280, 720);
  ASSERT_TRUE(until_settled());
  for (const u32 digits : {2u, 10u, 20u}) {
    const char* width = digits == 20 ? "u64" : "u32";
    for (const u64 n : {u64{1}, u64{6}, u64{14}}) {
      const std::vector<u64> keys = keys_seen::few_keys(digits, n);
      const std::string line = fmt::format("{} keys={} key_list={} seed=1 lookups=64 lookup={}", GetParam(), width,
                                           fmt::join(keys, ","), keys[n / 2]);
      SCOPED_TRACE(line);
      look_at(line, keys);
    }
    for (const u64 n : {u64{136}, u64{1} << 16, u64{1} << 20}) {
      if (n > 1 << 16 && std::string(GetParam()) == "PLAIN") continue;  // its path is too long to step through
      const char* kind = digits == 2 ? "dense" : "uniform";
      const u64 key = digits == 2 ? n / 2 : digits == 10 ? 2345678901 : 12345678901234567890u;
      const std::string line = fmt::format("{} keys={} keys={} distribution={} seed=1 lookups=64 lookup={}", GetParam(),
                                           width, n, kind, key);
      SCOPED_TRACE(line);
      look_at(line, {});
    }
  }
  for (const viz::notice& n : now().notices) ADD_FAILURE() << n.words;
}

INSTANTIATE_TEST_SUITE_P(Methods, own_keys, ::testing::ValuesIn(keys_seen::methods), [](const auto& method) {
  std::string name = method.param;
  std::erase(name, '+');
  return name;
});

}  // namespace
}  // namespace pivotscope
