// The answers to range lookups and to successor lookups, the outcomes of writes, and the row ids that have a special
// meaning. The answer to a point lookup is a row id (portable.hpp).
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

// The answer to a range lookup: the number of entries, and the sum of their row ids.
struct alignas(16) range_answer {
  u64 count = 0;
  u64 row_sum = 0;

  constexpr bool operator==(const range_answer&) const = default;
};

// What a range's answer holds before its batch runs. It counts more entries than there can be
// keys, so no range answers it.
inline constexpr range_answer unanswered_range{~0ull, ~0ull};

// The answer to a successor lookup: the least greater key in the index, and a row id of it. The default value
// means that there is none.
struct alignas(16) successor_answer {
  u64 key = 0;
  u32 row = not_found;

  constexpr bool operator==(const successor_answer&) const = default;
};

// What a successor's answer holds before its batch runs. Every 32-bit word of it is `unanswered`, which is no row id.
inline constexpr successor_answer unanswered_successor{(u64{unanswered} << 32) | unanswered, unanswered};

// The answer to one operation of a mixed batch. It has the same size for all operations. A write answers nothing.
struct alignas(16) script_answer {
  u64 number = 0;       // range: number of entries; successor: the key
  u64 row = not_found;  // find and successor: a row id, or not_found; range: sum of the row ids

  PIVOTSCOPE_FN static constexpr script_answer found(u32 row) { return {0, row}; }
  PIVOTSCOPE_FN static constexpr script_answer counted(const range_answer& answer) {
    return {answer.count, answer.row_sum};
  }
  PIVOTSCOPE_FN static constexpr script_answer next(u64 key, u32 row) { return {key, row}; }
  PIVOTSCOPE_FN static constexpr script_answer none() { return {}; }
  constexpr bool operator==(const script_answer&) const = default;
};

// The outcome of one operation of an update.
enum class write_done : u8 {
  added,            // an insert took an empty cell
  revived,          // an insert took the cell in which its key had been erased
  replaced,         // an insert gave another row id to a key that was there
  full,             // an insert found no room and changed nothing
  erased,           // an erase removed what was there of its key
  absent,           // an erase found nothing
  read,             // a find, range or successor of a mixed batch
  noted,            // an erase is noted: whether its key was there shows at a lookup alone
  not_done = 0xFF,  // the batch has not run yet
};

// How many writes of a batch had each outcome.
struct write_counts {
  u64 added = 0, revived = 0, replaced = 0, full = 0, erased = 0, absent = 0, noted = 0, not_done = 0;
  bool operator==(const write_counts&) const = default;
};

// Values that stand in place of a cell's row id and are none. In families that change, all row ids are below them.
inline constexpr u32 erased_row = 0xFFFFFFFEu;   // the cell's entry was erased
inline constexpr u32 claimed_row = 0xFFFFFFFDu;  // an insert has taken the cell and is about to store its entry
PIVOTSCOPE_FN constexpr bool is_live_row(u32 row) { return row < claimed_row; }
// The state of a cell, as its row id tells it.
enum class cell_state : u8 { empty, live, erased, claimed };
PIVOTSCOPE_FN constexpr cell_state state_of_row(u32 row) {
  return row == not_found     ? cell_state::empty
         : row == erased_row  ? cell_state::erased
         : row == claimed_row ? cell_state::claimed
                              : cell_state::live;
}
// The greatest number of rows in an index that changes, erased ones included.
inline constexpr u64 max_rows = claimed_row;

}  // namespace pivotscope
