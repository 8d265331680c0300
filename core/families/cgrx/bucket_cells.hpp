// How the entries of cgRX's buckets lie in memory (cgrx, Section 3.4).
//
//   layout    a cell
//   aligned   {key, row id}, 8 bytes, or 16 with 64-bit keys: one load
//   packed    {key, row id}, 8 bytes, or 12 with 64-bit keys: words of 4 bytes, as 12 are no multiple of 8
//   column    the key in the region of entries, the row id in the region of row ids
#pragma once

#include "core/families/cgrx/config.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/region.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

// Returns the bytes from one cell of the region of entries to the next.
PIVOTSCOPE_FN constexpr u32 entry_bytes(const cgrx_config& c) {
  const u32 key = key_bytes(c.keys);
  return c.layout == entry_layout::column ? key : c.layout == entry_layout::packed ? key + 4 : 2 * key;
}

// Loads and stores entries. A 32-bit key with its row id has no padding: packed is aligned then.
template <class Key, class Config>
class bucket_cells {
 public:
  static constexpr region_id entries{0}, rows{3};

  PIVOTSCOPE_FN explicit bucket_cells(Config config) : config_(config) {}

  template <class Memory>
  PIVOTSCOPE_FN Key load_key(Memory& memory, u64 slot) const {
    if (in_words()) {
      const u32 low = memory.template load_part<u32>(entries, slot, words * sizeof(u32), 0);
      return joined(low, memory.template load_part<u32>(entries, slot, words * sizeof(u32), sizeof(u32)));
    }
    if (in_columns()) return memory.template load<Key>(entries, slot);
    return memory.template load_part<Key>(entries, slot, sizeof(entry_cell<Key>), 0);
  }
  template <class Memory>
  PIVOTSCOPE_FN entry_cell<Key> load_entry(Memory& memory, u64 slot) const {
    if (in_words()) {
      const Key key = load_key(memory, slot);
      return make_entry(key, memory.template load_part<u32>(entries, slot, words * sizeof(u32), 2 * sizeof(u32)));
    }
    if (in_columns()) return make_entry(load_key(memory, slot), memory.template load<u32>(rows, slot));
    return memory.template load<entry_cell<Key>>(entries, slot);
  }
  PIVOTSCOPE_FN void store(const build_view& view, u64 slot, Key key, u32 row) const {
    if (in_words()) {
      view.store(entries, words * slot, static_cast<u32>(key));
      view.store(entries, words * slot + 1, static_cast<u32>(u64{key} >> 32));
      view.store(entries, words * slot + 2, row);
    } else if (in_columns()) {
      view.store(entries, slot, key);
      view.store(rows, slot, row);
    } else {
      view.store(entries, slot, make_entry(key, row));
    }
  }

 private:
  static constexpr u32 words = 3;

  PIVOTSCOPE_FN constexpr bool in_words() const {
    return sizeof(Key) == sizeof(u64) && config_.value.layout == entry_layout::packed;
  }
  PIVOTSCOPE_FN constexpr bool in_columns() const { return config_.value.layout == entry_layout::column; }
  PIVOTSCOPE_FN static Key joined(u32 low, u32 high) { return static_cast<Key>(u64{high} << 32 | low); }

  Config config_;
};

}  // namespace pivotscope
