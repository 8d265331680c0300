// The accesses of a schedule, looked at again: what memory was after each, and the turns that bring them.
#pragma once

#include <span>
#include <vector>

#include "core/machine/interleaved/interleaved_source.hpp"
#include "core/machine/interleaved/late_stores.hpp"
#include "core/machine/interleaved/schedule.hpp"
#include "core/machine/interleaved/shared_access.hpp"

namespace pivotscope {

// Memory as a run's accesses leave it, one after the other.
class replayed_memory {
 public:
  explicit replayed_memory(shared_regions begin) : shared_(std::move(begin)) {}

  void apply(const shared_access& next);
  const shared_regions& shared() const { return shared_; }             // as all see it
  std::span<const late_store> unseen(u32 task) const;                  // what a task stored and others do not see yet
  u64 word(region_id region, u64 byte, u64 bytes) const;               // as all see it
  u64 word_of(u32 task, region_id region, u64 byte, u64 bytes) const;  // as that task does

 private:
  late_stores& late_of(u32 task);

  shared_regions shared_;
  std::vector<late_stores> late_;  // by task
};

// The turns that bring just these accesses of a run, from its first one on.
schedule schedule_of(std::span<const shared_access> accesses, store_order stores);

}  // namespace pivotscope
