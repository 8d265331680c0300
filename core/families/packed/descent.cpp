#include "core/families/packed/descent.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/families/packed/decoding.hpp"

namespace pivotscope {
namespace {

template <class Key>
class descending {
 public:
  descending(const packed_config& config, const packed_view& view, const region_reader& read)
      : config_(config), view_(view), read_(read) {
    way_.buckets = view.blocks;
  }

  directory_descent to(u64 key) {
    bucket_place<Key> at = root_place(view_, offset_in(view_, static_cast<Key>(key)));
    u32 last_leaf = 0;
    if (!first_leaf_of(u64{at.bucket} + 1, view_.blocks, static_cast<u32>(view_.leaves - 1), last_leaf)) return way_;
    for (u64 number = at.bucket;;) {
      const auto block = read_block(config_, read_, number);
      if (!block) return way_;
      way_.blocks.push_back({.number = number, .bucket = at.bucket, .block = *block, .last_leaf = last_leaf});
      block_on_way& here = way_.blocks.back();
      if (block->kind() == block_kind::plain) return end_at_plain(here, at.fraction);
      if (block->kind() == block_kind::marks) return end_at_marks(here, at.fraction);
      if (block->kind() == block_kind::run) return end_at_run(here, at.fraction);
      if (block->kind() == block_kind::list) return end_at_list(here, at.fraction);
      const Key low = block->template low<Key>();
      here.beside = at.fraction < low ? -1 : 1;
      if (here.beside < 0) return end(leaf_range::only(block->first_leaf()));
      at = place_in(low, block->bucket_shift(), block->buckets(), at.fraction);
      number = u64{block->first_block()} + at.bucket;
      if (!first_leaf_of(number + 1, u64{block->first_block()} + block->buckets(), last_leaf, last_leaf)) return way_;
    }
  }

 private:
  // Of a block, or where there is none of that number, `beyond`.
  bool first_leaf_of(u64 number, u64 end, u32 beyond, u32& out) const {
    out = beyond;
    if (number >= end) return true;
    const auto block = read_block(config_, read_, number);
    if (block) out = block->first_leaf();
    return block.has_value();
  }
  directory_descent end_at_plain(block_on_way& here, Key fraction) {
    const u32 words = block_words(config_);
    here.separators = *leaves_told(config_, here.block);
    here.digit = digit_of(part_of(fraction));
    here.up_to = here.block.up_to(here.digit, words);
    return end(leaf_range::of_plain(here.block, here.digit, words));
  }
  directory_descent end_at_marks(block_on_way& here, Key fraction) {
    const u32 words = block_words(config_);
    here.cells = block_cells(config_);
    here.separators = *leaves_told(config_, here.block);
    const u32 part = part_of(fraction), quarter = quarter_of(part, words);
    here.digit = quarter / quarters;
    const auto marks = here.block.marks(part, words), of_cell = here.block.marks(last_part_of_cell(here.digit), words);
    here.up_to = marks.up_to;
    if ((here.block.words[1 + here.digit / 32] >> (here.digit % 32) & 1) != 0) {
      const u32 begin = here.block.quarter_of_leaf(of_cell.up_to - 1, words);
      here.begins = begin < quarter % quarters ? -1 : begin > quarter % quarters ? 1 : 0;
    }
    return end(leaf_range::of_marks(here.block, part, words));
  }
  u32 last_part_of_cell(u32 cell) const { return ((cell + 1) << 16) / block_cells(config_) - 1; }
  directory_descent end_at_list(block_on_way& here, Key fraction) {
    bool all_read = true;
    here.separators = here.block.listed();
    const leaf_range leaves = leaf_range::of_list(here.block.first_leaf(), here.separators, fraction, [&](u32 i) {
      Key seen{};
      all_read = read_(packed_region::lists, (u64{here.block.first_place()} + i) * sizeof(Key),
                       std::as_writable_bytes(std::span(&seen, 1))) &&
                 all_read;
      return seen;
    });
    here.up_to = leaves.leaf - here.block.first_leaf();
    return all_read ? end(leaves) : way_;
  }
  directory_descent end_at_run(block_on_way& here, Key fraction) {
    const u64 key = here.block.run_key();
    here.beside = fraction < key ? -1 : fraction > key ? 1 : 0;
    if (here.beside < 0) return end(leaf_range::only(here.block.first_leaf()));
    return end(leaf_range::of_run(here.block.first_leaf(), here.block.run_leaves(), here.beside == 0));
  }
  directory_descent end(leaf_range leaves) {
    way_.leaves = leaves, way_.whole = true;
    return way_;
  }

  const packed_config& config_;
  const packed_view& view_;
  const region_reader& read_;
  directory_descent way_;
};

std::string counted_leaves(u32 n) { return fmt::format("{} lea{}", n, n == 1 ? "f" : "ves"); }

std::string plain_words(const block_on_way& at, const leaf_range& leaves) {
  const u32 first = at.block.first_leaf();
  if (at.separators == 0) return fmt::format("No other leaf begins in it, so it is leaf {}.", first);
  const std::string more = at.separators == 1 ? "One more begins" : fmt::format("{} more begin", at.separators);
  if (at.cells > 0) {
    const std::string marks = at.up_to == 0   ? "no mark is"
                              : at.up_to == 1 ? "one mark is"
                                              : fmt::format("{} marks are", at.up_to);
    const char* const in_cell = at.begins == 1    ? ", as the one in it begins in a later quarter of it than the key's"
                                : at.begins == -1 ? ", the last in an earlier quarter of it than the key's"
                                                  : "";
    return fmt::format(
        "{} in it. It has {} cells, with a mark where one begins. The key's cell is {}: {} up to the key{}, so it is "
        "leaf {}{}.",
        more, at.cells, at.digit, marks, in_cell, at.up_to == 0 ? "" : fmt::format("{} + {} = ", first, at.up_to),
        leaves.leaf);
  }
  if (at.up_to == 0)
    return fmt::format("{} in it. The key's digit is {}, and no separator is so small: it is leaf {}.", more, at.digit,
                       first);
  return fmt::format("{} in it. The key's digit is {}: {} separator{} no greater, so it is leaf {} + {} = {}.", more,
                     at.digit,
                     at.up_to != at.separators ? fmt::format("{} of {}", at.up_to, at.separators)
                     : at.up_to == 1           ? "the one"
                                               : fmt::format("all {}", at.up_to),
                     at.separators == 1 ? " is"
                     : at.up_to == 1    ? "s is"
                                        : "s are",
                     first, at.up_to, leaves.leaf);
}

bool parts_leaves(const block_on_way& at) {
  return at.block.kind() == block_kind::plain || at.block.kind() == block_kind::marks;
}

}  // namespace

directory_descent descend(const packed_config& config, const packed_view& view, u64 key, const region_reader& read) {
  if (view.keys == 0) return {};
  return config.keys == key_width::u32 ? descending<u32>(config, view, read).to(key)
                                       : descending<u64>(config, view, read).to(key);
}

std::string decision_words(const block_on_way& at, const leaf_range& leaves, const block_on_way* to) {
  const u32 first = at.block.first_leaf();
  switch (at.block.kind()) {
    case block_kind::plain:
    case block_kind::marks:
      return plain_words(at, leaves);
    case block_kind::node:
      if (!to)
        return fmt::format("{} begin in the bucket, but the key lies before the first of them: it is leaf {}.",
                           counted_leaves(at.begin_here()), first);
      return fmt::format(
          "{} begin in the bucket, too many for the block to part: it is a node, and where they begin is cut into {} "
          "narrower buckets. The key lies {}, which is block {}.",
          counted_leaves(at.begin_here()), at.block.buckets() - 1,
          to->bucket + 1 == at.block.buckets() ? "beyond these, in a last one where no leaf begins"
                                               : fmt::format("in number {} of these", to->bucket),
          to->number);
    case block_kind::list:
      return fmt::format(
          "{} begin in the bucket, too near each other: it is a list of their first keys. {} no greater than the key, "
          "so "
          "it is leaf {}.",
          counted_leaves(at.separators),
          at.up_to == 0   ? "None of them is"
          : at.up_to == 1 ? "One of them is"
                          : fmt::format("{} of them are", at.up_to),
          leaves.leaf);
    case block_kind::run:
      return fmt::format("{} begin in the bucket, all with one key: it is a run. The key is {}, so it is leaf {}.",
                         counted_leaves(at.block.run_leaves()),
                         at.beside < 0    ? "smaller than that"
                         : at.beside == 0 ? "that very one, which the last of them has"
                                          : "greater",
                         leaves.leaf);
  }
  return {};
}

std::string decision_in_brief(const block_on_way& at, const leaf_range& leaves, const block_on_way* to) {
  if (to) return fmt::format("node: block {}", to->number);
  if (at.block.kind() == block_kind::list)
    return fmt::format("{} of {} listed \u2264 key: leaf {}", at.up_to, at.separators, leaves.leaf);
  const char* const kind = at.block.kind() == block_kind::run    ? "run: "
                           : at.block.kind() == block_kind::node ? "node: "
                                                                 : "";
  if (*kind != '\0' || at.separators == 0) return fmt::format("{}leaf {}", kind, leaves.leaf);
  return fmt::format("{} of {} \u2264 {}{}: leaf {}", at.up_to, at.separators, at.cells > 0 ? "cell " : "", at.digit,
                     leaves.leaf);
}

std::string parted_by(const block_on_way& at) {
  return at.cells > 0 ? "mark in the key's own quarter of a cell" : "separator with the key's own digit";
}

std::string certainty_words(const block_on_way& at) {
  if (!parts_leaves(at)) return "it lies nowhere else";
  return fmt::format("there is no {}: it lies nowhere else", parted_by(at));
}

std::string doubt_words(const block_on_way& at, const leaf_range& leaves) {
  if (!parts_leaves(at) || leaves.before == 0) return {};
  if (leaves.before > 1)
    return fmt::format("{} separators have the key's own digit, {}: the key may lie up to {} leaves earlier.",
                       leaves.before, at.digit, leaves.before);
  return fmt::format(
      "{} {}: leaf {} begins among such keys, and the key may lie one leaf earlier.",
      at.cells > 0 ? "There is a mark in the key's own quarter of cell" : "A separator has the key's own digit,",
      at.digit, leaves.leaf);
}

}  // namespace pivotscope
