// The knobs of `rx` as its algorithms read them.
#pragma once

#include "core/config/index_config.hpp"

namespace pivotscope {

// What a batch of writes does to the scene. rebuild: it is built again. refit: triangles stay in their cells, and boxes
// are made to hold what is below them then.
enum class scene_updates : u8 { rebuild, refit };

inline constexpr family_id rx_id = family_named("rx");

struct rx_config {
  key_width keys = key_width::u32;
  u32 wide = 4;                    // boxes or triangles of a group
  u32 x_bits = 23, y_bits = 23;    // of a key, for these axes; z has the rest
  u32 y_scale = 15, z_scale = 25;  // of the axes, as powers of two
  scene_updates updates = scene_updates::rebuild;
  launch_config launch = {};

  constexpr bool operator==(const rx_config&) const = default;
  PIVOTSCOPE_FN static constexpr rx_config of(const index_config& c) {
    return {c.keys,  c.knobs[0], c.knobs[1], c.knobs[2], c.knobs[3], c.knobs[4], static_cast<scene_updates>(c.knobs[5]),
            c.launch};
  }
  PIVOTSCOPE_FN constexpr operator index_config() const {
    return {rx_id, keys, launch, {wide, x_bits, y_bits, y_scale, z_scale, static_cast<u32>(updates)}};
  }
};

}  // namespace pivotscope
