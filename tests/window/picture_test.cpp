// Pictures of panels as files: each panel, both kinds, and what stands in them.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/window/window.hpp"
#include "core/index/config_text.hpp"
#include "tests/window/window_driver.hpp"

namespace pivotscope {
namespace {

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
    folder = fs::path(PIVOTSCOPE_PICTURES_DIR) / "written";
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
    EXPECT_GT(count(svg, "<path fill"), 1u) << "shapes";
    EXPECT_EQ(count(svg, "d=\"M0 0\""), 0u) << "every letter has an outline";
  }
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
  const auto nowhere = write_pictures(folder / "missing" / "no.svg", start, shape);
  EXPECT_FALSE(nowhere);
  EXPECT_FALSE(fs::exists(folder / "no.png"));
}

}  // namespace
}  // namespace pivotscope
