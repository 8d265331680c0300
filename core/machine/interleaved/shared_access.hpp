// What a task did to memory that others share, for a reader of a schedule.
#pragma once

#include "core/simt/region.hpp"

namespace pivotscope {

struct shared_access {
  enum class kind : u8 {
    load,
    store,
    swap,  // compare-and-swap: where `after` is `before`, it may have found something else than it expected
    add,
    fence,    // no word of its own
    arrival,  // a late store that others see from here on
  };
  kind what = kind::load;
  u32 task = 0;
  region_id region{};
  u64 byte = 0, bytes = 0;    // in the region
  u64 before = 0, after = 0;  // the word, as the task sees it
  bool late = false;          // a store that others do not see yet
  bool operator==(const shared_access&) const = default;
};

}  // namespace pivotscope
