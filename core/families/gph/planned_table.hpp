// A table as inserts fill it, one after the other, worked out on plain vectors: to find keys for which something happens
// (tight_starts.hpp). It does as inserts.hpp, refinement.hpp and relocation.hpp do by one lane; tests compare it with these.
#pragma once

#include <vector>

#include "core/families/gph/gph_model.hpp"

namespace pivotscope {

// Where an insert puts its key: into its bucket; after its cell got another offset, or another mapping; where its cell has the
// last mapping, into its bucket or the spill; nowhere.
enum class way_in { its_bucket, by_offset, by_mapping, by_last_mapping, to_spill, refused };

class planned_table {
 public:
  planned_table(const gph_config& config, u32 buckets);

  way_in insert(u64 key);
  way_in way_of(u64 key) const { return planned_table(*this).insert(key); }

  const gph_view& view() const { return view_; }
  const std::vector<u64>& all() const { return all_; }  // in the order of their inserts
  bool has(u64 key) const;
  key_place place(u64 key) const {
    return config_.keys == key_width::u32 ? place_of(static_cast<u32>(key), view_) : place_of(key, view_);
  }
  u32 value(u32 cell) const { return values_[cell]; }
  u32 home(u64 key) const { return home_of(place(key), value(place(key).cell), config_, view_); }
  u32 spill(u64 key) const { return spill_of(place(key).own, view_); }
  bool is_full(u32 bucket) const { return empty_slot(bucket) == config_.bucket; }
  std::vector<u64> of_cell(u32 cell) const;
  u32 spilled() const { return spilled_; }
  u32 most_spilled() const;  // slots of the spill that inserts may take

 private:
  struct own_key {
    u64 key;
    u32 slot;  // of the table; or `comes`
  };
  static constexpr u64 nothing = 0;  // no key that is planned with
  static constexpr u32 comes = ~0u;

  u32 empty_slot(u32 bucket) const;  // the first; config_.bucket: none
  void put(u32 bucket, u64 key) { slots_[u64{bucket} * config_.bucket + empty_slot(bucket)] = key; }
  void put_into_spill(u64 key);
  way_in refine(u64 key, u32 cell);
  std::vector<u32> wanted_of(const std::vector<own_key>& own, u32 mapping, u32 offset) const;
  std::vector<u32> rooms_of(u32 cell, const cell_buckets& buckets) const;
  // Gives the cell that value, and moves its keys. False: too few slots of the spill are left, and nothing has changed.
  bool move(u32 cell, const std::vector<own_key>& own, u32 mapping, u32 offset);

  gph_config config_;
  gph_view view_;
  std::vector<u64> slots_, all_;
  std::vector<u32> values_;
  u32 spilled_ = 0;
};

}  // namespace pivotscope
