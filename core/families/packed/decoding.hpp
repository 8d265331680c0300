// What a packed index's memory says, read from outside of a search: blocks, and entries with their whole keys.
#pragma once

#include <optional>

#include "core/families/packed/directory.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

// Nothing: it is not at hand.
std::optional<prefix_block> read_block(const packed_config& config, const region_reader& read, u64 number);

// Leaves that begin in a block's bucket, as it says itself: a node does not.
std::optional<u32> leaves_told(const packed_config& config, const prefix_block& block);

// Which of the escaped leaves a leaf is: no_escape (leaf.hpp) of one that is none. Nothing: it is not at hand.
std::optional<u32> escape_of_leaf(const packed_config& config, const region_reader& read, u64 leaf);

// Entries of the leaves. False: not all that it takes is at hand.
bool packed_values(const packed_config& config, const packed_view& view, const cell_run& cells,
                   const region_reader& read, std::span<cell_value> out);

}  // namespace pivotscope
