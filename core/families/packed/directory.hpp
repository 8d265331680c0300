// directory: tells in which leaf of `packed` a key may lie. The key range is cut into buckets of equal width, each with
// a prefix block of 16 or 32 bytes. If many leaves begin in a bucket, its block leads to blocks of its own: where keys
// are skewed, the directory is deeper, but no block takes longer to scan.
//
//   plain block   | kind, first leaf | s0 s1 s2 ...      12 or 28 separators of 8 bits, ascending; 255: there is none
//   marks         | kind, first leaf | 01000001000... | q0 q1 ...
//   node          | kind, first leaf | first block | low | together, shift, blocks |
//   list          | kind, first leaf | place of their first keys | leaves | 0 |   a node's kind, without own blocks
//   run           | kind, first leaf | key (8 bytes) | leaves |
//
// First leaf: the leaf in which the bucket's first keys lie. Fraction: where in its bucket a key lies. It is what a
// product or a shift leaves over, and exact, so different keys have different fractions.
//
// - Plain: separator i is the digit of the first key of leaf first + 1 + i: the upper 8 bits of its fraction, at most
//   254. A key lies in leaf first + (separators <= its digit). If m separators equal its digit, it may lie in one of
//   the m leaves before that one.
// - Marks: one bit for each of 64 or 128 cells of the bucket, set if a leaf begins in the cell; and 2 bits for each of
//   up to 16 or 48 leaves: the quarter of its cell in which it begins. No two leaves begin in one cell. A key lies in
//   leaf first + (marks up to its cell), less one if its cell is marked and that leaf begins in a later quarter. If it
//   begins in the key's own quarter, the key may lie in the leaf before.
// - Node: bucket b of its own begins at fraction low + b * 2^shift. In its last bucket no leaf begins: there lies
//   everything beyond the others. Together: the node above left most of its leaves in this one.
// - List: the fractions of the leaves' first keys in full, side by side in `lists`. A binary search finds the last one
//   that is not greater than the key's: that is the leaf.
// - Run: all of its leaves begin with one key.
#pragma once

#include "core/common/portable.hpp"
#include "core/families/packed/config.hpp"
#include "core/families/packed/pack.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

struct packed_region {
  static constexpr region_id leaves{0}, blocks{1}, escapes{2}, plan{3}, lists{4};
};

inline constexpr u32 most_directory_levels = 30;

struct packed_view {
  u64 keys = 0, leaves = 0;
  u64 least = 0, span = 0;  // the least key, and how far the greatest is from it
  u32 multiplier = 1;       // buckets of the whole range: ((offset << shift) * multiplier) >> B
  u32 shift = 0;
  u32 row_bits = 1;
  u32 blocks = 0;                              // of the whole range: the first ones
  u32 pinned = 0;                              // of them, that lie in a block's scratch
  u32 levels = 0;                              // of the directory
  u32 level_ends[most_directory_levels] = {};  // blocks of the first level, of the first two, ...
  u64 escapes = 0;                             // leaves
  u64 listed = 0;                              // leaves in lists
  bool marks_first = false;                    // blocks of marks wherever they can be, so that lookups are of one kind
  u64 slack = 0;                               // keys are looked for in a leaf so far beyond its own
  u32 level_begin = 0, level_end = 0;
  u64 plan_tiles = 0, plan_nodes = 0, plan_owners = 0;
  u64 sums_begin = 0, sums = 0,
      sums_above = 0;         // cells of the plan that are added up, and where the sums of their groups are
  bool places_lists = false;  // what is given its place: lists, or nodes' blocks
};

enum class block_kind : u32 { plain, node, run, marks, list };

// Returns a key's distance from the least key. For a key outside the range it is that of the greatest key, so that a
// search for it ends at a leaf.
template <class Key>
PIVOTSCOPE_FN Key offset_in(const packed_view& view, Key key) {
  const Key offset = key - static_cast<Key>(view.least), span = static_cast<Key>(view.span);
  return offset < span ? offset : span;
}

// A place in a bucket: its number, and the fraction beyond its begin.
template <class Key>
struct bucket_place {
  u32 bucket;
  Key fraction;
};

// Of the whole range.
template <class Key>
PIVOTSCOPE_FN bucket_place<Key> root_place(const packed_view& view, Key offset) {
  constexpr u32 bits = sizeof(Key) * 8;
  if constexpr (bits <= 32) {
    const u64 product = u64{offset} * (u64{view.multiplier} << view.shift);  // a GPU has products beside its shifts
    return {static_cast<u32>(product >> bits), static_cast<Key>(product)};
  } else {
    const u64 at = offset << view.shift;
    const u64 low = (at & 0xFFFFFFFFu) * view.multiplier, high = (at >> 32) * view.multiplier + (low >> 32);
    return {static_cast<u32>(high >> 32), high << 32 | (low & 0xFFFFFFFFu)};
  }
}

// The 16 bits of a fraction that a block can tell: its digit, or its cell, is made of these.
template <class Key>
PIVOTSCOPE_FN u32 part_of(Key fraction) {
  constexpr u32 bits = sizeof(Key) * 8;
  if constexpr (bits < 16) {
    return static_cast<u32>(fraction) << (16 - bits);
  } else {
    return static_cast<u32>(fraction >> (bits - 16));
  }
}
PIVOTSCOPE_FN u32 digit_of(u32 part) {
  const u32 digit = part >> 8;
  return digit < 254 ? digit : 254u;
}
// Of cells' quarters, counted from the bucket's begin.
inline constexpr u32 quarters = 4;
PIVOTSCOPE_FN u32 quarter_of(u32 part, u32 block_words) { return part * (cells_of(block_words) * quarters) >> 16; }

PIVOTSCOPE_FN u32 ones_in(u32 bits) {
#if defined(__CUDACC_RTC__)
  return static_cast<u32>(__popc(bits));
#else
  return static_cast<u32>(__builtin_popcount(bits));
#endif
}

// Of where a node's buckets begin, its block has no more than the upper 32 bits.
template <class Key>
inline constexpr u32 cut_off_low = sizeof(Key) > 4 ? sizeof(Key) * 8 - 32 : 0;

// A block as it was loaded.
struct prefix_block {
  u32 words[8];

  PIVOTSCOPE_FN u32 first_leaf() const { return words[0] & 0x3FFFFFFFu; }
  PIVOTSCOPE_FN block_kind kind() const {
    const auto kind = static_cast<block_kind>(words[0] >> 30);
    return kind == block_kind::node && words[3] == 0 ? block_kind::list : kind;
  }
  PIVOTSCOPE_FN static u32 header(block_kind kind, u64 first_leaf) {
    return static_cast<u32>(kind == block_kind::list ? block_kind::node : kind) << 30 | static_cast<u32>(first_leaf);
  }

  // Returns how many separators are at most the digit. It compares all bytes of a word at once, and counts the
  // marks of all words together.
  PIVOTSCOPE_FN u32 up_to(u32 digit, u32 block_words) const {
    const u32 all = digit * 0x01010101u, high = all | 0x80808080u;
    u32 marks = 0;
    PIVOTSCOPE_UNROLL
    for (u32 i = 1; i < block_words; ++i) {
      const u32 less = high - (words[i] & 0x7F7F7F7Fu);
      marks |= (((all & ~words[i]) | (~(all ^ words[i]) & less)) & 0x80808080u) >> (i - 1);
    }
    return ones_in(marks);
  }
  PIVOTSCOPE_FN u32 equal_to(u32 digit, u32 block_words) const {
    const u32 all = digit * 0x01010101u;
    u32 marks = 0;
    PIVOTSCOPE_UNROLL
    for (u32 i = 1; i < block_words; ++i) {
      const u32 differs = words[i] ^ all;
      marks |= ~(((differs & 0x7F7F7F7Fu) + 0x7F7F7F7Fu) | differs | 0x7F7F7F7Fu) >> (i - 1);
    }
    return ones_in(marks);
  }
  // Is the last of so many separators the digit? They ascend: else none is.
  PIVOTSCOPE_FN bool ends_with(u32 separators, u32 digit, u32 block_words) const {
    const u32 last = separators - 1;
    return separators != 0 && (word_from(1, last / 4, block_words - 1) >> (8 * (last % 4)) & 0xFFu) == digit;
  }

  // Leaves that begin up to here, and whether the last of them begins in this very quarter of a cell.
  struct marked {
    u32 up_to, here;
  };
  PIVOTSCOPE_FN marked marks(u32 part, u32 block_words) const {
    const u32 quarter = quarter_of(part, block_words), cell = quarter / quarters, cells = cell_words(block_words);
    u32 up_to = 0, is_marked;
    if (cells == 2) {  // the marks up to the cell, its own at the top
      const u64 marks = (u64{words[2]} << 32 | words[1]) << (~cell & 63u);
      up_to = ones_in(static_cast<u32>(marks)) + ones_in(static_cast<u32>(marks >> 32));
      is_marked = static_cast<u32>(marks >> 63);
    } else {
      PIVOTSCOPE_UNROLL
      for (u32 i = 1; i <= cells; ++i) {
        const int counted = static_cast<int>(cell) + 1 - static_cast<int>((i - 1) * 32);  // cells of this word
        up_to += ones_in(words[i] & ~shifted_out(~0u, static_cast<u32>(counted > 0 ? counted : 0)));
      }
      is_marked = word_from(1, cell / 32, cells) >> (cell % 32) & 1;
    }
    const u32 begins = quarter_of_leaf(up_to - 1, block_words), here = quarter % quarters;
    return {up_to - (here < begins ? is_marked : 0u), here == begins ? is_marked : 0u};
  }
  // In which quarter of its cell leaf first + 1 + i begins; of any other, nothing.
  PIVOTSCOPE_FN u32 quarter_of_leaf(u32 i, u32 block_words) const {
    const u32 cells = cell_words(block_words);
    return word_from(1 + cells, i / 16, block_words - 1 - cells) >> (2 * i & 31) & (quarters - 1);
  }
  PIVOTSCOPE_FN void mark(u32 i, u32 quarter, u32 block_words) {
    const u32 cell = quarter / quarters, cells = cell_words(block_words);
    PIVOTSCOPE_UNROLL  // what is below a word's first wraps around; told by order, as in word_from
        for (u32 w = 0; w < cells; ++w) words[1 + w] |= cell - 32 * w < 32 ? 1u << (cell % 32) : 0u;
    PIVOTSCOPE_UNROLL
    for (u32 w = 0; w < block_words - 1 - cells; ++w)
      words[1 + cells + w] |= i - 16 * w < 16 ? quarter % quarters << (2 * (i % 16)) : 0u;
  }

  // Returns word `i` of the `count` words from `first` on. It selects by order: if it selected by equality, a GPU's
  // compiler would make an array in memory of the words, or twenty instructions per word.
  PIVOTSCOPE_FN u32 word_from(u32 first, u32 i, u32 count) const {
    u32 word = words[first];
    PIVOTSCOPE_UNROLL
    for (u32 w = 1; w < count; ++w) word = i >= w ? words[first + w] : word;
    return word;
  }

  // Of a node.
  PIVOTSCOPE_FN u32 first_block() const { return words[1]; }
  template <class Key>
  PIVOTSCOPE_FN Key low() const {
    return static_cast<Key>(words[2]) << cut_off_low<Key>;
  }
  PIVOTSCOPE_FN u32 bucket_shift() const { return words[3] >> 16 & 0xFFu; }
  PIVOTSCOPE_FN bool left_together() const { return words[3] >> 31 != 0; }
  PIVOTSCOPE_FN u32 buckets() const { return words[3] & 0xFFFFu; }
  // Of a list.
  PIVOTSCOPE_FN u32 first_place() const { return words[1]; }
  PIVOTSCOPE_FN u32 listed() const { return words[2]; }
  // Of a run.
  PIVOTSCOPE_FN u64 run_key() const { return u64{words[2]} << 32 | words[1]; }
  PIVOTSCOPE_FN u32 run_leaves() const { return words[3]; }
};

// Returns where a fraction that is not below `low` lies in a node's buckets. Beyond its last bucket, in which no leaf
// begins, that is the end of the bucket.
template <class Key>
PIVOTSCOPE_FN bucket_place<Key> place_in(Key low, u32 shift, u32 buckets, Key fraction) {
  constexpr u32 bits = sizeof(Key) * 8;
  const Key beyond = fraction - low, bucket = beyond >> shift;
  if (bucket >= buckets) return {buckets - 1, greatest_key<Key>()};
  return {static_cast<u32>(bucket), shift == 0 ? Key{0} : static_cast<Key>(beyond << (bits - shift))};
}

// How many of a list's fractions are smaller than this one, or no greater: at(i) is the i-th.
template <class Key, class At>
PIVOTSCOPE_FN u32 listed_below(u32 listed, Key fraction, bool or_equal, At&& at) {
  u32 begin = 0;
  while (listed > 0) {
    const u32 half = listed / 2;
    const Key seen = at(begin + half);
    if (seen < fraction || (or_equal && seen == fraction)) {
      begin += half + 1, listed -= half + 1;
    } else {
      listed = half;
    }
  }
  return begin;
}

// The leaves in which a key may lie: `leaf`, and `before` ones before it.
struct leaf_range {
  u32 leaf, before;

  PIVOTSCOPE_FN static leaf_range of_plain(const prefix_block& block, u32 digit, u32 block_words) {
    return {block.first_leaf() + block.up_to(digit, block_words), block.equal_to(digit, block_words)};
  }
  PIVOTSCOPE_FN static leaf_range of_marks(const prefix_block& block, u32 part, u32 block_words) {
    const auto marks = block.marks(part, block_words);
    return {block.first_leaf() + marks.up_to, marks.here};
  }
  PIVOTSCOPE_FN static leaf_range of_run(u32 first, u32 leaves, bool its_key) {
    return {first + leaves, its_key ? leaves : 0u};
  }
  template <class Key, class At>
  PIVOTSCOPE_FN static leaf_range of_list(u32 first, u32 listed, Key fraction, At&& at) {
    const u32 up_to = listed_below(listed, fraction, true, at);
    return {first + up_to, up_to - listed_below(up_to, fraction, false, at)};
  }
  PIVOTSCOPE_FN static leaf_range only(u32 leaf) { return {leaf, 0}; }
};

// The last of these leaves, and whether there are others: as much as a lookup needs that ends at its key.
struct last_leaf {
  u32 leaf, doubtful;

  PIVOTSCOPE_FN static last_leaf of_plain(const prefix_block& block, u32 digit, u32 block_words) {
    const u32 separators = block.up_to(digit, block_words);
    return {block.first_leaf() + separators, block.ends_with(separators, digit, block_words) ? 1u : 0u};
  }
  PIVOTSCOPE_FN static last_leaf of_marks(const prefix_block& block, u32 part, u32 block_words) {
    const auto marks = block.marks(part, block_words);
    return {block.first_leaf() + marks.up_to, marks.here};
  }
  PIVOTSCOPE_FN static last_leaf of_run(u32 first, u32 leaves, bool) { return {first + leaves, 0}; }
  template <class Key, class At>
  PIVOTSCOPE_FN static last_leaf of_list(u32 first, u32 listed, Key fraction, At&& at) {
    return {first + listed_below(listed, fraction, true, at), 0};
  }
  PIVOTSCOPE_FN static last_leaf only(u32 leaf) { return {leaf, 0}; }
};

// Goes down the directory from a block of the whole range and the place in its bucket. load(level, block) returns a
// prefix block of a lower level, listed(place) what lies in `lists`. One thread does it. Where most blocks are
// marks, they are tried first.
template <class Leaves, class Key, class Load, class Listed>
PIVOTSCOPE_FN Leaves leaves_of(u32 block_words, bool mostly_marks, bucket_place<Key> at, prefix_block block,
                               Load&& load, Listed&& listed) {
  for (u32 level = 1;; ++level) {
    const u32 first = block.first_leaf();
    const u32 part = part_of(at.fraction);
    if (mostly_marks && block.kind() == block_kind::marks) return Leaves::of_marks(block, part, block_words);
    if (block.kind() == block_kind::plain) return Leaves::of_plain(block, digit_of(part), block_words);
    if (block.kind() == block_kind::marks) return Leaves::of_marks(block, part, block_words);
    if (block.kind() == block_kind::run) {
      const u64 key = block.run_key();
      if (at.fraction < key) return Leaves::only(first);
      return Leaves::of_run(first, block.run_leaves(), at.fraction == key);
    }
    if (block.kind() == block_kind::list)
      return Leaves::of_list(first, block.listed(), at.fraction,
                             [&](u32 i) { return listed(block.first_place() + i); });
    const Key low = block.low<Key>();
    if (at.fraction < low) return Leaves::only(first);
    at = place_in(low, block.bucket_shift(), block.buckets(), at.fraction);
    block = load(level, block.first_block() + at.bucket);
  }
}

}  // namespace pivotscope
