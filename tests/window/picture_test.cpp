// Pictures of panels as files: each panel, both kinds, and what stands in them.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/files/scenario_text.hpp"
#include "app/window/window.hpp"
#include "core/index/config_text.hpp"
#include "tests/app/program.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/state/opening.hpp"

namespace pivotscope {
namespace {

using viz::panel;

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  return all.str();
}

u32 count(const std::string& text, const std::string& part) {
  u32 times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

u32 number_at(const std::string& bytes, std::size_t at) {
  u32 number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

class pictures : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = test_pictures_folder() / "written";
    fs::create_directories(folder);
  }

  fs::path folder;
  window_options start = [] {
    window_options options;
    options.machine = machine_kind::cpu;
    options.key = 9;
    return options;
  }();
};

// Every tag is closed by its own, and numbers are numbers.
void expect_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = svg.substr(at + 1, end - at - 1);
    ASSERT_FALSE(tag.empty());
    EXPECT_EQ(count(tag, "\"") % 2, 0u) << tag;
    if (tag.front() == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  // What is used is defined.
  for (std::size_t at = svg.find("href=\"#"); at != std::string::npos; at = svg.find("href=\"#", at + 1)) {
    const std::string id = svg.substr(at + 7, svg.find('"', at + 7) - at - 7);
    ASSERT_NE(svg.find("<path id=\"" + id + "\""), std::string::npos) << id;
  }
}

TEST_F(pictures, AnyPanelIsAVectorGraphicWithItsScenarioInside) {
  for (const char* name : viz::panel_names) {
    SCOPED_TRACE(name);
    picture_shape shape;
    shape.panel = name;
    shape.panel->front() = static_cast<char>(std::tolower(shape.panel->front()));
    shape.light = std::string(name) == "Tree";
    const auto written = write_pictures(folder / fmt::format("{}.svg", *shape.panel), start, shape);
    ASSERT_TRUE(written.ok()) << written.error().words;
    ASSERT_EQ(written->size(), 1u);
    const std::string svg = bytes_of(written->front());
    expect_well_formed(svg);
    EXPECT_NE(svg.find("<desc>EO+BS keys=14"), std::string::npos);
    EXPECT_NE(svg.find("lookup=9"), std::string::npos);
    EXPECT_GT(count(svg, "<use "), 20u) << "letters";
    EXPECT_GE(count(svg, "<path fill"), 1u) << "shapes";
    EXPECT_EQ(count(svg, "d=\"M0 0\""), 0u) << "every letter has an outline";
    if (std::string(name) == "Timings") {
      EXPECT_EQ(count(svg, "rotate(-90)"), 3u) << "M/s runs up the axis";
    }
  }
}

TEST_F(pictures, ASceneIsAVectorGraphicWithItsRays) {
  start.config = *config_from_line("CGRX bucket=3 x_bits=2 y_bits=2 form=naive");
  start.key = 15;
  picture_shape shape;
  shape.panel = "scene";
  shape.step = 12;
  shape.as_text = true;
  const auto written = write_pictures(folder / "rays.svg", start, shape);
  ASSERT_TRUE(written.ok()) << written.error().words;
  const std::string svg = bytes_of(written->front());
  expect_well_formed(svg);
  for (const char* words : {">ray 1<", ">ray 5<", ">row marker<", ">boxes by level<", ">15<"})
    EXPECT_NE(svg.find(words), std::string::npos) << words;
}

TEST_F(pictures, AnIndexIsPinnedBesideTheOneThatIsShown) {
  picture_shape shape;
  shape.panel = "compare";
  u32 letters[2] = {};
  for (const bool pins : {false, true}) {
    if (pins) shape.pinned = *config_from_line("AO+BS");
    const auto written = write_pictures(folder / "pinned.svg", start, shape);
    ASSERT_TRUE(written.ok()) << written.error().words;
    letters[pins ? 1 : 0] = count(bytes_of(written->front()), "<use ");
  }
  EXPECT_GT(letters[1], letters[0] + 150) << "a table of figures, in place of a sentence";
}

TEST_F(pictures, EveryStepIsAFileOfTheSizeAskedFor) {
  picture_shape shape;
  shape.panel = "tree";
  shape.every_step = true;
  shape.width = 500;
  shape.height = 300;
  shape.scale = 1.5f;
  const auto written = write_pictures(folder / "steps.png", start, shape);
  ASSERT_TRUE(written.ok()) << written.error().words;
  ASSERT_EQ(written->size(), 4u) << "9 is found on the fourth level";
  std::string last;
  for (u32 step = 1; step <= 4; ++step) {
    EXPECT_EQ((*written)[step - 1].filename(), fmt::format("steps-{}.png", step));
    const std::string png = bytes_of((*written)[step - 1]);
    ASSERT_GT(png.size(), 100u);
    EXPECT_EQ(number_at(png, 16), 750u);
    EXPECT_EQ(number_at(png, 20), 450u);
    EXPECT_EQ(png.substr(33 + 4, 16), std::string("tEXtDescription") + '\0') << "behind the header";
    EXPECT_NE(png.find("EO+BS keys=14"), std::string::npos);
    EXPECT_NE(png, last);
    last = png;
  }
}

// The scenario's line, as the file has it.
std::string line_in(const fs::path& path) {
  const std::string bytes = bytes_of(path);
  if (path.extension() == ".svg") {
    const std::size_t at = bytes.find("<desc>") + 6;
    return bytes.substr(at, bytes.find("</desc>") - at);
  }
  EXPECT_EQ(bytes.substr(33 + 4, 16), std::string("tEXtDescription") + '\0') << "behind the header";
  return bytes.substr(33 + 8 + 12, number_at(bytes, 33) - 12);
}

// What is drawn and what the file says are one scenario.
void expect_scenario(const fs::path& path, const scenario_text& wanted) {
  SCOPED_TRACE(path.filename());
  const outcome<scenario_text> back = scenario_from_line(line_in(path));
  ASSERT_TRUE(back.ok()) << back.error().words;
  EXPECT_EQ(back->config, wanted.config);
  EXPECT_EQ(back->load, wanted.load);
  EXPECT_EQ(back->key, wanted.key);
  EXPECT_EQ(back->at, wanted.at);
}

TEST_F(pictures, TheScenarioReadBackIsTheOneThatWasDrawn) {
  struct {
    const char *panel, *line, *extension;
  } const all[] = {
      {"tree", "EO+KS fanout=5 keys=14 distribution=paper seed=1 lookups=64 hits=1 lookup=9 step=2", "svg"},
      {"layout", "EO+BS keys=14 distribution=paper seed=1 lookups=64 hits=1 lookup=9 build=11", "png"},
      {"path", "AO+PB+BS keys=2^10 distribution=dense seed=7 lookups=64 hits=0.5 lookup=100 build=pivots:3", "svg"},
      {"warp", "AO+BS keys=u64 keys=2^8 distribution=uniform seed=3 lookups=2^10 hits=1 lookup=4..12 step=1", "png"},
      {"memory", "EO+BS key_list=1,5,9,4294967295 seed=1 lookup_list=5,6 lookup=5 step=1", "svg"},
      {"compare", "EO+BS keys=u64 key_list=18446744073709551615,7 seed=1 range_list=7..20 lookup=7..20 step=1", "png"},
  };
  for (const auto& one : all) {
    SCOPED_TRACE(one.line);
    const outcome<scenario_text> asked = scenario_from_line(one.line);
    ASSERT_TRUE(asked.ok()) << asked.error().words;
    window_options options;
    options.machine = machine_kind::cpu;
    options.config = asked->config;
    options.load = asked->load;
    options.key = asked->key;
    picture_shape shape;
    shape.panel = one.panel;
    shape.step = asked->at.step;
    shape.build = asked->at.build;
    const auto written = write_pictures(folder / fmt::format("back-{}.{}", one.panel, one.extension), options, shape);
    ASSERT_TRUE(written.ok()) << written.error().words;
    expect_scenario(written->front(), *asked);
  }
}

TEST_F(pictures, EverySlotOfTheBuildIsAFile) {
  picture_shape shape;
  shape.panel = "layout";
  shape.every_slot = true;
  shape.width = 300;
  shape.height = 200;
  const auto written = write_pictures(folder / "slots.png", start, shape);
  ASSERT_TRUE(written.ok()) << written.error().words;
  ASSERT_EQ(written->size(), 15u);
  EXPECT_EQ(written->back().filename(), "slots-15.png");
  for (u64 slot = 0; slot < 15; ++slot)
    EXPECT_TRUE(line_in((*written)[slot]).ends_with(fmt::format("lookup=9 build={}", slot)));
}

// --- From inside the window ---

class pictures_of_window : public window_test {
 protected:
  void SetUp() override {
    const char* before = std::getenv("XDG_PICTURES_DIR");
    if (before) before_ = before;
    ::setenv("XDG_PICTURES_DIR", (scratch_ / "").c_str(), 1);
  }
  void TearDown() override {
    window_test::TearDown();
    before_ ? ::setenv("XDG_PICTURES_DIR", before_->c_str(), 1) : ::unsetenv("XDG_PICTURES_DIR");
  }
  fs::path in_folder(const char* name) { return scratch_ / "pivotscope" / name; }
  bool until_said(const std::string& words) {
    return until([&] { return !now().notices.empty() && now().notices.back().words.find(words) != std::string::npos; });
  }
  scenario_text in_view() {
    const viz::session_choice c = now().choice;
    return {c.config, c.load, c.key, viz::place_in_view(now(), view())};
  }
  void choose_in_tab_menu(ImGuiTestContext& hand, viz::panel which, const char* item) {
    hand.ItemClick(ImGui::FindWindowByName(viz::name_of(which))->TabId, ImGuiMouseButton_Right);
    hand.ItemClick(fmt::format("//$FOCUSED/{}", item).c_str());
  }

  scratch_folder scratch_;
  std::optional<std::string> before_;
};

TEST_F(pictures_of_window, ATabsMenuSavesItsPanel) {
  open({}, 1100, 700);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiKey_RightArrow);
    choose_in_tab_menu(hand, panel::tree, "Save as SVG");
    ASSERT_TRUE(until_said("Tree is drawn into " + in_folder("tree-EO+BS.svg").string()));
    EXPECT_FALSE(now().notices.back().fault);
    expect_well_formed(bytes_of(in_folder("tree-EO+BS.svg")));
    expect_scenario(in_folder("tree-EO+BS.svg"), in_view());
    EXPECT_EQ(in_view().at, (view_position{.step = 2}));
    // The same again overwrites nothing, and is the panel as large as it is.
    choose_in_tab_menu(hand, panel::tree, "Save as SVG");
    ASSERT_TRUE(until_said("tree-EO+BS-again2.svg"));
    choose_in_tab_menu(hand, panel::tree, "Save as PNG");
    ASSERT_TRUE(until_said("tree-EO+BS.png"));
    expect_scenario(in_folder("tree-EO+BS.png"), in_view());
    const ImGuiWindow* tree = ImGui::FindWindowByName("Tree");
    const std::string png = bytes_of(in_folder("tree-EO+BS.png"));
    EXPECT_NEAR(number_at(png, 16), tree->Size.x, 2);
    EXPECT_LT(number_at(png, 20), static_cast<u32>(tree->Size.y)) << "without the tabs";
    // A panel behind another comes to the front.
    ASSERT_FALSE(view().seen[static_cast<std::size_t>(panel::memory)]);
    choose_in_tab_menu(hand, panel::memory, "Save as PNG");
    ASSERT_TRUE(until_said("memory-EO+BS.png"));
    EXPECT_TRUE(view().seen[static_cast<std::size_t>(panel::memory)]);
    EXPECT_FALSE(view().pictures.running);
  });
}

TEST_F(pictures_of_window, EveryStepAndEverySlotAreASeries) {
  open({}, 1100, 700);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    view().motion = true;
    hand.KeyPress(ImGuiKey_RightArrow);
    choose_in_tab_menu(hand, panel::layout, "###every svg");
    ASSERT_TRUE(until_said("layout-EO+BS-1.svg to layout-EO+BS-4.svg"));
    for (u32 i = 1; i <= 4; ++i)
      EXPECT_TRUE(
          line_in(in_folder(fmt::format("layout-EO+BS-{}.svg", i).c_str())).ends_with(fmt::format(" step={}", i)));
    EXPECT_EQ(step(), 1u) << "back where it was";
    EXPECT_TRUE(view().motion);
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    choose_in_tab_menu(hand, panel::layout, "###every png");
    ASSERT_TRUE(until_said("layout-EO+BS-01.png to layout-EO+BS-15.png"));
    EXPECT_TRUE(line_in(in_folder("layout-EO+BS-12.png")).ends_with(" build=11"));
    EXPECT_NE(bytes_of(in_folder("layout-EO+BS-12.png")), bytes_of(in_folder("layout-EO+BS-13.png")));
    // Escape ends it.
    choose_in_tab_menu(hand, panel::layout, "###every png");
    ASSERT_TRUE(until([&] { return view().pictures.running; }));
    hand.KeyPress(ImGuiKey_Escape);
    ASSERT_TRUE(until_said("The pictures of Layout end at"));
    EXPECT_FALSE(view().pictures.running);
    EXPECT_FALSE(fs::exists(in_folder("layout-EO+BS-again2-15.png")));
  });
}

TEST_F(pictures_of_window, ThePanelsMenuSavesTheWholeWindowAndFailuresAreSaid) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.ItemClick("//top line/panels menu");
    hand.MenuClick("//$FOCUSED/Save a picture/The whole window/Save as PNG");
    ASSERT_TRUE(until_said("The window is drawn into " + in_folder("window-EO+BS.png").string()));
    const std::string png = bytes_of(in_folder("window-EO+BS.png"));
    EXPECT_EQ(number_at(png, 16), 1600u);
    EXPECT_EQ(number_at(png, 20), 1000u);
    expect_scenario(in_folder("window-EO+BS.png"), in_view());
    fs::copy_file(in_folder("window-EO+BS.png"), test_pictures_folder() / "saved-window.png",
                  fs::copy_options::overwrite_existing);
    ::setenv("XDG_PICTURES_DIR", in_folder("window-EO+BS.png").c_str(), 1);  // a file is no folder
    hand.ItemClick("//top line/panels menu");
    hand.MenuClick("//$FOCUSED/Save a picture/Tree/Save as SVG");
    ASSERT_TRUE(until_said("There is no picture of Tree: "));
    EXPECT_TRUE(now().notices.back().fault);
  });
}

TEST_F(pictures_of_window, AScenarioWithItsPlaceIsCopiedAndOpened) {
  open({}, 1100, 700);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    for (int i = 0; i < 3; ++i) hand.KeyPress(ImGuiKey_RightArrow);
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    // What is looked at stands behind it: sight_test.cpp.
    const auto copied = [] {
      const std::string line = ImGui::GetClipboardText();
      return line.substr(0, line.find(" panel="));
    };
    const std::string of_build = copied();
    EXPECT_TRUE(of_build.ends_with(" lookup=9 build=3")) << of_build;
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    hand.KeyPress(ImGuiKey_End);
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    const std::string of_step = copied();
    EXPECT_TRUE(of_step.ends_with(" lookup=9 step=4")) << of_step;
    state().open_scenario("AO+PB+KS keys=2^10 distribution=dense lookup=3");
    ASSERT_TRUE(until_settled());
    for (const std::string& line : {of_build, of_step, of_build}) {
      ImGui::SetClipboardText(line.c_str());
      hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
      ASSERT_TRUE(until([&] { return bench_->scenario_line() == line; })) << bench_->scenario_line();
    }
    EXPECT_TRUE(view().build.on);
    EXPECT_TRUE(now().notices.empty());
  });
}

TEST_F(pictures, WhatCannotBeDrawnIsToldInWords) {
  picture_shape shape;
  shape.panel = "trees";
  const auto unknown = write_pictures(folder / "no.png", start, shape);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().words.rfind("there is no panel \"trees\"; there are workload, index, tree", 0), 0u)
      << unknown.error().words;
  shape.panel = "tree";
  shape.step = 5;
  const auto beyond = write_pictures(folder / "no.png", start, shape);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().words, "there is no step 5: this lookup has 4");
  shape.step = 1;
  shape.step.reset();
  shape.build = build_slot{"pivots", 0};
  const auto no_pass = write_pictures(folder / "no.png", start, shape);
  ASSERT_FALSE(no_pass);
  EXPECT_EQ(no_pass.error().words, "the build of this index writes no pivots, but entries");
  shape.build.reset();
  shape.step = 1;
  const auto nowhere = write_pictures(folder / "missing" / "no.svg", start, shape);
  EXPECT_FALSE(nowhere);
  EXPECT_FALSE(fs::exists(folder / "no.png"));
}

}  // namespace
}  // namespace pivotscope
