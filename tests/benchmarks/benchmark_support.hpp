// What the benchmarks share: how they end where something fails, and keys in an order of their own.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

[[noreturn]] inline void stop(std::string_view words) {
  fmt::print(stderr, "{}\n", words);
  std::exit(2);
}
template <class T>
T expect(outcome<T> result) {
  if (!result) stop(result.error().words);
  return std::move(*result);
}

// The i-th key that comes: a bijection of 32-bit numbers.
inline u32 key_of(u64 i) { return static_cast<u32>(i) * 2654435761u; }

}  // namespace pivotscope
