// The few names that host code, nvcc and NVRTC spell differently. Everything that runs on all three machines includes
// this and nothing from the standard library: NVRTC has none.
#pragma once

#if defined(__CUDACC_RTC__)
#define PIVOTSCOPE_FN __device__ __forceinline__
#define PIVOTSCOPE_UNROLL _Pragma("unroll")
#define PIVOTSCOPE_NO_UNROLL _Pragma("unroll 1")
namespace pivotscope {
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
}  // namespace pivotscope
#else
#include <cstdint>
#if defined(__CUDACC__)
#define PIVOTSCOPE_FN __host__ __device__ inline
#else
#define PIVOTSCOPE_FN inline
#endif
#define PIVOTSCOPE_UNROLL
#define PIVOTSCOPE_NO_UNROLL
namespace pivotscope {
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
}  // namespace pivotscope
#endif

namespace pivotscope {

// The answer to a point lookup that finds nothing, and the row id of an empty slot. Row ids end one below it.
inline constexpr u32 not_found = 0xFFFFFFFFu;

// n at most: row ids are 32 bits wide and one of them means "not found".
inline constexpr u64 max_keys = 0xFFFFFFFEull;

// What answers are before a batch is run: no row id, which end below it, and not not_found. An answer that is left out
// is seen as wrong.
inline constexpr u32 unanswered = 0xFFFFFFFEu;
static_assert(unanswered != not_found && unanswered >= max_keys);

template <class Integer>
PIVOTSCOPE_FN constexpr Integer ceil_div(Integer a, Integer b) {
  return (a + b - 1) / b;
}

PIVOTSCOPE_FN constexpr u32 ceil_pow2(u32 a) {
  u32 p = 1;
  while (p < a) p <<= 1;
  return p;
}

// value << by, where all bits may go: 0 from 32 (64) on. A GPU's shift does so by itself.
PIVOTSCOPE_FN u32 shifted_out(u32 value, u32 by) {
#if defined(__CUDACC_RTC__)
  return __funnelshift_lc(0, value, by);
#else
  return by < 32 ? value << by : 0;
#endif
}
PIVOTSCOPE_FN u64 shifted_out(u64 value, u32 by) { return by < 64 ? value << by : 0; }

// Zeros below the lowest one of a value that is not 0.
PIVOTSCOPE_FN u32 trailing_zeros(u32 value) {
#if defined(__CUDA_ARCH__)
  return static_cast<u32>(__ffs(static_cast<int>(value))) - 1;
#else
  return static_cast<u32>(__builtin_ctz(value));
#endif
}

// Zeros above the highest one of a value that is not 0.
PIVOTSCOPE_FN u32 leading_zeros(u64 value) {
#if defined(__CUDA_ARCH__)
  return static_cast<u32>(__clzll(static_cast<long long>(value)));
#else
  return static_cast<u32>(__builtin_clzll(value));
#endif
}

template <class Key>
PIVOTSCOPE_FN constexpr Key greatest_key() {
  return static_cast<Key>(~static_cast<Key>(0));
}

// The value that follows a key's; of the greatest one that one itself.
template <class Key>
PIVOTSCOPE_FN constexpr Key key_after(Key key) {
  return key == greatest_key<Key>() ? key : static_cast<Key>(key + 1);
}

}  // namespace pivotscope
