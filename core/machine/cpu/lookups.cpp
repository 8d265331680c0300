// Point lookups on the cpu machine. The search is one, core/batch; here it is compiled for three generations of
// processors, and the one that this machine has is chosen when it runs.
#include "core/batch/lookup.hpp"
#include "core/machine/cpu/cpu_batch.hpp"
#include "core/machine/cpu/cpu_blocks.hpp"
#include "core/machine/cpu/hot_configs.hpp"

namespace pivotscope {
namespace {

// All that it calls is compiled into it, for its own instructions: nothing that others could link gets them.
#define PIVOTSCOPE_SERVE(name, ...)                                                                                \
  template <class Config, class Key>                                                                               \
  __VA_ARGS__ void name(Config config, host_block<Config, Key>& block, const index_view& view, const Key* lookups, \
                        u32* answers, u64 count) {                                                                 \
    lookup_batch(config, block, view, lookups, answers, count);                                                    \
  }
PIVOTSCOPE_SERVE(serve)
#if defined(__x86_64__) && defined(NDEBUG)  // a sanitizer's build would take minutes longer
#define PIVOTSCOPE_LEVELS 1
PIVOTSCOPE_SERVE(serve_v2, [[gnu::target("arch=x86-64-v2"), gnu::flatten]])
PIVOTSCOPE_SERVE(serve_v3, [[gnu::target("arch=x86-64-v3"), gnu::flatten]])
PIVOTSCOPE_SERVE(serve_v4, [[gnu::target("arch=x86-64-v4"), gnu::flatten]])
#endif
#undef PIVOTSCOPE_SERVE

template <class Config, class Key>
using serve_function = void (*)(Config, host_block<Config, Key>&, const index_view&, const Key*, u32*, u64);

template <class Config, class Key>
serve_function<Config, Key> serve_at([[maybe_unused]] u32 level) {
#if defined(PIVOTSCOPE_LEVELS)
  // A search that reads its config while it runs gains nothing.
  if constexpr (!std::is_same_v<Config, dynamic_config>) {
    switch (level) {
      case 4:
        return serve_v4<Config, Key>;
      case 3:
        return serve_v3<Config, Key>;
      case 2:
        return serve_v2<Config, Key>;
      default:
        break;
    }
  }
#endif
  return serve<Config, Key>;
}

}  // namespace

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

bool run_lookups(const index_config& config, const index_view& view, const key_array& all, std::span<u32> answers,
                 u64 forgotten, const job_control& control, u32 level) {
  return all.visit([&]<class Key>(const std::vector<Key>& keys) {
    constexpr key_width width = sizeof(Key) == 4 ? key_width::u32 : key_width::u64;
    return with_hot_config<width>(config, [&]<class Config>(Config search) {
      const auto serve_block = serve_at<Config, Key>(level);
      return each_block<Key>(search, config, view, keys.size(), forgotten, control, [&](auto& block) {
        serve_block(search, block, view, keys.data(), answers.data(), keys.size());
      });
    });
  });
}

}  // namespace pivotscope
