// The colours of both themes can be read, and what a mark's edge says can be seen: contrast as the Web Content
// Accessibility Guidelines 2.2 define it, 4.5 for text and 3 for edges.
#include "viz/theme/theme.hpp"

#include <gtest/gtest.h>
#include <imgui.h>

#include <string>

namespace pivotscope::viz {
namespace {

class theme_contrast : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    context_ = ImGui::CreateContext();
    set_theme(GetParam());
  }
  void TearDown() override {
    set_theme(false);
    ImGui::DestroyContext(context_);
  }

 private:
  ImGuiContext* context_ = nullptr;
};

struct named {
  const char* name;
  ImU32 colour;
};

TEST(contrast, IsThatOfTheGuidelines) {
  const ImU32 black = IM_COL32(0, 0, 0, 255), white = IM_COL32(255, 255, 255, 255);
  EXPECT_NEAR(contrast(black, white), 21, 1e-9);
  EXPECT_NEAR(contrast(white, black), 21, 1e-9);
  EXPECT_NEAR(contrast(white, white), 1, 1e-9);
  EXPECT_NEAR(contrast(IM_COL32(0x77, 0x77, 0x77, 255), white), 4.48, 0.005) << "the guidelines' well-known grey";
  EXPECT_NEAR(contrast(IM_COL32(255, 0, 0, 255), white), 4.00, 0.005);
  EXPECT_EQ(over(with_alpha(black, 0), white), white);
  EXPECT_EQ(over(black, white), black);
  EXPECT_EQ(over(with_alpha(black, 0.5f), white), IM_COL32(127, 127, 127, 255));
}

// Dear ImGui's own font will do. What is left over is a whole number of letters, whatever their bytes.
TEST_P(theme_contrast, WordsThatDoNotFitAreElided) {
  ImGui::GetIO().Fonts->AddFontDefault();
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  ImGui::GetIO().DisplaySize = {100, 100};
  ImGui::NewFrame();
  ImFont* const font = ImGui::GetFont();
  const std::string words = "K\u00b2 keys, \u2264 n";
  const float whole = text_width(font, 13, words), dots = text_width(font, 13, "\u2026");
  EXPECT_EQ(elided(font, 13, words, whole), words);
  EXPECT_EQ(elided(font, 13, words, whole + 100), words);
  EXPECT_EQ(elided(font, 13, words, 0), "");
  EXPECT_EQ(elided(font, 13, "", 0), "");
  std::string last;
  for (float room = dots; room < whole - 1; ++room) {
    const std::string shown = elided(font, 13, words, room);
    ASSERT_TRUE(shown.ends_with("\u2026"));
    EXPECT_LE(text_width(font, 13, shown), room + 0.5f);
    const std::string kept = shown.substr(0, shown.size() - 3);
    EXPECT_EQ(words.substr(0, kept.size()), kept);
    EXPECT_NE(static_cast<unsigned char>(words[kept.size()]) & 0xC0, 0x80) << "between two letters";
    EXPECT_GE(kept.size(), last.size());
    last = kept;
  }
  EXPECT_GT(last.size(), 8u);
  ImGui::EndFrame();
}

TEST_P(theme_contrast, OfTextIsEnough) {
  const theme_tokens& t = theme();
  for (const named& ground : {named{"ground", t.ground}, {"panel", t.panel}, {"raised", t.raised}}) {
    for (const named& text : {named{"text", t.text}, {"text_dim", t.text_dim}, {"text_faint", t.text_faint}})
      EXPECT_GE(contrast(text.colour, ground.colour), 4.5) << text.name << " on " << ground.name;
    if (ground.colour == t.ground) continue;  // of the bars, where nothing else is written
    for (const named& text : {named{"accent", t.accent},
                              {"bad", t.bad},
                              {"good", t.good},
                              {"code_keyword", t.code_keyword},
                              {"code_type", t.code_type},
                              {"code_number", t.code_number}})
      EXPECT_GE(contrast(text.colour, ground.colour), 4.5) << text.name << " on " << ground.name;
  }
  EXPECT_GE(contrast(t.on_accent, t.accent), 4.5);
  EXPECT_GE(contrast(t.bad, t.bad_soft), 4.5);
  EXPECT_GE(contrast(t.panel, t.text), 4.5) << "what is chosen is written the other way round";
}

TEST_P(theme_contrast, OfEdgesThatSaySomethingIsEnough) {
  const theme_tokens& t = theme();
  for (const named& ground : {named{"ground", t.ground}, {"panel", t.panel}, {"raised", t.raised}})
    for (const named& edge : {named{"edge", t.edge}, {"accent", t.accent}, {"text_faint", t.text_faint}})
      EXPECT_GE(contrast(edge.colour, ground.colour), 3) << edge.name << " on " << ground.name;
}

// A tombstone can be told from what is there and from what is empty, where it is too small for its cross.
TEST_P(theme_contrast, OfTombstonesIsEnough) {
  EXPECT_GE(contrast(theme().erased, theme().panel), 3);
  EXPECT_GE(contrast(theme().erased, level_colour(0, 1)), 3);
}

// What is ruled out is faint: that is the one text below 4.5, and it can still be read.
TEST_P(theme_contrast, OfKeysOnTheirLevelsIsEnough) {
  for (u32 levels = 1; levels <= 30; ++levels) {
    for (u32 level = 0; level < levels; ++level) {
      SCOPED_TRACE("level " + std::to_string(level) + " of " + std::to_string(levels));
      const ImU32 colour = level_colour(level, levels);
      EXPECT_GE(contrast(ink_on(colour), colour), 4.5);
      EXPECT_GE(contrast(theme().text_dim, cell_ground(colour, true)), 3.5);
      EXPECT_EQ(cell_ground(colour, false), colour);
    }
  }
}

// Told apart by how light they are, not by their hue alone: in grey, too.
TEST_P(theme_contrast, OfLevelsGrowsFromTheRootOn) {
  for (u32 levels = 2; levels <= 30; ++levels)
    for (u32 level = 0; level + 1 < levels; ++level)
      EXPECT_GT(contrast(level_colour(level + 1, levels), IM_COL32(0, 0, 0, 255)),
                contrast(level_colour(level, levels), IM_COL32(0, 0, 0, 255)))
          << level << " of " << levels;
}

INSTANTIATE_TEST_SUITE_P(Themes, theme_contrast, ::testing::Bool(),
                         [](const auto& light) { return light.param ? "Light" : "Dark"; });

}  // namespace
}  // namespace pivotscope::viz
