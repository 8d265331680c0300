#include "core/families/packed/decoding.hpp"

#include <cstring>

#include "core/families/packed/leaf.hpp"
#include "core/families/packed/pack.hpp"
#include "core/index/entry_cell.hpp"

namespace pivotscope {
namespace {

__extension__ using wide = unsigned __int128;

template <class T>
std::optional<T> read_at(const region_reader& read, region_id region, u64 byte) {
  T value;
  if (!read(region, byte, std::as_writable_bytes(std::span(&value, 1)))) return std::nullopt;
  return value;
}

template <class Key>
class leaf_decoder {
 public:
  leaf_decoder(const packed_config& config, const packed_view& view, const region_reader& read)
      : config_(config), view_(view), read_(read) {}

  std::optional<cell_value> entry(u64 rank) {
    if (rank >= view_.keys) return cell_value{u64{greatest_key<Key>()}, not_found};
    if (!enter(rank / leaf_entries(config_))) return std::nullopt;
    const auto seen = read_at<pack<Key>>(read_, packed_region::leaves, rank / pack_entries * sizeof(pack<Key>));
    if (!seen) return std::nullopt;
    if (!seen->escaped()) {
      const u32 i = static_cast<u32>(rank % pack_entries);
      const Key offset = seen->offset(i, near_, view_.row_bits);
      return cell_value{static_cast<Key>(view_.least + offset), seen->row(i, view_.row_bits)};
    }
    const auto first = read_at<pack<Key>>(read_, packed_region::leaves, leaf_ * leaf_bytes(config_));
    if (!first) return std::nullopt;
    const u64 cell =
        u64{static_cast<u32>(first->words[0])} * (leaf_entries(config_) + 1) + rank % leaf_entries(config_);
    const auto full = read_at<entry_cell<Key>>(read_, packed_region::escapes, cell * sizeof(entry_cell<Key>));
    if (!full) return std::nullopt;
    return cell_value{u64{full->key}, full->row};
  }

 private:
  static constexpr u32 bits = sizeof(Key) * 8;

  // Finds an offset that is near the leaf's: its separator's, but for the bits that are cut off.
  bool enter(u64 leaf) {
    if (entered_ && leaf == leaf_) return true;
    entered_ = false, leaf_ = leaf;
    near_ = 0;
    if (leaf > 0) {
      const auto number = last_before(0, view_.blocks);
      const auto fraction = number ? fraction_in(*number) : std::nullopt;
      if (!fraction) return false;
      // The least offset that comes to lie so far: what the product's digits say, divided by the multiplier.
      const wide product = (wide{*number} << bits) | *fraction;
      near_ = static_cast<Key>((product / view_.multiplier) >> view_.shift);
    }
    return entered_ = true;
  }
  // Of blocks side by side that are in order the last with a first leaf before the one that is looked for: it begins in its
  // bucket.
  std::optional<u64> last_before(u64 begin, u64 end) {
    while (end - begin > 1) {
      const u64 middle = begin + (end - begin) / 2;
      const auto header = read_at<u32>(read_, packed_region::blocks, middle * config_.block);
      if (!header) return std::nullopt;
      ((*header & 0x3FFFFFFFu) < leaf_ ? begin : end) = middle;
    }
    return begin;
  }
  // Where in the bucket of a block the leaf begins.
  std::optional<Key> fraction_in(u64 number) {
    const auto block = read_block(config_, read_, number);
    if (!block) return std::nullopt;
    switch (block->kind()) {
      case block_kind::plain: {
        const auto separator = static_cast<u32>(leaf_ - block->first_leaf() - 1);
        const u32 digit = block->words[1 + separator / 4] >> (8 * (separator % 4)) & 0xFF;
        return static_cast<Key>(digit) << (bits - 8);
      }
      case block_kind::marks:
        return static_cast<Key>(part_of_quarter(*block)) << (bits - 16);
      case block_kind::run:
        return static_cast<Key>(block->run_key());
      case block_kind::list:
        return read_at<Key>(read_, packed_region::lists,
                            (u64{block->first_place()} + leaf_ - block->first_leaf() - 1) * sizeof(Key));
      case block_kind::node:
        break;
    }
    const auto child = last_before(block->first_block(), u64{block->first_block()} + block->buckets());
    const auto within = child ? fraction_in(*child) : std::nullopt;
    if (!within) return std::nullopt;
    const u32 shift = block->bucket_shift();
    const Key bucket = static_cast<Key>(*child - block->first_block());
    const Key beyond = (bucket << shift) | (shift == 0 ? Key{0} : *within >> (bits - shift));
    return static_cast<Key>(block->low<Key>() + beyond);
  }

  // The least part that lies in the quarter of a cell where the leaf begins.
  u32 part_of_quarter(const prefix_block& block) const {
    const u32 words = block_words(config_), leaf = static_cast<u32>(leaf_ - block.first_leaf() - 1);
    u32 cell = 0;
    for (u32 marks = 0; cell + 1 < cells_of(words); ++cell) {
      marks += block.words[1 + cell / 32] >> (cell % 32) & 1;
      if (marks > leaf) break;
    }
    return ((cell * quarters + block.quarter_of_leaf(leaf, words)) << 16) / (cells_of(words) * quarters);
  }

  const packed_config& config_;
  const packed_view& view_;
  const region_reader& read_;
  bool entered_ = false;
  u64 leaf_ = 0;
  Key near_ = 0;
};

template <class Key>
bool values(const packed_config& config, const packed_view& view, const cell_run& cells, const region_reader& read,
            std::span<cell_value> out) {
  leaf_decoder<Key> decoder(config, view, read);
  for (u64 i = 0; i < cells.count; ++i) {
    const auto value = decoder.entry(cells.first + i);
    if (!value) return false;
    out[i] = *value;
  }
  return true;
}

}  // namespace

std::optional<prefix_block> read_block(const packed_config& config, const region_reader& read, u64 number) {
  prefix_block block{};
  const auto bytes = std::as_writable_bytes(std::span(block.words)).first(config.block);
  if (!read(packed_region::blocks, number * config.block, bytes)) return std::nullopt;
  return block;
}

std::optional<u32> leaves_told(const packed_config& config, const prefix_block& block) {
  switch (block.kind()) {
    case block_kind::plain:
      return block.up_to(254, block_words(config));
    case block_kind::marks:
      return block.marks(0xFFFF, block_words(config)).up_to;
    case block_kind::run:
      return block.run_leaves();
    case block_kind::list:
      return block.listed();
    case block_kind::node:
      break;
  }
  return std::nullopt;
}

std::optional<u32> escape_of_leaf(const packed_config& config, const region_reader& read, u64 leaf) {
  const auto number = [&]<class Key>(Key) -> std::optional<u32> {
    const auto first = read_at<pack<Key>>(read, packed_region::leaves, leaf * leaf_bytes(config));
    if (!first) return std::nullopt;
    return first->escaped() ? static_cast<u32>(first->words[0]) : no_escape;
  };
  return config.keys == key_width::u32 ? number(u32{}) : number(u64{});
}

bool packed_values(const packed_config& config, const packed_view& view, const cell_run& cells,
                   const region_reader& read, std::span<cell_value> out) {
  return config.keys == key_width::u32 ? values<u32>(config, view, cells, read, out)
                                       : values<u64>(config, view, cells, read, out);
}

}  // namespace pivotscope
