// The machines and sizes that the adviser's tests ask about.
#pragma once

#include "core/machine/machine.hpp"

namespace pivotscope {

inline machine_info a_gpu(u64 l2 = 50ull << 20) {
  machine_info info;
  info.kind = machine_kind::cuda;
  info.name = "a GPU";
  info.processors = 132;
  info.l2_bytes = l2;
  return info;
}

// Keys of as many as fit the caches, and as many as do not.
inline constexpr u64 few = 1 << 16, many = 1ull << 28;

}  // namespace pivotscope
