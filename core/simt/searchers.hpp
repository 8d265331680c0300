// A search by halves, and threads that do one together: a host's go by halves too, a GPU's warp, or a part of one, looks at as
// many places at once as it has lanes (simt/cuda_searchers.hpp).
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

// Returns the first of begin, ..., end - 1 for which `is_before` is not true, or end. Those for which it is come first.
template <class F>
PIVOTSCOPE_FN u32 first_not(u32 begin, u32 end, F&& is_before) {
  while (begin < end) {
    const u32 middle = begin + (end - begin) / 2;
    if (is_before(middle))
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

struct host_searchers {
  template <class F>
  static u32 first_not(u32 begin, u32 end, F&& is_before) {
    return pivotscope::first_not(begin, end, is_before);
  }
};

}  // namespace pivotscope
