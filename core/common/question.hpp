// One question to an index: what it is asked to find, or to change.
#pragma once

#include "core/common/operation.hpp"

namespace pivotscope {

struct question {
  operation kind = operation::find;
  u64 key = 0;          // of a range, its lower end
  u64 high = 0;         // a range's upper end, inclusive; 0 for all other operations
  u32 row = not_found;  // the row id that an insert gives, where it is known before; else not_found

  question() = default;
  question(u64 looked_up) : key(looked_up) {}  // a lookup
  question(operation what, u64 low_key, u64 high_key = 0, u32 row_id = not_found)
      : kind(what), key(low_key), high(high_key), row(row_id) {}

  u64 greatest_key() const { return kind == operation::range ? high : key; }
  bool operator==(const question&) const = default;
};

}  // namespace pivotscope
