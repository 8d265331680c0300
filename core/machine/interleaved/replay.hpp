// Replays the accesses of a schedule: the memory after each of them, and the turns that give them.
#pragma once

#include <span>
#include <vector>

#include "core/machine/interleaved/interleaved_source.hpp"
#include "core/machine/interleaved/late_stores.hpp"
#include "core/machine/interleaved/schedule.hpp"
#include "core/machine/interleaved/shared_access.hpp"

namespace pivotscope {

// Memory as the accesses of a run leave it, one after the other.
class replayed_memory {
 public:
  explicit replayed_memory(shared_regions begin) : shared_(std::move(begin)) {}

  void apply(const shared_access& next);
  const shared_regions& shared() const { return shared_; }             // as all tasks see it
  std::span<const late_store> unseen(u32 task) const;                  // the task's late stores
  u64 word(region_id region, u64 byte, u64 bytes) const;               // as all tasks see it
  u64 word_of(u32 task, region_id region, u64 byte, u64 bytes) const;  // as that task sees it

 private:
  late_stores& late_of(u32 task);

  shared_regions shared_;
  std::vector<late_stores> late_;  // by task
};

// Returns the turns that give exactly these accesses of a run, from the first one on.
schedule schedule_of(std::span<const shared_access> accesses, store_order stores);

}  // namespace pivotscope
