// The knobs of `btree` as its algorithms read them.
#pragma once

#include "core/config/index_config.hpp"
#include "core/index/row_cells.hpp"

namespace pivotscope {

// Cells, the link's among them. A node that is split on the way down, before it has to be, needs four pairs or more: of
// three one half would have one, and a level hardly fewer nodes than the one below.
inline constexpr u32 least_node = 8, most_node = 32;
inline constexpr u32 least_fill = 50, most_fill = 100;

// How a batch of writes is done: one by one, each with latches of its own; or sorted and as a whole.
enum class write_batches : u8 { latched, combined };

// What an insert does that finds a leaf's latch, or a full node's, taken (gpu-btree, Section 3.5): begins again from the
// root; tries again and again; or pauses between, longer each time.
enum class latch_wait : u8 { restart, spin, backoff };
// Whether writers order what they store. Without it readers of a GPU may see a node before its content.
enum class fence_use : u8 { on, none };
// Whether a find that comes to a node left of its key's goes on by the node's link. It does so beside splits alone.
enum class link_use : u8 { on, none };
// Which latches a write takes: those of the nodes that it changes; or, as trees without links do, each node's on its way,
// before it lets go of the parent's (gpu-btree, Section 5.1: the baseline).
enum class latch_use : u8 { changed, coupled };
// Whether the way down beside writers may read inner nodes through L1, where they may be old.
enum class l1_use : u8 { bypassed, inner };
// Where the operations of a batch begin: at their leaves, which the batch looks for beforehand, as lookups do; or each at
// the root, as in the paper.
enum class look_use : u8 { each, ahead };

inline constexpr family_id btree_id = family_named("btree");

struct btree_config {
  key_width keys = key_width::u32;
  u32 lanes = 4;  // that read a node together, 1 to 32, a power of two
  u32 node = 16;  // cells of a node, a power of two; 1 to 8 a lane. The last one is the link
  u32 fill = 70;  // pairs of a hundred that the build puts into a node, 50 to 100
  cell_layout layout = cell_layout::aos;
  write_batches batch = write_batches::latched;
  latch_wait wait = latch_wait::restart;
  fence_use fences = fence_use::on;
  link_use links = link_use::on;
  latch_use latches = latch_use::changed;
  l1_use l1 = l1_use::inner;
  kept_duplicates duplicates = kept_duplicates::off;
  look_use look = look_use::ahead;
  u32 scratch = 0;  // bytes of a block's scratch that the first inner nodes lie in, for reads alone
  launch_config launch = {};

  constexpr bool operator==(const btree_config&) const = default;
  PIVOTSCOPE_FN static constexpr btree_config of(const index_config& c) {
    return {c.keys,
            c.knobs[0],
            c.knobs[1],
            c.knobs[2],
            static_cast<cell_layout>(c.knobs[3]),
            static_cast<write_batches>(c.knobs[4]),
            static_cast<latch_wait>(c.knobs[5]),
            static_cast<fence_use>(c.knobs[6]),
            static_cast<link_use>(c.knobs[7]),
            static_cast<latch_use>(c.knobs[8]),
            static_cast<l1_use>(c.knobs[9]),
            static_cast<kept_duplicates>(c.knobs[10]),
            static_cast<look_use>(c.knobs[11]),
            c.knobs[12],
            c.launch};
  }
  PIVOTSCOPE_FN constexpr operator index_config() const {
    return {btree_id,
            keys,
            launch,
            {lanes, node, fill, static_cast<u32>(layout), static_cast<u32>(batch), static_cast<u32>(wait),
             static_cast<u32>(fences), static_cast<u32>(links), static_cast<u32>(latches), static_cast<u32>(l1),
             static_cast<u32>(duplicates), static_cast<u32>(look), scratch}};
  }
};

PIVOTSCOPE_FN constexpr bool keeps_all(const btree_config& c) { return c.duplicates == kept_duplicates::on; }

// What row_cells asks of them.
PIVOTSCOPE_FN constexpr u32 node_cells(const btree_config& c) { return c.node; }
PIVOTSCOPE_FN constexpr u32 node_slots(const btree_config& c) { return c.node - 1; }
PIVOTSCOPE_FN constexpr bool reuses_erased(const btree_config&) { return true; }

// Pairs that stay in a node that is split: with the new one as many as move, or one more. At least two move, so the
// separator is never the greatest key.
PIVOTSCOPE_FN constexpr u32 kept_by_split(const btree_config& c) { return (node_slots(c) + 1) / 2; }

}  // namespace pivotscope
