// shared_access: one access of a task to shared memory, for a reader of a schedule.
#pragma once

#include "core/simt/region.hpp"

namespace pivotscope {

struct shared_access {
  enum class kind : u8 {
    load,
    store,
    swap,  // compare-and-swap: if `after` equals `before`, it may have found another value than expected
    add,
    exchange,
    set_bits,
    fence,    // has no word
    arrival,  // a late store that others see from here on
  };
  kind what = kind::load;
  u32 task = 0;
  region_id region{};
  u64 byte = 0, bytes = 0;    // place and length in the region
  u64 before = 0, after = 0;  // the word, as the task sees it
  bool late = false;          // a store that others do not see yet
  bool old = false;           // a load of what was there before all operations
  bool operator==(const shared_access&) const = default;
};

}  // namespace pivotscope
