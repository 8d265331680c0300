// The knobs of `cuckoo` as its algorithms read them.
#pragma once

#include "core/config/index_config.hpp"
#include "core/index/row_cells.hpp"

namespace pivotscope {

enum class cuckoo_growth : u8 { off, on };  // of a table that finds no room
// Where a new key goes. evict: into its first home with an empty cell; where all are full, entries move. lighter: into the
// home with the fewest taken cells. iceberg: into the first home up to a threshold, and then as lighter into the others.
enum class cuckoo_placement : u8 { evict, lighter, iceberg };

inline constexpr u32 most_homes = 4, most_bucket = 32, most_stash = 64;
inline constexpr u32 least_cuckoo_load = 10, most_cuckoo_load = 99;
inline constexpr u32 most_walk = 1024;  // buckets that an insert looks at for room

inline constexpr family_id cuckoo_id = family_named("cuckoo");

struct cuckoo_config {
  key_width keys = key_width::u32;
  u32 lanes = 2;   // that look at a bucket together, 1 to 32, a power of two
  u32 bucket = 8;  // cells of a bucket, a power of two; 1 to 8 a lane
  u32 homes = 3;   // hash functions: buckets in which a key may lie, 1 to 4
  u32 load = 80;   // keys of a hundred cells
  cell_layout layout = cell_layout::aos;
  u32 stash = 4;   // buckets for keys that find no room in their homes; 0 to 64
  u32 walk = 256;  // buckets that an insert looks at for room, before it gives up
  u32 room = 0;    // keys that there are buckets for, where it is built from fewer
  cuckoo_growth grow = cuckoo_growth::on;
  cuckoo_placement placement = cuckoo_placement::evict;
  launch_config launch = {};

  constexpr bool operator==(const cuckoo_config&) const = default;
  PIVOTSCOPE_FN static constexpr cuckoo_config of(const index_config& c) {
    return {c.keys,
            c.knobs[0],
            c.knobs[1],
            c.knobs[2],
            c.knobs[3],
            static_cast<cell_layout>(c.knobs[4]),
            c.knobs[5],
            c.knobs[6],
            c.knobs[7],
            static_cast<cuckoo_growth>(c.knobs[8]),
            static_cast<cuckoo_placement>(c.knobs[9]),
            c.launch};
  }
  PIVOTSCOPE_FN constexpr operator index_config() const {
    return {cuckoo_id,
            keys,
            launch,
            {lanes, bucket, homes, load, static_cast<u32>(layout), stash, walk, room, static_cast<u32>(grow),
             static_cast<u32>(placement)}};
  }
};

// What row_cells asks of them. For it an erased cell keeps its key; beside writers, where an eviction may fill it, bucket.hpp looks.
PIVOTSCOPE_FN constexpr u32 node_cells(const cuckoo_config& c) { return c.bucket; }
PIVOTSCOPE_FN constexpr u32 node_slots(const cuckoo_config& c) { return c.bucket; }
PIVOTSCOPE_FN constexpr bool reuses_erased(const cuckoo_config&) { return false; }

PIVOTSCOPE_FN constexpr bool evicts(const cuckoo_config& c) { return c.placement == cuckoo_placement::evict; }
// Cells of its first home that `iceberg` fills before a key goes elsewhere: BGHT's 6 of 8, 12 of 16 and 25 of 32.
PIVOTSCOPE_FN constexpr u32 threshold(const cuckoo_config& c) { return c.bucket * 4 / 5; }
// A search ends in a home of which fewer cells than this are taken: its key lies in no later home, nor in the stash. All
// of them: it ends at any empty cell.
PIVOTSCOPE_FN constexpr u32 ends_below(const cuckoo_config& c, u32 home) {
  if (evicts(c) || home + 1 >= c.homes) return c.bucket;
  return home == 0 && c.placement == cuckoo_placement::iceberg ? threshold(c) : 1;
}

}  // namespace pivotscope
