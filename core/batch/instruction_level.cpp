#include "core/batch/host_code.hpp"

namespace pivotscope {

u32 instruction_level() {
#if defined(__x86_64__)
  const auto has = [](auto... there) { return (there && ...); };
  const bool v2 = has(__builtin_cpu_supports("sse4.2") != 0, __builtin_cpu_supports("popcnt") != 0);
  const bool v3 = v2 && has(__builtin_cpu_supports("avx2") != 0, __builtin_cpu_supports("bmi2") != 0,
                            __builtin_cpu_supports("fma") != 0);
  const bool v4 = v3 && has(__builtin_cpu_supports("avx512f") != 0, __builtin_cpu_supports("avx512bw") != 0,
                            __builtin_cpu_supports("avx512cd") != 0, __builtin_cpu_supports("avx512dq") != 0,
                            __builtin_cpu_supports("avx512vl") != 0);
  return v4 ? 4 : v3 ? 3 : v2 ? 2 : 1;
#else
  return 1;
#endif
}

}  // namespace pivotscope
