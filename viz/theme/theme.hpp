// Colours, sizes and fonts of every view, as tokens: dark and light differ only here.
#pragma once

#include <imgui.h>

#include <string>

#include "core/common/portable.hpp"

namespace pivotscope::viz {

struct theme_tokens {
  bool light = false;
  // Surfaces, from the back to the front, and the line that parts them.
  ImU32 ground = 0, panel = 0, raised = 0, hovered = 0, pressed = 0, line = 0;
  // Words, by weight of what they say.
  ImU32 text = 0, text_dim = 0, text_faint = 0;
  ImU32 edge = 0;  // of what is hollow: a line that says something, where `line` only parts
  // The key looked for, and nothing else but what one is about to do with it.
  ImU32 accent = 0, accent_soft = 0, on_accent = 0;
  // A fault, and an answer that was checked.
  ImU32 bad = 0, bad_soft = 0, good = 0;
  ImU32 empty_cell = 0;
  ImU32 erased = 0;  // a tombstone; beside the colour it has a cross, or its key is struck out
  // Of source: what the language has names for; types; numbers and texts. Comments are faint words.
  ImU32 code_keyword = 0, code_type = 0, code_number = 0;
};

struct theme_fonts {
  ImFont* words = nullptr;  // Inter
  ImFont* words_medium = nullptr;
  ImFont* words_bold = nullptr;
  ImFont* words_italic = nullptr;
  ImFont* mono = nullptr;  // JetBrains Mono, for keys, slots and addresses
  ImFont* mono_bold = nullptr;
};

// Type sizes, before scaling to the display.
namespace type {
inline constexpr float tiny = 11.5f, small = 13, body = 15, title = 17, large = 22, huge = 28;
}

const theme_tokens& theme();
const theme_fonts& fonts();
void set_theme(bool light);                 // and Dear ImGui's and ImPlot's styles with it
void set_fonts(const theme_fonts& loaded);  // null members fall back to Dear ImGui's own font

// The spacing grid is 4 units; px() scales a number of units to this display, and by what its user chose.
float px(float units);
void set_display_scale(float scale);
void set_user_scale(float scale);  // set_theme() after either takes it into the styles

// Viridis over the levels of a tree: the root darkest, the last level lightest.
ImU32 level_colour(u32 level, u32 levels);
// What the key of an entry lies on: its level's colour, and hardly any of it where the entry is ruled out.
ImU32 cell_ground(ImU32 level, bool out);
// Black or white, whichever reads better on a colour.
ImU32 ink_on(ImU32 background);
ImU32 with_alpha(ImU32 colour, float alpha);
// What is seen where a colour that lets light through lies on another one.
ImU32 over(ImU32 colour, ImU32 ground);
// 1 to 21, as the Web Content Accessibility Guidelines 2.2 define it: of two colours without transparency.
double contrast(ImU32 a, ImU32 b);
ImU32 mix(ImU32 a, ImU32 b, float share_of_b);

// Text in a font and size, for a scope.
class text_style {
 public:
  text_style(ImFont* font, float size, ImU32 colour);
  ~text_style();
  text_style(const text_style&) = delete;
  text_style& operator=(const text_style&) = delete;
};

float text_width(ImFont* font, float size, const std::string& words);
// As much of the words as there is room for, with an ellipsis where they are not all; empty where not even that fits.
std::string elided(ImFont* font, float size, const std::string& words, float room);
void draw_text(ImDrawList& to, ImFont* font, float size, ImVec2 at, ImU32 colour, const std::string& words);
// Elided in this room.
void draw_text_in(ImDrawList& to, ImFont* font, float size, ImVec2 at, float room, ImU32 colour,
                  const std::string& words);
// Centred on a point, both ways, on whole pixels.
void draw_text_centred(ImDrawList& to, ImFont* font, float size, ImVec2 middle, ImU32 colour, const std::string& words);

}  // namespace pivotscope::viz
