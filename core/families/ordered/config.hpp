// ordered_config: the knobs of the family `ordered`, with the key width and the launch: what its algorithms read.
#pragma once

#include "core/config/index_config.hpp"
#include "core/families/ordered/orders.hpp"

namespace pivotscope {

enum class entry_layout : u8 { aos, soa };         // O4: array of structs {key, row id}, or two arrays
enum class pin_kind : u8 { none, steps, full };    // O2: which keys of the first steps lie in scratch
enum class scan_kind : u8 { alone, cooperative };  // O6: a range is scanned by its own lanes; or, if long, by the warp
enum class entry_reads : u8 {
  cached,
  once
};  // what the L2 cache is told of the lowest entries; point lookups on a GPU

inline constexpr u32 default_scratch = 32 * 1024;

inline constexpr family_id ordered_id = family_named("ordered");

struct ordered_config {
  order_kind order = order_kind::eytzinger;
  u32 fanout = 2;  // K: children of a search node; K - 1 keys are compared in a step
  u32 lanes = 1;   // threads that serve one lookup together, 1 to K - 1
  key_width keys = key_width::u32;
  entry_layout layout = entry_layout::aos;
  u32 pivots = 0;  // O5: levels of the pivot buffer that are kept, from the root; 0: all
  pin_kind pin = pin_kind::none;
  u32 scratch = default_scratch;      // bytes a block keeps pinned keys in; pinning only
  scan_kind scan = scan_kind::alone;  // range lookups only
  u32 flight = 1;                     // lookups that a group of lanes serves in step; point lookups on a GPU
  entry_reads reads = entry_reads::cached;
  launch_config launch = {};

  constexpr bool operator==(const ordered_config&) const = default;

  PIVOTSCOPE_FN static constexpr ordered_config of(const index_config& c) {
    ordered_config o;
    o.order = static_cast<order_kind>(c.knobs[0]);
    o.fanout = c.knobs[1];
    o.lanes = c.knobs[2];
    o.keys = c.keys;
    o.layout = static_cast<entry_layout>(c.knobs[3]);
    o.pivots = c.knobs[4];
    o.pin = static_cast<pin_kind>(c.knobs[5]);
    o.scratch = c.knobs[6];
    o.scan = static_cast<scan_kind>(c.knobs[7]);
    o.flight = c.knobs[8];
    o.reads = static_cast<entry_reads>(c.knobs[9]);
    o.launch = c.launch;
    return o;
  }
  PIVOTSCOPE_FN constexpr operator index_config() const {
    return {ordered_id,
            keys,
            launch,
            {static_cast<u32>(order), fanout, lanes, static_cast<u32>(layout), pivots, static_cast<u32>(pin), scratch,
             static_cast<u32>(scan), flight, static_cast<u32>(reads)}};
  }
};

// Bytes from one entry to the next in the array that holds the keys. AoS with 64-bit keys is padded to 16 bytes, so
// that one aligned 16-byte load brings an entry.
PIVOTSCOPE_FN constexpr u32 entry_bytes(const ordered_config& c) {
  return c.layout == entry_layout::soa ? key_bytes(c.keys) : 2u * key_bytes(c.keys);
}

// Keys that one lane compares in a step of a K-ary node: the first lanes are full, the last may have fewer or none.
PIVOTSCOPE_FN constexpr u32 keys_per_lane(const ordered_config& c) { return ceil_div(c.fanout - 1u, c.lanes); }

// Keys that fit a block's scratch.
PIVOTSCOPE_FN constexpr u32 pin_capacity(const ordered_config& c) {
  return c.pin == pin_kind::none ? 0u : c.scratch / key_bytes(c.keys);
}

}  // namespace pivotscope
