// The cell index: which bucket a key's is. A hash of the key leads to a cell; the cell's value, with another hash, to one of its
// virtual buckets; and that to a bucket.
//
//   key   -> cell i            a hash
//   cell  =  {mapping, offset}  of 8 or 16 bits; 0 at first
//   key, mapping -> j          a hash, of the R virtual buckets
//   i, (j + offset) mod R, mapping -> bucket      a hash
//
// So another offset puts the keys of a cell into the same R buckets in another way, another mapping into R other buckets. All
// hashes are MurmurHash3's fmix32 (64-bit keys: its fmix64 first).
#pragma once

#include "core/common/key_hash.hpp"
#include "core/families/gph/config.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

struct gph_region {
  static constexpr region_id entries{0}, cells{1}, moves{2}, latches{3}, counters{4}, rows{5};
};
// The cells of the region `counters`, which a batch adds to.
inline constexpr u32 counter_spilled = 0;  // slots of the spill that are taken
inline constexpr u32 counter_refused = 1;  // inserts that found no room
inline constexpr u32 counter_emptied = 2;  // erased slots that were emptied, or got another entry
inline constexpr u32 gph_counters = 3;

struct gph_view {
  u64 live = 0, used = 0;      // slots with a live entry; slots with a live or an erased one
  u32 buckets = 1, spill = 1;  // buckets; and those behind them, for keys that no value of their cell has room for
  u32 cells = 1;               // of the index
  u32 words = 1;               // of it
  u32 moves = 1, latches = 1;  // words of these regions, powers of two
  u32 pinned = 0, first_pinned = 0;  // words of the cell index that lie in a block's scratch, and the first of them
  u32 seed = 0;                      // of the hash functions
  u32 spilled = 0, refused = 0, emptied = 0;  // what the counters were
  u32 refines = 0;                            // 1: inserts are in their second phase
  u64 items = 0;                              // of the pass that is under way
  u32 rehashed = 0;                           // for the batch that is under way
};

// What of a key decides where it lies.
struct key_place {
  u32 cell;
  u32 own;  // tells the keys of a cell apart
};
PIVOTSCOPE_FN constexpr u32 of_range(u32 hash, u32 count) { return static_cast<u32>((u64{hash} * count) >> 32); }
PIVOTSCOPE_FN constexpr key_place place_of(u32 key, const gph_view& table) {
  const u32 hash = mixed(key, table.seed);
  return {of_range(hash, table.cells), hash};
}
PIVOTSCOPE_FN constexpr key_place place_of(u64 key, const gph_view& table) {
  const u64 hash = mixed(key, table.seed);
  return {of_range(static_cast<u32>(hash >> 32), table.cells), static_cast<u32>(hash)};
}
// Which of the cell's virtual buckets is a key's, 0 to R - 1.
PIVOTSCOPE_FN constexpr u32 virtual_of(u32 own, u32 mapping, u32 virtuals) {
  return hash_of(own + (mapping + 1) * 0x9E3779B9u) & (virtuals - 1);
}
// The bucket at a place among a cell's: (virtual bucket + offset) mod R. Two places of a cell may be one bucket.
PIVOTSCOPE_FN constexpr u32 bucket_at(u32 cell, u32 place, u32 mapping, u32 virtuals, const gph_view& table) {
  return of_range(hash_of(cell * 0x9E3779B1u + (mapping * virtuals + place) * 0x85EBCA77u + 0x27D4EB2Fu),
                  table.buckets);
}
// Where the search for a spilled key begins: a bucket of the spill, whose numbers count on from the table's.
PIVOTSCOPE_FN constexpr u32 spill_of(u32 own, const gph_view& table) {
  return table.buckets + of_range(hash_of(own ^ 0x5BD1E995u), table.spill);
}

// A cell's value, taken apart.
struct cell_says {
  u32 mapping, offset;
};
PIVOTSCOPE_FN constexpr cell_says parts_of(u32 value, const gph_config& c) {
  return {value / c.virtuals, value & (c.virtuals - 1)};
}
PIVOTSCOPE_FN constexpr u32 home_of(const key_place& at, u32 value, const gph_config& c, const gph_view& table) {
  if (!is_perfect(c)) return of_range(hash_of(at.own), table.buckets);
  const cell_says says = parts_of(value, c);
  const u32 place = (virtual_of(at.own, says.mapping, c.virtuals) + says.offset) & (c.virtuals - 1);
  return bucket_at(at.cell, place, says.mapping, c.virtuals, table);
}
PIVOTSCOPE_FN constexpr bool some_spilled(u32 value, const gph_config& c) {
  return value / c.virtuals == spilled_mapping(c);
}

// Cells of the index lie side by side in words.
PIVOTSCOPE_FN constexpr u32 value_in(u32 word, u32 cell, const gph_config& c) {
  return word >> (cell % cells_a_word(c) * c.bits) & ((1u << c.bits) - 1);
}
// Which part of the index a cell is in, of a config that routes.
PIVOTSCOPE_FN constexpr u32 part_of_cell(u32 cell, const gph_config& c) {
  return cell / cells_a_word(c) / words_in_scratch(c);
}
// What a word grows by when a cell's value changes.
PIVOTSCOPE_FN constexpr u32 word_change(u32 cell, u32 was, u32 value, const gph_config& c) {
  return (value - was) << (cell % cells_a_word(c) * c.bits);
}

struct cell_index {
  // While nobody writes. The first words may lie in a block's scratch; or the part's of a routed lookup.
  template <class Config, class Memory>
  PIVOTSCOPE_FN static u32 value_of(Config config, Memory& memory, u32 cell, const gph_view& table,
                                    typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 word = cell / cells_a_word(config.value);
    if constexpr (!Memory::others_write) {
      if (config.value.scratch > 0 && (is_routed(config.value) || word < table.pinned))
        return value_in(memory.template load_scratch<u32>(word - table.first_pinned), cell, config.value);
    }
    u32 got = 0;
    const auto put = [&](u32, u32 loaded) { got = loaded; };
    if (config.value.reads == gph_reads::kept)
      memory.template each_read<reread::often, u32>(gph_region::cells, word, {1, 1, 1}, 0, put);
    else
      memory.template each_of_run<u32>(gph_region::cells, word, {1, 1, 1}, 0, put);
    return value_in(got, cell, config.value);
  }
  template <class Config, class Memory>
  PIVOTSCOPE_FN static void will_read(Config config, Memory& memory, u32 cell) {
    memory.will_read(gph_region::cells, cell / cells_a_word(config.value), 1, sizeof(u32));
  }

  // Beside writers: one lane loads it for all.
  template <class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static u32 value_now(Config config, Lanes& lanes, Memory& memory, u32 cell,
                                     typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return lanes.once([&] {
      const u32 word =
          memory.template load_acquire<u32>(gph_region::cells, first_of_word(config, cell), config.value.bits / 8, 0);
      return value_in(word, cell, config.value);
    });
  }
  // Changes a cell that nobody else changes, beside others of its word that are changed.
  template <class Config, class Memory>
  PIVOTSCOPE_FN static void change(Config config, Memory& memory, u32 cell, u32 was, u32 value,
                                   typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    memory.template fetch_add<u32>(gph_region::cells, first_of_word(config, cell), config.value.bits / 8, 0,
                                   word_change(cell, was, value, config.value));
  }

 private:
  template <class Config>
  PIVOTSCOPE_FN static u64 first_of_word(Config config, u32 cell) {
    return cell - cell % cells_a_word(config.value);
  }
};

}  // namespace pivotscope
