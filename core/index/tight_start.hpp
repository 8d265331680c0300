// tight_start: an index that is one insert before something happens in it: a window is full, a node splits, a pool is
// empty. Concurrent operations are tried on it (core/verify/interleaving.hpp).
#pragma once

#include <string>
#include <vector>

#include "core/common/question.hpp"

namespace pivotscope {

struct tight_start {
  std::string name;              // what is tight: "the home window is full"
  std::vector<u64> keys;         // of the index as it is built
  std::vector<question> before;  // inserts and erases that follow, one after the other
  std::vector<u64> next;         // keys, at least two: it happens when the first is inserted; the second meets it there
};

}  // namespace pivotscope
