// The knobs of `cgrx_nodes` as its algorithms read them.
#pragma once

#include "core/bucket_scene/form.hpp"
#include "core/config/index_config.hpp"

namespace pivotscope {

inline constexpr family_id cgrx_nodes_id = family_named("cgrx_nodes");

struct cgrx_nodes_config {
  key_width keys = key_width::u32;
  u32 node = 32;  // entries that a node has room for: 4, 8, 16, 32 or 64
  scene_form form = scene_form::optimised;
  bucket_search search = bucket_search::binary;  // of a node
  u32 wide = 4;                                  // boxes or triangles of a group
  u32 x_bits = 23, y_bits = 23;                  // of a key, for these axes; z has the rest
  u32 y_scale = 15, z_scale = 25;                // of the axes, as powers of two
  launch_config launch = {};

  constexpr bool operator==(const cgrx_nodes_config&) const = default;
  PIVOTSCOPE_FN static constexpr cgrx_nodes_config of(const index_config& c) {
    return {c.keys,
            c.knobs[0],
            static_cast<scene_form>(c.knobs[1]),
            static_cast<bucket_search>(c.knobs[2]),
            c.knobs[3],
            c.knobs[4],
            c.knobs[5],
            c.knobs[6],
            c.knobs[7],
            c.launch};
  }
  PIVOTSCOPE_FN constexpr operator index_config() const {
    return {cgrx_nodes_id,
            keys,
            launch,
            {node, static_cast<u32>(form), static_cast<u32>(search), wide, x_bits, y_bits, y_scale, z_scale}};
  }
};

// Returns the entries of a bucket as it is built: half of a node, so that inserts find room. A split leaves as many.
PIVOTSCOPE_FN constexpr u32 half_a_node(const cgrx_nodes_config& c) { return c.node / 2; }

}  // namespace pivotscope
