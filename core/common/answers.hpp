// Answers to range lookups; those to point lookups are row ids (portable.hpp).
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

// The answer to a range lookup: how many entries, and the sum of their row ids.
struct alignas(16) range_answer {
  u64 count = 0;
  u64 row_sum = 0;

  constexpr bool operator==(const range_answer&) const = default;
};

// A range's answer before a batch is run: more entries than there are keys.
inline constexpr range_answer unanswered_range{~0ull, ~0ull};

}  // namespace pivotscope
