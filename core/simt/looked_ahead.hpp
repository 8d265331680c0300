// Where an operation of a batch begins, if the batch looked ahead: before any operation was done it found, for all keys, how
// far a lookup comes (batch/lookup.hpp). What the number means is the family's to say.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

inline constexpr u32 begins_nowhere = ~0u;

// The lanes of such an operation.
template <class Lanes>
struct lanes_that_looked : Lanes {
  PIVOTSCOPE_FN lanes_that_looked(const Lanes& lanes, u32 begin) : Lanes(lanes), begin(begin) {}
  u32 begin;
};

// Returns where the operation begins; begins_nowhere: its batch did not look ahead.
template <class Lanes>
PIVOTSCOPE_FN u32 begins_at(const Lanes& lanes) {
  if constexpr (requires { lanes.begin; })
    return lanes.begin;
  else
    return begins_nowhere;
}

}  // namespace pivotscope
