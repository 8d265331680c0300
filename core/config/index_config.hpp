// index_config: which index, as one value. Device code takes it as a template argument, host code at run time.
#pragma once

#include "core/common/portable.hpp"
#include "core/index/ordered/orders.hpp"

namespace pivotscope {

enum class key_width : u8 { u32, u64 };
enum class entry_layout : u8 { aos, soa };         // O4: array of structs {key, row id}, or two arrays
enum class schedule_kind : u8 { dynamic, fixed };  // O1: a block a tile, or a fixed grid that strides ("static")
enum class pin_kind : u8 { none, steps, full };    // O2: which keys of the first steps lie in scratch
enum class reorder_kind : u8 {
  none,
  lookup,
  both
};                                                 // O3: sort a tile's lookups; and bring the answers home ("double")
enum class scan_kind : u8 { alone, cooperative };  // O6: a range is scanned by its own lanes; or, if long, by the warp

inline constexpr u32 default_scratch = 32 * 1024;

// A structural type: usable as a template argument (DESIGN.md, "The configuration is a value").
struct index_config {
  order_kind order = order_kind::eytzinger;
  u32 fanout = 2;  // K: children of a search node; K - 1 keys are compared in a step
  u32 lanes = 1;   // threads that serve one lookup together, 1 to K - 1
  key_width keys = key_width::u32;
  entry_layout layout = entry_layout::aos;
  u32 pivots = 0;  // O5: levels of the pivot buffer that are kept, from the root; 0: all
  schedule_kind schedule = schedule_kind::dynamic;
  u32 blocks_per_sm = 1;  // static schedule only
  u32 threads = 256;      // threads a block
  u32 per_thread = 1;     // lookups a thread in a tile
  pin_kind pin = pin_kind::none;
  u32 scratch = default_scratch;  // bytes a block keeps pinned keys in; pinning only
  reorder_kind reorder = reorder_kind::none;
  scan_kind scan = scan_kind::alone;  // range lookups only

  constexpr bool operator==(const index_config&) const = default;
};

// How an algorithm is handed its config: `config.value.fanout` reads the same from both.
template <index_config Value>
struct static_config {
  static constexpr index_config value = Value;
};
struct dynamic_config {
  index_config value;
};

PIVOTSCOPE_FN constexpr u32 key_bytes(const index_config& c) { return c.keys == key_width::u32 ? 4u : 8u; }

// Bytes from one entry to the next in the array that holds the keys. AoS with 64-bit keys is padded to 16 bytes, so
// that one aligned 16-byte load brings an entry.
PIVOTSCOPE_FN constexpr u32 entry_bytes(const index_config& c) {
  return c.layout == entry_layout::soa ? key_bytes(c) : 2u * key_bytes(c);
}

// Keys that one lane compares in a step of a K-ary node: the first lanes are full, the last may have fewer or none.
PIVOTSCOPE_FN constexpr u32 keys_per_lane(const index_config& c) { return ceil_div(c.fanout - 1u, c.lanes); }

// Keys that fit a block's scratch.
PIVOTSCOPE_FN constexpr u32 pin_capacity(const index_config& c) {
  return c.pin == pin_kind::none ? 0u : c.scratch / key_bytes(c);
}

// Lookups that a block takes at a time.
PIVOTSCOPE_FN constexpr u32 tile_lookups(const index_config& c) { return c.threads * c.per_thread; }

// Threads of a warp that a lookup occupies on the GPU: a power of two, so that shuffles stay in the group.
PIVOTSCOPE_FN constexpr u32 group_threads(const index_config& c) { return ceil_pow2(c.lanes); }

}  // namespace pivotscope
