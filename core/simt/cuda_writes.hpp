// Memory that threads of the device write while others read it: words of 4 or 8 bytes, which bypass the read-only path.
#pragma once

#include "core/simt/cuda.hpp"

namespace pivotscope {

class cuda_writing_memory : public cuda_untraced {
 public:
  PIVOTSCOPE_FN explicit cuda_writing_memory(const build_view& view) {
    PIVOTSCOPE_UNROLL
    for (u32 r = 0; r < max_regions; ++r) regions_[r] = static_cast<u8*>(view.regions[r]);
  }

  template <class Word>
  PIVOTSCOPE_FN Word load(region_id region, u64 cell) const {
    return load_part<Word>(region, cell, sizeof(Word), 0);
  }
  template <class Word>
  PIVOTSCOPE_FN Word load_part(region_id region, u64 cell, u32 cell_bytes, u32 offset) const {
    const Word* const from = at<Word>(region, cell, cell_bytes, offset);
    if constexpr (sizeof(Word) == 4) {
      u32 word;
      asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(from) : "memory");
      return word;
    } else {
      u64 word;
      asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
      return word;
    }
  }
  template <class Word>
  PIVOTSCOPE_FN Word load_acquire(region_id region, u64 cell, u32 cell_bytes, u32 offset) const {
    static_assert(sizeof(Word) == 4);
    u32 word;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                 : "=r"(word)
                 : "l"(at<Word>(region, cell, cell_bytes, offset))
                 : "memory");
    return word;
  }
  template <class Word>
  PIVOTSCOPE_FN void store_part(region_id region, u64 cell, u32 cell_bytes, u32 offset, Word value) const {
    Word* const to = at<Word>(region, cell, cell_bytes, offset);
    if constexpr (sizeof(Word) == 4)
      asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
    else
      asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
  }
  template <class Word>
  PIVOTSCOPE_FN Word compare_exchange(region_id region, u64 cell, u32 cell_bytes, u32 offset, Word expected,
                                      Word desired) const {
    return atomicCAS(at<Word>(region, cell, cell_bytes, offset), expected, desired);
  }
  template <class Word>
  PIVOTSCOPE_FN Word fetch_add(region_id region, u64 cell, u32 cell_bytes, u32 offset, Word by) const {
    return atomicAdd(at<Word>(region, cell, cell_bytes, offset), by);
  }
  PIVOTSCOPE_FN static void fence() { __threadfence(); }

 private:
  template <class Word>
  PIVOTSCOPE_FN Word* at(region_id region, u64 cell, u32 cell_bytes, u32 offset) const {
    static_assert(sizeof(Word) == 4 || sizeof(Word) == 8);
    return reinterpret_cast<Word*>(regions_[number_of(region)] + cell * cell_bytes + offset);
  }

  u8* regions_[max_regions];
};

}  // namespace pivotscope
