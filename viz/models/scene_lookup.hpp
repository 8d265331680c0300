// A lookup in its scene, up to a step: which rays it has cast, and which boxes they looked at. Pure.
#pragma once

#include <memory>
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

// The lookup that a view shows. It is worked out again only for another step, another path or another index, or as long
// as bytes of it were not at hand.
class kept_lookup {
 public:
  // `path`: its trace, which nobody changes. The result stays until the next call.
  const scene_lookup& at(const std::shared_ptr<const index_model>& model, const std::shared_ptr<const void>& path,
                         const lookup_trace& trace, u32 step, const region_reader& read);

 private:
  std::weak_ptr<const index_model> model_;
  std::weak_ptr<const void> path_;  // weak: a path keeps its index
  u32 step_ = 0;
  bool complete_ = false;
  scene_lookup found_;
};

// Returns a key's place in a scene; nothing: it is greater than all keys that the grid has a place for.
std::optional<grid_point> place_in_grid(const key_grid& grid, u64 key);

}  // namespace pivotscope::viz
