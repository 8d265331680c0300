// The operations of an index. A family says which of them it has (core/index/operations.hpp); what each is called is in
// core/workload/operation_table.hpp.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

// Those that change nothing come first.
enum class operation : u8 {
  find,         // returns a row id of a key
  range,        // counts the entries within [low, high], and sums their row ids
  successor,    // returns the least key that is greater than a key, with a row id of it
  matches,      // counts the entries of a key, and sums their row ids
  lower_bound,  // returns the least key that is not smaller than a key, with a row id of it
  insert,       // gives a key a row id
  erase,        // removes all entries of a key
};
inline constexpr u32 operation_count = static_cast<u32>(operation::erase) + 1;
PIVOTSCOPE_FN constexpr bool is_write(operation kind) { return kind == operation::insert || kind == operation::erase; }
// Of an operation that answers with the next key: is the key that is given an answer itself?
PIVOTSCOPE_FN constexpr bool takes_itself(operation kind) { return kind == operation::lower_bound; }

// What an operation answers, whatever it is asked for: machines, checks and files go by this.
enum class answer_kind : u8 {
  row,   // a row id, or not_found
  sum,   // how many entries, and the sum of their row ids (range_answer); their row ids on request
  next,  // a key and a row id of it (successor_answer)
  done,  // what a write came to (write_done)
};
PIVOTSCOPE_FN constexpr answer_kind answer_of(operation kind) {
  switch (kind) {
    case operation::find:
      return answer_kind::row;
    case operation::range:
    case operation::matches:
      return answer_kind::sum;
    case operation::successor:
    case operation::lower_bound:
      return answer_kind::next;
    case operation::insert:
    case operation::erase:
      break;
  }
  return answer_kind::done;
}

}  // namespace pivotscope
