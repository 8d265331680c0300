// Figures in pixels: shapes and letters where the SVG has them, and words where they cannot be drawn.
#include "app/picture/figure_png.hpp"

#include <gtest/gtest.h>

#include "tests/app/expectations.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

// Of 100 by 60 units, white, with what `draw` makes of the writer.
outcome<picture> drawn(const figure_drawing& draw) {
  return figure_pixels([&](const words_writer& words) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 60\" width=\"100\" height=\"60\">"
           "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>" +
           draw(words) + "</svg>";
  });
}

u32 colour_at(const picture& seen, int x, int y) {
  const std::size_t at =
      3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(seen.width) + static_cast<std::size_t>(x));
  return static_cast<u32>(seen.rgb[at]) << 16 | static_cast<u32>(seen.rgb[at + 1]) << 8 | seen.rgb[at + 2];
}

// In units, what is not white: from the first to the last such dot.
struct inked {
  double left = 1e9, right = -1, top = 1e9, bottom = -1;
};
inked ink_of(const picture& seen) {
  inked ink;
  for (int y = 0; y < seen.height; ++y) {
    for (int x = 0; x < seen.width; ++x) {
      if (colour_at(seen, x, y) == 0xffffff) continue;
      ink.left = std::min(ink.left, x / 2.0), ink.right = std::max(ink.right, (x + 1) / 2.0);
      ink.top = std::min(ink.top, y / 2.0), ink.bottom = std::max(ink.bottom, (y + 1) / 2.0);
    }
  }
  return ink;
}

inked ink_of_words(const drawn_words& words) {
  const outcome<picture> seen = drawn([&](const words_writer& write) { return write(words); });
  EXPECT_TRUE(seen.ok()) << seen.error().words;
  return seen ? ink_of(*seen) : inked{};
}

TEST(figure_pixels, are_two_a_unit_in_the_colours_of_the_svg) {
  const outcome<picture> seen = drawn([](const words_writer&) {
    return "<rect x=\"10\" y=\"20\" width=\"30\" height=\"5\" fill=\"#0072b2\"/>"
           "<line x1=\"50\" y1=\"40\" x2=\"90\" y2=\"40\" stroke=\"#d55e00\" stroke-width=\"2\" stroke-dasharray=\"7 "
           "4\"/>"
           "<polygon points=\"60,5 80,5 80,15 60,15\" fill=\"#000000\" fill-opacity=\"0.2\"/>";
  });
  ASSERT_TRUE(seen.ok()) << seen.error().words;
  EXPECT_EQ(seen->width, 200);
  EXPECT_EQ(seen->height, 120);
  EXPECT_EQ(seen->rgb.size(), 200u * 120 * 3);
  EXPECT_EQ(colour_at(*seen, 20, 40), 0x0072b2u);
  EXPECT_EQ(colour_at(*seen, 79, 49), 0x0072b2u);
  EXPECT_EQ(colour_at(*seen, 19, 40), 0xffffffu);
  EXPECT_EQ(colour_at(*seen, 102, 80), 0xd55e00u);
  EXPECT_EQ(colour_at(*seen, 100 + 2 * 9, 80), 0xffffffu) << "between two dashes";
  EXPECT_EQ(colour_at(*seen, 140, 20), 0xccccccu);
}

TEST(figure_pixels, have_letters_where_the_words_stand) {
  const inked start = ink_of_words({.x = 50, .y = 40, .words = "HH", .fill = "#000000", .size = 20});
  EXPECT_NEAR(start.left, 51.5, 1);
  EXPECT_NEAR(start.bottom, 40, 0.6) << "on its base line";
  EXPECT_NEAR(start.top, 40 - 0.727 * 20, 0.8) << "as high as Inter's capitals";
  const double width = start.right - start.left;
  EXPECT_GT(width, 20);
  EXPECT_LT(width, 32);
  const inked end =
      ink_of_words({.x = 50, .y = 40, .words = "HH", .fill = "#000000", .size = 20, .anchor = words_anchor::end});
  EXPECT_NEAR(end.right, 48.5, 1);
  EXPECT_NEAR(end.right - end.left, width, 0.6);
  const inked middle =
      ink_of_words({.x = 50, .y = 40, .words = "HH", .fill = "#000000", .size = 20, .anchor = words_anchor::middle});
  EXPECT_NEAR((middle.left + middle.right) / 2, 50, 0.6);
  const inked up = ink_of_words({.x = 50,
                                 .y = 30,
                                 .words = "HH",
                                 .fill = "#000000",
                                 .size = 20,
                                 .anchor = words_anchor::middle,
                                 .upwards = true});
  EXPECT_NEAR(up.right, 50, 0.6) << "its base line is to the right";
  EXPECT_NEAR((up.top + up.bottom) / 2, 30, 0.6);
  EXPECT_NEAR(up.bottom - up.top, width, 0.6);
}

TEST(figure_pixels, tell_faces_apart) {
  const auto dark = [](const drawn_words& words) {
    const outcome<picture> seen = drawn([&](const words_writer& write) { return write(words); });
    u64 sum = 0;
    for (const u8 channel : seen->rgb) sum += 255u - channel;
    return sum;
  };
  const u64 regular = dark({.x = 5, .y = 40, .words = "lookups", .fill = "#000000"});
  EXPECT_GT(dark({.x = 5, .y = 40, .words = "lookups", .fill = "#000000", .semibold = true}), regular * 11 / 10);
  EXPECT_NE(dark({.x = 5, .y = 40, .words = "lookups", .fill = "#000000", .italic = true}), regular);
  EXPECT_EQ(dark({.x = 5, .y = 40, .words = "", .fill = "#000000"}), 0u);
}

TEST(figure_pixels, say_what_is_missing) {
  const file_tree folder;
  const auto blank = [](const words_writer&) { return std::string("<svg/>"); };
  const outcome<picture> without = figure_pixels(blank, {folder.root()});
  ASSERT_FALSE(without.ok());
  expect_part(without.error().words, "the font Inter-Regular.otf that a PNG's letters are drawn with is not there");
  expect_part(without.error().words, "fonts-inter");
  const auto junk = folder.write("Inter-Regular.otf", "no font");
  const outcome<picture> broken = figure_pixels(blank, {folder.root()});
  ASSERT_FALSE(broken.ok());
  expect_part(broken.error().words, "cannot be read from " + junk.string());
  const outcome<picture> none = figure_pixels([](const words_writer&) { return std::string("no picture"); });
  ASSERT_FALSE(none.ok());
  expect_part(none.error().words, "no SVG that can be read");
}

}  // namespace
}  // namespace pivotscope
