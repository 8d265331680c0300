// The knobs of `packed` as its algorithms read them.
#pragma once

#include "core/config/index_config.hpp"

namespace pivotscope {

// once: what is read of leaves leaves the L2 cache first; kept: and prefix blocks leave it last.
enum class leaf_reads : u8 { cached, once, kept };

inline constexpr family_id packed_id = family_named("packed");

struct packed_config {
  key_width keys = key_width::u32;
  u32 leaf = 64;    // bytes of a leaf: 16, 32, 64 or 128
  u32 lanes = 2;    // that look at a leaf together: a power of two, of which no more than it has packs are used
  u32 block = 16;   // bytes of a prefix block: 16 or 32
  u32 fill = 65;    // leaves that begin in a block's bucket on average, in tenths
  u32 scratch = 0;  // bytes of a block's scratch that the first prefix blocks lie in; those of 16 bytes only
  leaf_reads reads = leaf_reads::cached;
  u32 flight = 1;  // lookups of a thread that are served in step; point lookups on a GPU
  launch_config launch = {};

  constexpr bool operator==(const packed_config&) const = default;
  PIVOTSCOPE_FN static constexpr packed_config of(const index_config& c) {
    return {c.keys,     c.knobs[0], c.knobs[1], c.knobs[2], c.knobs[3], c.knobs[4], static_cast<leaf_reads>(c.knobs[5]),
            c.knobs[6], c.launch};
  }
  PIVOTSCOPE_FN constexpr operator index_config() const {
    return {packed_id, keys, launch, {leaf, lanes, block, fill, scratch, static_cast<u32>(reads), flight}};
  }
};

// A pack is four words of a key's width: three entries.
inline constexpr u32 pack_entries = 3;
PIVOTSCOPE_FN constexpr u32 pack_bytes(key_width keys) { return 4 * key_bytes(keys); }
// A pack at least, whatever the keys' width.
PIVOTSCOPE_FN constexpr u32 leaf_packs(const packed_config& c) {
  return c.leaf < pack_bytes(c.keys) ? 1 : c.leaf / pack_bytes(c.keys);
}
PIVOTSCOPE_FN constexpr u32 leaf_bytes(const packed_config& c) { return leaf_packs(c) * pack_bytes(c.keys); }
// Lanes that have a pack to look at.
PIVOTSCOPE_FN constexpr u32 used_lanes(const packed_config& c) {
  return c.lanes < leaf_packs(c) ? c.lanes : leaf_packs(c);
}
PIVOTSCOPE_FN constexpr u32 leaf_entries(const packed_config& c) { return leaf_packs(c) * pack_entries; }
PIVOTSCOPE_FN constexpr u32 block_words(const packed_config& c) { return c.block / 4; }
inline constexpr u32 pinned_block = 16;  // bytes of a prefix block that can lie in scratch
// Separators of a plain block.
PIVOTSCOPE_FN constexpr u32 block_separators(const packed_config& c) { return c.block - 4; }
// A block of marks: of the words behind its header two of three have a bit for each cell of the bucket, the others two
// bits for each leaf that begins there.
PIVOTSCOPE_FN constexpr u32 cell_words(u32 block_words) { return (block_words - 1) * 2 / 3; }
PIVOTSCOPE_FN constexpr u32 cells_of(u32 block_words) { return cell_words(block_words) * 32; }
PIVOTSCOPE_FN constexpr u32 block_cells(const packed_config& c) { return cells_of(block_words(c)); }
// Leaves that can begin in the bucket of one.
PIVOTSCOPE_FN constexpr u32 marked_leaves(const packed_config& c) {
  return (block_words(c) - 1 - cell_words(block_words(c))) * 16;
}

// Do more leaves begin in most buckets than their blocks have separators?
PIVOTSCOPE_FN constexpr bool mostly_marks(const packed_config& c) { return c.fill > block_separators(c) * 15 / 2; }

}  // namespace pivotscope
