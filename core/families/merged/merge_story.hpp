// merge_story: the merge of one batch, as a view tells it (core/index/batch_merge.hpp). For each write of the sorted batch
// it keeps how many entries come before it on the merge path, and how many of these are dropped. So a binary search over
// the writes finds any step and any slot, however large the array is.
#pragma once

#include <memory>
#include <vector>

#include "core/index/batch_merge.hpp"
#include "core/index/built_index.hpp"
#include "core/workload/script.hpp"

namespace pivotscope {

class merge_story final : public batch_merge {
 public:
  // Reads the array as it was before the batch, in runs of cells around the writes. Costs the sort of the m writes and
  // m log n. Problem: the array cannot be read, or the job was cancelled.
  static outcome<std::shared_ptr<const batch_merge>> make(const stored_index& before, const script& s, u64 batch,
                                                          const job_control& control);

  u64 before() const override { return places_.back().entries; }
  u64 writes() const override { return operations_.size(); }
  u64 erases() const override { return places_.back().erases; }
  u64 dropped() const override { return places_.back().dropped; }
  path_step at_step(u64 step) const override;
  path_step at_slot(u64 slot) const override;
  path_step at_entry(u64 entry) const override;
  merged_write write(u64 place) const override;
  pass_info pass() const override;
  build_step build_step_of(u64 slot) const override;
  u32 tile() const override;
  u64 bytes() const override;

 private:
  // What comes before a write on the merge path. The last one, behind all writes, has all entries before it.
  struct place {
    u32 entries = 0;  // of the old array
    u32 erases = 0;   // of the batch
    u32 dropped = 0;  // among the entries
  };

  merge_story(const script& s, u64 batch, u32 first_row);
  status find_places(const stored_index& before, const job_control& control);

  bool is_erase(u64 write) const { return places_[write + 1].erases > places_[write].erases; }
  // Entries that are dropped between this write and the next one: those of an erased key follow its last erase.
  u64 dropped_behind(u64 write) const { return places_[write + 1].dropped - places_[write].dropped; }
  u64 step_of(u64 write) const { return write + places_[write].entries; }
  u64 slots_before(u64 write) const { return step_of(write) - places_[write].erases - places_[write].dropped; }
  // Returns the first write for which `behind(write)` is true; writes() if there is none.
  template <class Behind>
  u64 first_write(Behind&& behind) const;

  // Of the sorted batch, a write each.
  key_array keys_;
  std::vector<u32> operations_;  // of the batch, from 0
  std::vector<u32> rows_;        // of an insert
  std::vector<place> places_;    // and one more, behind them
};

}  // namespace pivotscope
