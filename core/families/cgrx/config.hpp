// The knobs of `cgrx` as its algorithms read them.
#pragma once

#include "core/bucket_scene/form.hpp"
#include "core/config/index_config.hpp"

namespace pivotscope {

// How an entry lies in memory (bucket_cells.hpp).
enum class entry_layout : u8 { aligned, packed, column };

inline constexpr family_id cgrx_id = family_named("cgrx");

struct cgrx_config {
  key_width keys = key_width::u32;
  u32 bucket = 16;  // entries of a bucket
  scene_form form = scene_form::optimised;
  bucket_search search = bucket_search::binary;
  u32 wide = 4;                    // boxes or triangles of a group
  u32 x_bits = 23, y_bits = 23;    // of a key, for these axes; z has the rest
  u32 y_scale = 15, z_scale = 25;  // of the axes, as powers of two
  entry_layout layout = entry_layout::aligned;
  launch_config launch = {};

  constexpr bool operator==(const cgrx_config&) const = default;
  PIVOTSCOPE_FN static constexpr cgrx_config of(const index_config& c) {
    return {c.keys,
            c.knobs[0],
            static_cast<scene_form>(c.knobs[1]),
            static_cast<bucket_search>(c.knobs[2]),
            c.knobs[3],
            c.knobs[4],
            c.knobs[5],
            c.knobs[6],
            c.knobs[7],
            static_cast<entry_layout>(c.knobs[8]),
            c.launch};
  }
  PIVOTSCOPE_FN constexpr operator index_config() const {
    return {cgrx_id,
            keys,
            launch,
            {bucket, static_cast<u32>(form), static_cast<u32>(search), wide, x_bits, y_bits, y_scale, z_scale,
             static_cast<u32>(layout)}};
  }
};

}  // namespace pivotscope
