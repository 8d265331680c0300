// A lookup in its scene, up to a step: which rays it has cast, and which boxes they looked at. Pure.
#pragma once

#include <optional>
#include <vector>

#include "core/index/index_scene.hpp"

namespace pivotscope::viz {

// A box that a step looked at.
struct met_box {
  u64 box = 0;
  bool entered = false;  // the ray meets it; it goes down into the first of those
  bool operator==(const met_box&) const = default;
};

// How many boxes of a level the rays looked at, and how many they met; of triangles, how many they hit.
struct level_looks {
  u64 looked = 0, entered = 0;
  bool operator==(const level_looks&) const = default;
};

struct scene_lookup {
  std::vector<scene_ray> rays;      // those that have begun
  std::optional<std::size_t> now;   // which of them is under way in the step; nothing: the step is of no ray
  std::vector<met_box> met;         // by the step
  std::vector<u64> within;          // boxes that hold what the step looks at, from the root down
  std::vector<u64> hits;            // triangles that the rays hit
  std::vector<level_looks> levels;  // by level, the triangles last; all steps up to this one
  std::vector<met_box> before;      // boxes that steps before it looked at, each once
};

scene_lookup lookup_in_scene(const index_scene& scene, const lookup_trace& trace, u32 step, const region_reader& read);

}  // namespace pivotscope::viz
