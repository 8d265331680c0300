// The picture of a scene: what Scene draws into its part of the panel.
#pragma once

#include <optional>
#include <vector>

#include "viz/models/scene_lookup.hpp"
#include "viz/parts/marks.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

class scene_study;

struct scene_picture {
  frame& f;
  const scene_study& study;
  const scene_state& state;
  box area;                    // of the screen
  const scene_lookup* lookup;  // up to the step in view; null: none is in view, or the build is
};

void draw_scene(const scene_picture& p);
// Draws the outline of a triangle of this kind, as the picture has it, for a legend.
void draw_triangle_sample(ImDrawList& to, ImVec2 middle, float half, triangle_kind kind, bool flipped, ImU32 colour);
// Returns the colour of a triangle: along the order of the buckets, or without buckets along the triangles' own order;
// of what leads to no bucket that of edges.
ImU32 colour_of(const scene_study& study, u64 cell, const scene_triangle& triangle);
// Returns the triangle with all that its bucket tells, if it is at hand.
std::optional<scene_triangle> read_triangle(frame& f, const scene_study& study, u64 cell);
// Returns where a box is, if it is at hand and holds something.
std::optional<grid_box> bounds_of(const frame& f, const scene_study& study, u64 box);

inline constexpr std::size_t most_drawn_boxes = 400;
// Returns the boxes that are drawn of the level in view: all in view, or if there are more than most_drawn_boxes those
// that the lookup looked at, each once.
std::vector<u64> drawn_boxes(const scene_state& state, const scene_study& study, const scene_lookup* lookup);

}  // namespace pivotscope::viz
