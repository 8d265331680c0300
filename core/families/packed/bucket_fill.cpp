// The buckets of a packed index's key range, and how full they are: what packed_model says of its parts.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/families/packed/decoding.hpp"
#include "core/families/packed/pack.hpp"
#include "core/families/packed/packed_model.hpp"

namespace pivotscope {
namespace {

__extension__ using wide = unsigned __int128;

// The least offset that lies in a bucket or beyond it; it may be beyond the span.
wide first_offset_in(const packed_config& config, const packed_view& view, u64 bucket) {
  const u32 bits = key_bytes(config.keys) * 8;
  const wide product = wide{bucket} << bits;
  const wide shifted = (product + view.multiplier - 1) / view.multiplier;
  return (shifted + ((wide{1} << view.shift) - 1)) >> view.shift;
}

// In fill_parts: from the simplest on.
u32 part_kind_of(block_kind kind) {
  switch (kind) {
    case block_kind::plain:
      return 0;
    case block_kind::marks:
      return 1;
    case block_kind::node:
      return 2;
    case block_kind::list:
      return 3;
    case block_kind::run:
      break;
  }
  return 4;
}

std::optional<bool> is_escaped(const packed_config& config, const region_reader& read, u64 leaf) {
  const u32 word = key_bytes(config.keys);
  std::byte last[8];  // the top byte of a pack's last word
  if (!read(packed_region::leaves, leaf * leaf_bytes(config) + 3 * word, std::span(last).first(word)))
    return std::nullopt;
  return (last[word - 1] & std::byte{0x80}) != std::byte{0};
}

}  // namespace

std::optional<fill_parts> packed_model::fill() const {
  if (view_.keys == 0) return std::nullopt;
  fill_parts parts;
  parts.name = "bucket";
  parts.room = view_.marks_first ? marked_leaves(config_) : block_separators(config_);
  parts.meaning = fmt::format(
      "The range of the keys is cut into buckets of equal width, and a key's bucket follows from a product. Of each "
      "bucket a prefix block "
      "says which leaves begin in it: {} are wanted on average (fill={}), {} have room.",
      fmt::format("{}.{}", config_.fill / 10, config_.fill % 10), config_.fill, parts.room);
  parts.unit = "leaf", parts.units = "leaves";
  parts.count = view_.blocks;
  parts.region = packed_region::blocks;
  parts.beyond = view_.marks_first ? "a node, a list or a run" : "marks, a node, a list or a run";
  parts.kinds = {
      {"plain", "Its block parts its leaves by 8 bits of their first keys: a separator each."},
      {"marks",
       "More leaves begin in it than a block has separators, no two of them in one cell: its block has a mark for "
       "each cell in which one does."},
      {"node", "Two of its many leaves begin too near each other: its block leads to blocks of narrower buckets."},
      {"list", "Its leaves begin too near each other: their first keys are listed in full."},
      {"run", "Its leaves all begin with one key, which occurs that often."}};
  return parts;
}

// From each bucket's first leaf to the next one's.
bool packed_model::fills_of(u64 first, const region_reader& read, std::span<part_fill> out) const {
  if (out.empty()) return true;
  std::vector<std::byte> bytes(out.size() * config_.block);
  if (!read(packed_region::blocks, first * config_.block, bytes)) return false;
  const auto block_at = [&](u64 i) {
    prefix_block block{};
    std::memcpy(block.words, bytes.data() + i * config_.block, config_.block);
    return block;
  };
  for (u64 i = 0; i < out.size(); ++i) {
    const prefix_block block = block_at(i);
    u64 end = view_.leaves - 1;
    if (i + 1 < out.size()) {
      end = block_at(i + 1).first_leaf();
    } else if (const auto told = leaves_told(config_, block)) {  // the next one may lie in another page
      end = block.first_leaf() + *told;
    } else if (first + i + 1 < view_.blocks) {
      const std::optional<prefix_block> next = read_block(config_, read, first + i + 1);
      if (!next) return false;
      end = next->first_leaf();
    }
    out[i] = {static_cast<u32>(end - block.first_leaf()), part_kind_of(block.kind())};
  }
  return true;
}

std::optional<u64> packed_model::part_of(u64 key, const region_reader&) const {
  if (view_.keys == 0 || key < view_.least || key - view_.least > view_.span) return std::nullopt;
  const u64 offset = key - view_.least;
  return config_.keys == key_width::u32 ? root_place(view_, static_cast<u32>(offset)).bucket
                                        : root_place(view_, offset).bucket;
}

std::optional<key_span> packed_model::keys_of_part(u64 part) const {
  const wide first = first_offset_in(config_, view_, part), end = first_offset_in(config_, view_, part + 1);
  const wide behind = std::min(end, wide{view_.span} + 1);
  if (first >= behind) return std::nullopt;  // of fewer values than there are buckets, some have none
  return key_span{view_.least + static_cast<u64>(first), view_.least + static_cast<u64>(behind - 1)};
}

std::string packed_model::part_words(u64 part, const region_reader& read) const {
  const std::optional<prefix_block> block = read_block(config_, read, part);
  part_fill fill;
  if (!block || !fills_of(part, read, {&fill, 1})) return {};
  const u64 first = block->first_leaf();
  std::string words = fmt::format("Prefix block {}: its first keys are in leaf {}", part, first);
  switch (block->kind()) {
    case block_kind::plain:
    case block_kind::marks:
      words += fill.filled == 0 ? std::string(", and no other begins here.")
                                : fmt::format(", and leaves {} to {} begin here.", first + 1, first + fill.filled);
      break;
    case block_kind::node:
      words += fmt::format("; where the others begin is cut into {} buckets, with blocks {} to {}.", block->buckets(),
                           block->first_block(), block->first_block() + block->buckets() - 1);
      break;
    case block_kind::list:
      words += fmt::format("; the first keys of {} more are listed.", block->listed());
      break;
    case block_kind::run:
      words += fmt::format("; {} more begin with one key.", block->run_leaves());
      break;
  }
  u64 escaped = 0;
  for (u64 leaf = first; leaf <= first + fill.filled && leaf <= first + block_cells(config_); ++leaf) {
    const auto one = is_escaped(config_, read, leaf);
    if (!one) return words;
    escaped += *one;
  }
  if (escaped > 0)
    words +=
        fmt::format(" {} of these leaves {} escaped: the keys are far apart.", escaped, escaped == 1 ? "is" : "are");
  return words;
}

}  // namespace pivotscope
