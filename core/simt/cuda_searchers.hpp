// Searchers (simt/searchers.hpp) on a GPU: a warp.
#pragma once

#include "core/simt/cuda.hpp"

namespace pivotscope {

struct cuda_searchers {
  // All threads of the warp call it alike. Each round looks at 32 places, whose loads do not wait for one another, and
  // leaves a 33rd. A pass has too few searches to hide what one by halves waits for: each of its steps is a load.
  template <class F>
  PIVOTSCOPE_FN static u32 first_not(u32 begin, u32 end, F&& is_before) {
    const u32 lane = threadIdx.x % 32;
    while (begin < end) {
      const u32 part = (end - begin) / 33 + 1, at = begin + part * (lane + 1) - 1;
      const u32 looked = __ballot_sync(full_warp, at < end && is_before(at));
      const u32 before = static_cast<u32>(__popc(looked)), next = begin + part * (before + 1) - 1;
      begin += part * before;
      if (before < 32 && next < end) end = next;
    }
    return begin;
  }
};

}  // namespace pivotscope
