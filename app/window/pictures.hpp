// Pictures of the frame that was drawn last, or of a part of it: of an off-screen one for the command line, of the
// window's own for its menus.
#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/window/gl_window.hpp"
#include "app/window/svg.hpp"
#include "core/run/view_position.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope {

// Part of a frame, in Dear ImGui's units.
struct frame_part {
  ImVec2 low, high;
};

struct picture_words {
  std::string title;
  std::string line;  // the scenario's, which stands in the file
};

// Makes the file's bytes, on any thread.
using picture_bytes = std::function<outcome<std::string>()>;
picture_bytes png_of_frame(const picture& frame, std::optional<frame_part> part, const picture_words& words);
// Of a frame that was drawn with exact_shapes.
picture_bytes svg_of_frame(std::optional<frame_part> part, const picture_words& words,
                           svg_letters letters = svg_letters::outlines);

// The part of the last frame in which anything is drawn but its ground and its border, with a margin.
frame_part content_of_frame();

// "pivotscope: Tree, step 3 of 14"
std::string picture_title(std::optional<viz::panel> which, const viz::view_state& view);

// The steps of the path in view, or the slots of the build while that is shown.
std::vector<view_position> every_place(const viz::view_state& view);
// Goes there, at once.
status show_place(viz::view_state& view, const view_position& at);

}  // namespace pivotscope
