// Answers to range lookups and to questions for a successor, and what writes come to; answers to point lookups are row ids
// (portable.hpp).
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

// The answer to one operation of a mixed batch, of one size whatever was asked. A write answers nothing.
struct alignas(16) script_answer {
  u64 number = 0;       // range: how many entries; successor: the key
  u64 row = not_found;  // find and successor: a row id or not_found; range: the sum of the row ids

  PIVOTSCOPE_FN static constexpr script_answer found(u32 row) { return {0, row}; }
  PIVOTSCOPE_FN static constexpr script_answer counted(const range_answer& answer) {
    return {answer.count, answer.row_sum};
  }
  PIVOTSCOPE_FN static constexpr script_answer next(u64 key, u32 row) { return {key, row}; }
  PIVOTSCOPE_FN static constexpr script_answer none() { return {}; }
  constexpr bool operator==(const script_answer&) const = default;
};

// What one operation of an update came to.
enum class write_done : u8 {
  added,            // an insert took an empty cell
  revived,          // an insert took the cell that its key had before it was erased
  replaced,         // an insert gave its key, which was there, another row id
  full,             // an insert found no room, and changed nothing
  erased,           // an erase removed what was there of its key
  absent,           // an erase found nothing
  read,             // a find, range or successor of a mixed batch
  not_done = 0xFF,  // before the batch is run
};

// How many of a batch's writes came to what.
struct write_counts {
  u64 added = 0, revived = 0, replaced = 0, full = 0, erased = 0, absent = 0, not_done = 0;
  bool operator==(const write_counts&) const = default;
};

// Row ids that are none: what a cell holds in place of one. Row ids of families that change end below them.
inline constexpr u32 erased_row = 0xFFFFFFFEu;   // its entry was erased
inline constexpr u32 claimed_row = 0xFFFFFFFDu;  // its entry is about to come
PIVOTSCOPE_FN constexpr bool is_live_row(u32 row) { return row < claimed_row; }
// What the row id of a cell says that it is.
enum class cell_state : u8 { empty, live, erased, claimed };
PIVOTSCOPE_FN constexpr cell_state state_of_row(u32 row) {
  return row == not_found     ? cell_state::empty
         : row == erased_row  ? cell_state::erased
         : row == claimed_row ? cell_state::claimed
                              : cell_state::live;
}
// Rows that an index which changes has at most, erased ones too.
inline constexpr u64 max_rows = claimed_row;

}  // namespace pivotscope
