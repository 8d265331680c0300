// A lookup's way down the directory, read from outside of a search: what each block on it decides, and why.
#pragma once

#include <string>
#include <vector>

#include "core/families/packed/directory.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

// A block on the way, and where in its bucket the key lies.
inline constexpr int no_mark = 2;
struct block_on_way {
  u64 number = 0;
  u32 bucket = 0;  // of the range's, or of the node's above
  prefix_block block = {};
  u32 last_leaf = 0;   // that begins in the bucket; the first one where none does
  u32 separators = 0;  // of a plain block; or marks, or leaves of a list
  u32 digit = 0;       // the key's, in this bucket; or its cell
  u32 cells = 0;       // of a block of marks, else 0
  // Where the leaf begins that is marked in the key's cell: in an earlier quarter of the cell than the key's (-1), in
  // the same one (0) or in a later one (1).
  int begins = no_mark;
  u32 up_to = 0;   // separators, keys of a list or marked leaves that are no greater
  int beside = 0;  // of a node or a run: the key against its first key. -1: less, 0: equal, 1: greater
  u32 begin_here() const { return last_leaf - block.first_leaf(); }  // leaves
};

struct directory_descent {
  std::vector<block_on_way> blocks;  // from the root on
  leaf_range leaves = {};            // to which they lead
  u32 buckets = 0;                   // of the whole range
  bool whole = false;                // all of it could be read
};

// Of a key in the index's range, or the nearest that is.
directory_descent descend(const packed_config& config, const packed_view& view, u64 key, const region_reader& read);

// What a block decides, as a sentence or two; `to`: the block that follows, if one does.
std::string decision_words(const block_on_way& at, const leaf_range& leaves, const block_on_way* to);
std::string decision_in_brief(const block_on_way& at, const leaf_range& leaves, const block_on_way* to);
// What parts leaves there and has the key's own place: "separator with the key's own digit".
std::string parted_by(const block_on_way& at);
// Why the key can lie in no leaf before the one that a block leads to.
std::string certainty_words(const block_on_way& at);
// Why the key may lie before the leaf that a block leads to. Empty: it cannot.
std::string doubt_words(const block_on_way& at, const leaf_range& leaves);

}  // namespace pivotscope
