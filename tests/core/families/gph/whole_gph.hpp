// Reads a whole table of `gph` and checks every invariant of gph.hpp.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>
#include <vector>

#include "core/families/gph/gph_model.hpp"
#include "core/index/built_index.hpp"

namespace pivotscope::testing {

class whole_gph {
 public:
  explicit whole_gph(const stored_index& index)
      : index_(index), config_(gph_config::of(index.config())), view_(index.state_as<gph_view>()) {}

  void check() {
    check_words();
    config_.keys == key_width::u32 ? check_slots<u32>() : check_slots<u64>();
  }
  u64 spilled() const { return spilled_; }
  // Cells of the index some of whose keys may be in the spill; cells that have another value than at first.
  u64 cells_spilled() const {
    return count_cells([&](u32 value) { return some_spilled(value, config_); });
  }
  u64 cells_changed() const {
    return count_cells([](u32 value) { return value != 0; });
  }

 private:
  template <class T>
  std::vector<T> region(region_id id) const {
    std::vector<T> list(index_.bytes(id) / sizeof(T));
    EXPECT_TRUE(index_.read(id, 0, std::as_writable_bytes(std::span(list))));
    return list;
  }
  u32 value_of(u32 cell) const {
    return is_perfect(config_) ? value_in(words_[cell / cells_a_word(config_)], cell, config_) : 0;
  }
  template <class F>
  u64 count_cells(F&& f) const {
    u64 count = 0;
    for (u32 cell = 0; cell < view_.cells; ++cell) count += f(value_of(cell)) ? 1 : 0;
    return count;
  }
  void check_words() {
    words_ = region<u32>(gph_region::cells);
    for (const u32 word : region<u32>(gph_region::moves)) ASSERT_EQ(word % 4, 0u) << "latched, or moves that never end";
    for (const u32 word : region<u32>(gph_region::latches)) ASSERT_EQ(word, not_found) << "a bucket is latched";
  }
  template <class Key>
  void check_slots() {
    struct slot {
      Key key;
      u32 row;
    };
    std::vector<slot> slots;
    if (config_.layout == cell_layout::aos) {
      for (const auto& cell : region<entry_cell<Key>>(gph_region::entries)) slots.push_back({cell.key, cell.row});
    } else {
      const auto rows = region<u32>(gph_region::rows);
      for (const Key key : region<Key>(gph_region::entries)) slots.push_back({key, rows[slots.size()]});
    }
    ASSERT_EQ(slots.size(), (u64{view_.buckets} + view_.spill) * config_.bucket);
    const auto is_full = [&](u32 bucket) {
      for (u32 i = 0; i < config_.bucket; ++i)
        if (slots[u64{bucket} * config_.bucket + i].row == not_found) return false;
      return true;
    };
    std::set<Key> live, erased;
    u64 used = 0;
    for (u64 i = 0; i < slots.size(); ++i) {
      const auto [key, row] = slots[i];
      ASSERT_NE(row, claimed_row) << "slot " << i;
      if (row == not_found) {
        EXPECT_EQ(key, greatest_key<Key>()) << "slot " << i;
        continue;
      }
      ++used;
      EXPECT_TRUE((row == erased_row ? erased : live).insert(key).second) << key << " twice";
      const u32 bucket = static_cast<u32>(i / config_.bucket);
      const key_place at = place_of(key, view_);
      const u32 value = value_of(at.cell), home = home_of(at, value, config_, view_);
      if (!is_perfect(config_)) {
        for (u32 b = home; b != bucket; b = b + 1 < view_.buckets ? b + 1 : 0)
          ASSERT_TRUE(is_full(b)) << key << " lies beyond bucket " << b << ", which has room";
      } else if (bucket < view_.buckets) {
        EXPECT_EQ(bucket, home) << key << " lies where its cell does not lead to";
      } else {
        ++spilled_;
        EXPECT_TRUE(some_spilled(value, config_)) << key << " is in the spill, and its cell does not say so";
        for (u32 b = spill_of(at.own, view_); b != bucket;
             b = b + 1 < view_.buckets + view_.spill ? b + 1 : view_.buckets)
          ASSERT_TRUE(is_full(b)) << key << " lies beyond bucket " << b << " of the spill, which has room";
      }
    }
    for (const Key key : erased) EXPECT_FALSE(live.contains(key)) << key << " is there, and erased";
    EXPECT_EQ(live.size(), view_.live);
    EXPECT_EQ(used, view_.used);
    EXPECT_EQ(spilled_, view_.spilled);
  }

  const stored_index& index_;
  gph_config config_;
  gph_view view_;
  std::vector<u32> words_;
  u64 spilled_ = 0;
};

}  // namespace pivotscope::testing
