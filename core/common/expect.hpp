// What must hold unless this program is wrong. What a caller can get wrong is an outcome instead (outcome.hpp).
#pragma once

#if !defined(NDEBUG) && !defined(__CUDACC_RTC__) && !defined(__CUDA_ARCH__)
#include <cstdio>
#include <cstdlib>

namespace pivotscope::detail {

[[noreturn]] inline void expectation_failed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "%s:%d: expected: %s\n", file, line, condition);
  std::abort();
}

}  // namespace pivotscope::detail

// Debug and sanitizer builds: says where, and ends the program.
#define PIVOTSCOPE_EXPECT(...) \
  ((__VA_ARGS__) ? static_cast<void>(0) : ::pivotscope::detail::expectation_failed(__FILE__, __LINE__, #__VA_ARGS__))
#else
// Nothing is evaluated, but what it names counts as used.
#define PIVOTSCOPE_EXPECT(...) static_cast<void>(sizeof((__VA_ARGS__) ? 1 : 0))
#endif
