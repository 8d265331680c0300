// What a step among boxes of a scene says (core/rays/bounding_tree.hpp), for the families whose lookups are rays.
#pragma once

#include <string>

#include "core/index/lookup_trace.hpp"
#include "core/rays/bounding_tree.hpp"

namespace pivotscope {

// Tells a step in which boxes of a group were met: which, and into which of them the search goes. Returns false, and changes
// nothing, if none was. who: "The ray along x".
bool tell_boxes_met(trace_step& step, scene_regions in, const std::string& who);

// Where the search goes on that has found nothing in a group. next: not a ray's first step.
std::string back_words(const trace_step& next);

}  // namespace pivotscope
