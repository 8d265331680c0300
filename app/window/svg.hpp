// The last frame as a vector graphic: what Dear ImGui drew, its triangles as polygons and its letters as outlines, so
// that it looks the same wherever it is opened, whatever fonts are there; or as text.
#pragma once

#include <imgui.h>

#include <string>

#include "core/common/portable.hpp"

namespace pivotscope {

// Shapes are drawn exactly while one of these lives: edges are not softened by strips of triangles, and curves are
// fine.
class exact_shapes {
 public:
  exact_shapes();
  ~exact_shapes();
  exact_shapes(const exact_shapes&) = delete;
  exact_shapes& operator=(const exact_shapes&) = delete;

 private:
  bool lines_, fill_;
  float circles_, curves_;
};

struct svg_words {
  std::string title;
  std::string description;  // the scenario's line
};

// How letters are written: as outlines, which look the same wherever they are opened; or as text, to be found, copied
// and edited, in Inter and JetBrains Mono where these are there. Icons and upright words stay outlines.
enum class svg_letters : u8 { outlines, text };

// The part of a frame between two corners; it was drawn with exact_shapes. What is no text and has a texture is left
// out.
std::string svg_of(const ImDrawData& drawn, ImVec2 low, ImVec2 high, u32 ground, const svg_words& words,
                   svg_letters letters = svg_letters::outlines);

}  // namespace pivotscope
