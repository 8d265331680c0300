// The knobs of `gph` as its algorithms read them.
#pragma once

#include "core/config/index_config.hpp"
#include "core/index/row_cells.hpp"

namespace pivotscope {

enum class gph_hashing : u8 {
  in_turn,
  perfect
};  // a full bucket's keys: in the next ones; or the cell gets another value
enum class gph_requests : u8 {
  single,
  wide
};                                        // a cell of a bucket a load; or 16 bytes, all before the first is looked at
enum class gph_phases : u8 { two, one };  // inserts that overflow wait until the others of their batch are done; or not
// once: what is read of buckets leaves the L2 cache first; kept: and the cell index leaves it last.
enum class gph_reads : u8 { cached, once, kept };
enum class gph_growth : u8 { off, on };
enum class gph_routes : u8 { off, on };  // whether lookups go to the block whose scratch has their part of the index

inline constexpr u32 most_gph_bucket = 16, most_virtuals = 8, most_keys_a_cell = 40;
inline constexpr u32 least_gph_load = 10, most_gph_load = 95;

inline constexpr family_id gph_id = family_named("gph");

struct gph_config {
  key_width keys = key_width::u32;
  u32 lanes = 2;      // that look at a bucket together, 1 to 16, a power of two
  u32 bucket = 8;     // slots of a bucket, a power of two (the paper's M)
  u32 virtuals = 8;   // virtual buckets of a cell of the index (R): 2, 4 or 8
  u32 bits = 8;       // of a cell of the index: 8 or 16
  u32 per_cell = 12;  // keys that share a cell of the index, on average
  u32 load = 70;      // keys of a hundred slots
  cell_layout layout = cell_layout::aos;
  gph_hashing hashing = gph_hashing::perfect;
  gph_requests requests = gph_requests::wide;
  gph_phases phases = gph_phases::two;
  gph_reads reads = gph_reads::cached;
  u32 scratch = 0;  // bytes of a block's scratch that the first cells of the index lie in, or those of its part
  u32 room = 0;     // keys that there are buckets for, where it is built from fewer
  gph_growth grow = gph_growth::on;
  gph_routes routes = gph_routes::off;
  launch_config launch = {};

  constexpr bool operator==(const gph_config&) const = default;
  PIVOTSCOPE_FN static constexpr gph_config of(const index_config& c) {
    return {c.keys,
            c.knobs[0],
            c.knobs[1],
            c.knobs[2],
            c.knobs[3],
            c.knobs[4],
            c.knobs[5],
            static_cast<cell_layout>(c.knobs[6]),
            static_cast<gph_hashing>(c.knobs[7]),
            static_cast<gph_requests>(c.knobs[8]),
            static_cast<gph_phases>(c.knobs[9]),
            static_cast<gph_reads>(c.knobs[10]),
            c.knobs[11],
            c.knobs[12],
            static_cast<gph_growth>(c.knobs[13]),
            static_cast<gph_routes>(c.knobs[14]),
            c.launch};
  }
  PIVOTSCOPE_FN constexpr operator index_config() const {
    return {gph_id,
            keys,
            launch,
            {lanes, bucket, virtuals, bits, per_cell, load, static_cast<u32>(layout), static_cast<u32>(hashing),
             static_cast<u32>(requests), static_cast<u32>(phases), static_cast<u32>(reads), scratch, room,
             static_cast<u32>(grow), static_cast<u32>(routes)}};
  }
};

// What row_cells asks of them. An erased slot keeps its key, until it is emptied under its bucket's latch.
PIVOTSCOPE_FN constexpr u32 node_cells(const gph_config& c) { return c.bucket; }
PIVOTSCOPE_FN constexpr u32 node_slots(const gph_config& c) { return c.bucket; }
PIVOTSCOPE_FN constexpr bool reuses_erased(const gph_config&) { return false; }

PIVOTSCOPE_FN constexpr bool is_perfect(const gph_config& c) { return c.hashing == gph_hashing::perfect; }
PIVOTSCOPE_FN constexpr bool is_routed(const gph_config& c) { return c.routes == gph_routes::on; }
// Words of the index that a block's scratch has room for.
PIVOTSCOPE_FN constexpr u32 words_in_scratch(const gph_config& c) { return c.scratch / sizeof(u32); }
// Cells of the index in a word of 32 bits.
PIVOTSCOPE_FN constexpr u32 cells_a_word(const gph_config& c) { return 32 / c.bits; }
// Mappings that a cell's value can say: all its bits but those of the offset. The last one is of cells some of whose keys were
// spilled.
PIVOTSCOPE_FN constexpr u32 mappings(const gph_config& c) { return (1u << c.bits) / c.virtuals; }
PIVOTSCOPE_FN constexpr u32 spilled_mapping(const gph_config& c) { return mappings(c) - 1; }

}  // namespace pivotscope
