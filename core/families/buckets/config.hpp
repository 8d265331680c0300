// The knobs of `buckets` as its algorithms read them.
#pragma once

#include "core/config/index_config.hpp"
#include "core/index/row_cells.hpp"

namespace pivotscope {

enum class pool_growth : u8 { off, on };  // whether there are more slabs when inserts find none

inline constexpr u32 least_slab = 4, most_slab = 32;  // cells, the link's among them
inline constexpr u32 least_bucket_load = 30, most_bucket_load = 400;

inline constexpr family_id buckets_id = family_named("buckets");

struct buckets_config {
  key_width keys = key_width::u32;
  u32 lanes = 4;   // that look at a slab together, 1 to 32, a power of two
  u32 slab = 16;   // cells of a slab, a power of two; 1 to 8 a lane. The last one is the link
  u32 load = 100;  // keys of a hundred cells of the buckets' first slabs, 30 to 400
  cell_layout layout = cell_layout::aos;
  kept_duplicates duplicates = kept_duplicates::off;
  u32 room = 0;  // keys that there are buckets for, where it is built from fewer
  pool_growth grow = pool_growth::on;
  launch_config launch = {};

  constexpr bool operator==(const buckets_config&) const = default;
  PIVOTSCOPE_FN static constexpr buckets_config of(const index_config& c) {
    return {c.keys,
            c.knobs[0],
            c.knobs[1],
            c.knobs[2],
            static_cast<cell_layout>(c.knobs[3]),
            static_cast<kept_duplicates>(c.knobs[4]),
            c.knobs[5],
            static_cast<pool_growth>(c.knobs[6]),
            c.launch};
  }
  PIVOTSCOPE_FN constexpr operator index_config() const {
    return {buckets_id,
            keys,
            launch,
            {lanes, slab, load, static_cast<u32>(layout), static_cast<u32>(duplicates), room, static_cast<u32>(grow)}};
  }
};

// The cell of a slab that is its link; entries lie before it.
PIVOTSCOPE_FN constexpr u32 link_cell(const buckets_config& c) { return c.slab - 1; }
PIVOTSCOPE_FN constexpr bool keeps_all(const buckets_config& c) { return c.duplicates == kept_duplicates::on; }

// What row_cells asks of them.
PIVOTSCOPE_FN constexpr u32 node_cells(const buckets_config& c) { return c.slab; }
PIVOTSCOPE_FN constexpr u32 node_slots(const buckets_config& c) { return link_cell(c); }
PIVOTSCOPE_FN constexpr bool reuses_erased(const buckets_config& c) { return keeps_all(c); }

}  // namespace pivotscope
