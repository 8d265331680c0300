// The knobs of a scene and its boxes, which the families share whose lookups are rays.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/axis.hpp"
#include "core/rays/grid.hpp"

namespace pivotscope {

// The values of a config's knobs.
struct scene_knobs {
  u32 wide;              // boxes or triangles of a group: 4 or 8
  u32 x_bits, y_bits;    // 1 to 23
  u32 y_scale, z_scale;  // powers of two, up to 23 and 46
};

// The same of a family's config, which has them by these names.
template <class Config>
scene_knobs scene_knobs_of(const Config& c) {
  return {c.wide, c.x_bits, c.y_bits, c.y_scale, c.z_scale};
}
template <class Config>
void set_scene_knobs(Config& c, const scene_knobs& knobs) {
  c.wide = knobs.wide, c.x_bits = knobs.x_bits, c.y_bits = knobs.y_bits;
  c.y_scale = knobs.y_scale, c.z_scale = knobs.z_scale;
}

// Returns why knobs are refused, in a sentence; nothing if they are accepted.
std::optional<std::string> check_scene(const scene_knobs& knobs);
// Returns the closest legal values.
scene_knobs accepted_scene(scene_knobs knobs);

// Returns the axes of a config whose knobs from `First` on are those of scene_knobs, in that order.
namespace detail {
struct knob_access {
  std::string (*get)(const index_config&);
  bool (*set)(index_config&, std::string_view);
};
std::vector<axis> scene_axes(const knob_access (&knobs)[5]);
}  // namespace detail
template <u32 First>
std::vector<axis> scene_axes() {
  return detail::scene_axes({{get_knob<First>, set_knob<First>},
                             {get_knob<First + 1>, set_knob<First + 1>},
                             {get_knob<First + 2>, set_knob<First + 2>},
                             {get_knob<First + 3>, set_knob<First + 3>},
                             {get_knob<First + 4>, set_knob<First + 4>}});
}

}  // namespace pivotscope
