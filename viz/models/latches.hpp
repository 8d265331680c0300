// Who held which latch, and who waited for whom, while operations met: from their accesses. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/index/latched_model.hpp"

namespace pivotscope::viz {

// A latch or a claimed cell that an operation holds, from the access that takes it to the one after which others may take it. If nobody
// lets it go, it is held to the last one.
struct latch_held {
  u32 task = 0;
  cell_ref at = {};
  std::string name = {};           // of what it guards: "leaf 3"
  bool is_claim = false;           // of a cell
  std::size_t first = 0, end = 0;  // accesses
  u32 lane = 0;                    // the least that no other latch of the operation has at that time

  bool at_access(std::size_t i) const { return first <= i && i < end; }
};
// An access that found the latch of another operation, or a cell that it has claimed.
struct latch_wait {
  std::size_t access = 0;
  std::size_t held = 0;  // index of the latch in `held`
};
struct latch_story {
  std::vector<latch_held> held;   // in the order in which they were taken
  std::vector<latch_wait> waits;  // by access

  const latch_wait* wait_at(std::size_t access) const;
  u32 lanes() const;  // places that an operation needs for what it holds at once
};

latch_story latches_of(const index_model& model, std::span<const shared_access> accesses);

}  // namespace pivotscope::viz
