// some_order: do a few operations come to what they would come to one after the other, in some order?
//
// Asked of keys that have one entry at most. Outcomes of writes, answers of finds and the entries left count; reads of several keys
// may see each key in a state of its own (docs/updates.md), so their answers do not.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/common/answers.hpp"
#include "core/workload/script.hpp"

namespace pivotscope {

struct came_to {
  question asked{};
  u32 row = 0;  // that an insert gives
  write_done done = write_done::not_done;
  script_answer answer = {};
};
using rows_of_keys = std::map<u64, u32>;

inline constexpr std::size_t most_ordered = 6;  // operations, of which all orders are tried

// Returns words if no order of these operations, which begin with the entries `before`, leaves `after`; empty: one does, or there
// are too many to try.
std::string order_fault(const rows_of_keys& before, std::span<const came_to> operations, const rows_of_keys& after);

}  // namespace pivotscope
