#include "core/verify/some_order.hpp"

namespace pivotscope {
namespace {

// Does the operation. Returns false if it cannot have come to this with these entries.
bool comes_to(const came_to& o, rows_of_keys& entries) {
  const auto at = entries.find(o.asked.key);
  const bool is_there = at != entries.end();
  switch (o.asked.kind) {
    case operation::insert:
      if (o.done == write_done::full) return true;
      if ((o.done == write_done::replaced) != is_there) return false;
      entries[o.asked.key] = o.row;
      return true;
    case operation::erase:
      if (o.done != write_done::noted && (o.done == write_done::erased) != is_there) return false;
      if (is_there) entries.erase(at);
      return true;
    case operation::find:
      return o.answer.row == (is_there ? at->second : not_found);
    default:
      return true;
  }
}

bool some_order(const rows_of_keys& entries, std::span<const came_to> operations, u32 left, const rows_of_keys& after) {
  if (left == 0) return entries == after;
  for (u32 i = 0; i < operations.size(); ++i) {
    if ((left >> i & 1) == 0) continue;
    rows_of_keys now = entries;
    if (comes_to(operations[i], now) && some_order(now, operations, left & ~(1u << i), after)) return true;
  }
  return false;
}

}  // namespace

std::string order_fault(const rows_of_keys& before, std::span<const came_to> operations, const rows_of_keys& after) {
  if (operations.size() > most_ordered) return {};
  if (some_order(before, operations, (1u << operations.size()) - 1, after)) return {};
  return "no order of the operations, one after the other, comes to these outcomes, answers and entries";
}

}  // namespace pivotscope
