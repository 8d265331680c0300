#include "core/trace/narrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/order/mapping.hpp"

namespace pivotscope {

namespace {

std::string keys_left(u64 left, u64 of) {
  if (left == 0) return "No key is left.";
  return fmt::format("{} of {} key{} {} left.", left, of, of == 1 ? "" : "s", left == 1 ? "is" : "are");
}

std::string list(const std::vector<u64>& keys) {
  // A long node is told by its ends.
  if (keys.size() > 6) return fmt::format("{}, {} … {}, {}", keys[0], keys[1], keys[keys.size() - 2], keys.back());
  std::string text;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    text += i == 0 ? "" : i + 1 == keys.size() ? " and " : ", ";
    text += std::to_string(keys[i]);
  }
  return text;
}

// What the comparisons of a step say, and what they rule out of [first, end).
std::string compare_words(const lookup_trace& trace, trace_step& step, u64& first, u64& end) {
  const u64 key = trace.key;
  std::vector<u64> smaller, greater;
  u64 equal_rank = no_rank;
  std::size_t empty = 0;
  for (const comparison& c : step.compared) {
    if (c.rank == no_rank) {
      ++empty;
    } else if (c.order > 0) {
      smaller.push_back(c.key);
      first = std::max(first, c.rank + 1);
    } else if (c.order < 0) {
      greater.push_back(c.key);
      end = std::min(end, c.rank);
    } else if (equal_rank == no_rank) {
      equal_rank = c.rank;
    }
  }
  first = std::min(first, end);
  if (equal_rank != no_rank) {
    if (step.compared.front().array == array_id::pivots) {
      end = std::min(end, equal_rank + 1);
      return fmt::format("{} is equal to the pivot {}: the key itself lies at the end of what is left of it.", key, key);
    }
    return fmt::format("{} is equal to {}.", key, key);
  }
  if (smaller.empty() && greater.empty()) {
    return empty > 0 ? "These slots are empty: nothing to compare." : "";
  }
  if (greater.empty()) {
    return fmt::format("{} is greater than {}, so {} and everything before {} out.", key, list(smaller), smaller.back(),
                       "it is");
  }
  if (smaller.empty()) {
    return fmt::format("{} is less than {}, so {} and everything after it is out.", key,
                       greater.size() == 1 ? list(greater) : fmt::format("all of {}", list(greater)), greater.front());
  }
  return fmt::format("{} lies between {} and {}: what is before {} and after {} is out.", key, smaller.back(),
                     greater.front(), smaller.back(), greater.front());
}

// Where the next step reads, told from what it read.
std::string next_words(const lookup_trace& trace, std::size_t i) {
  if (i + 1 >= trace.steps.size()) return "";
  const trace_step& next = trace.steps[i + 1];
  if (next.compared.empty()) return "The next step would leave the array: halve it.";
  const comparison& to = next.compared.front();
  const bool leaf = to.array == array_id::entries;
  const u64 last = next.compared.back().slot;
  const std::string slots = last == to.slot ? fmt::format("slot {}", to.slot) : fmt::format("slots {} to {}", to.slot, last);
  const char* where = to.array == array_id::pivots ? "pivot " : "";
  if (trace.config.order == order_kind::ascending) {
    return next.level >= trace.steps[i].level + 1 && i + 2 == trace.steps.size()
               ? fmt::format("The steps are used up: read the entry arrived at, {}.", slots)
               : fmt::format("Half the step: read {}.", slots);
  }
  if (leaf && trace.config.order == order_kind::pivot_buffer) return fmt::format("Go to the leaf: {}.", slots);
  // Which child: the number of smaller keys.
  const auto smaller = static_cast<u64>(std::count_if(trace.steps[i].compared.begin(), trace.steps[i].compared.end(),
                                                      [](const comparison& c) { return c.rank != no_rank && c.order > 0; }));
  const char* direction = smaller == 0 ? "left" : smaller + 1 == trace.config.fanout ? "right" : "to the middle";
  if (trace.config.fanout == 2) {
    if (trace.config.order == order_kind::eytzinger) {
      const u64 slot = trace.steps[i].compared.front().slot;
      return fmt::format("Go {}: slot 2 x {}{} = {}.", direction, slot, smaller ? " + 1" : "", 2 * slot + smaller);
    }
    return fmt::format("Go {}: {}{}.", direction, where, slots);
  }
  return fmt::format("Go {}, to child {} of {}: {}{}.", direction, smaller, trace.config.fanout, where, slots);
}

}  // namespace

void narrate(lookup_trace& trace, const index_shape& shape) {
  u64 first = 0, end = shape.keys;  // ranks that are still possible
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    trace_step& step = trace.steps[i];
    const bool last = i + 1 == trace.steps.size();
    if (step.compared.empty()) {
      step.words = "A step of this length would leave the array, so nothing is read.";
    } else {
      step.words = compare_words(trace, step, first, end);
      const bool found_here = last && trace.row != not_found;
      if (found_here) {
        step.words += " Found.";
      } else {
        step.words += " " + keys_left(end - first, shape.keys);
      }
    }
    step.left_first = first;
    step.left_end = end;
    step.next = next_words(trace, i);
  }
  if (trace.row != not_found) {
    trace.verdict = fmt::format("{} is in the index: row id {}, in slot {} of the entries.", trace.key, trace.row, trace.slot);
  } else if (shape.keys == 0) {
    trace.verdict = fmt::format("{} is not in the index: it is empty.", trace.key);
  } else {
    trace.verdict = fmt::format("{} is not in the index.", trace.key);
  }
}

}  // namespace pivotscope
