// Marks of a tree's nodes: who holds them, what is under way in them, and the ways between neighbours.
#pragma once

#include <imgui.h>

#include <string>

#include "viz/parts/marks.hpp"

namespace pivotscope::viz {

// A way from one node to a neighbour of its level, below both.
void draw_side_link(ImDrawList& to, ImVec2 from, ImVec2 end, float deep, ImU32 colour, float thickness);
// A node that an operation has latched: a lock at its upper left corner, and by whom.
void draw_latch(ImDrawList& to, const box& node, const std::string& holder);
// What is under way in a node, above it.
void draw_node_state(ImDrawList& to, const box& node, const std::string& words);

}  // namespace pivotscope::viz
