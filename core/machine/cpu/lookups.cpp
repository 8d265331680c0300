// Point lookups on the cpu machine.
#include "core/batch/lookup.hpp"
#include "core/machine/cpu/cpu_batch.hpp"
#include "core/machine/cpu/cpu_blocks.hpp"
#include "core/machine/cpu/hot_configs.hpp"

namespace pivotscope {

bool run_lookups(const index_config& config, const index_view& view, const key_array& all, std::span<u32> answers,
                 u64 forgotten, const job_control& control) {
  return all.visit([&]<class Key>(const std::vector<Key>& keys) {
    constexpr key_width width = sizeof(Key) == 4 ? key_width::u32 : key_width::u64;
    return with_hot_config<width>(config, [&](auto search) {
      return each_block<Key>(search, config, view, keys.size(), forgotten, control, [&](auto& block) {
        lookup_batch(search, block, view, keys.data(), answers.data(), keys.size());
      });
    });
  });
}

}  // namespace pivotscope
