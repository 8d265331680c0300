// Answers to range lookups and to questions for a successor; those to point lookups are row ids (portable.hpp).
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

// The answer to "what comes after this key?": the least greater key that is in the index, and a row id of it; or, as it
// begins, none.
struct alignas(16) successor_answer {
  u64 key = 0;
  u32 row = not_found;

  constexpr bool operator==(const successor_answer&) const = default;
};

// A successor before a batch is run: every 32-bit word of it is `unanswered`, so no row has it.
inline constexpr successor_answer unanswered_successor{(u64{unanswered} << 32) | unanswered, unanswered};

}  // namespace pivotscope
