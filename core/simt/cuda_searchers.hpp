// Searchers (simt/searchers.hpp) on a GPU: a warp, or a part of one.
#pragma once

#include "core/simt/cuda.hpp"

namespace pivotscope {

// Each round of a search looks at as many places as it has lanes: their loads do not wait for one another.
class cuda_searchers {
 public:
  PIVOTSCOPE_FN explicit cuda_searchers(u32 lanes) : lanes_(lanes) {}

  // All threads of the warp call it, those of a search alike.
  template <class F>
  PIVOTSCOPE_FN u32 first_not(u32 begin, u32 end, F&& is_before) const {
    const u32 lane = threadIdx.x % lanes_, first = threadIdx.x % 32 - lane, own = full_warp >> (32 - lanes_);
    while (__any_sync(full_warp, begin < end)) {
      const u32 part = (end - begin) / (lanes_ + 1) + 1, at = begin + part * (lane + 1) - 1;
      const u32 looked = __ballot_sync(full_warp, at < end && is_before(at)) >> first & own;
      const u32 before = static_cast<u32>(__popc(looked)), next = begin + part * (before + 1) - 1;
      begin = least(begin + part * before, end);
      if (before < lanes_ && next < end) end = next;
    }
    return begin;
  }

 private:
  u32 lanes_;
};

}  // namespace pivotscope
