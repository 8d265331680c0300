// Range lookups on the cpu machine.
#include "core/batch/ranges.hpp"
#include "core/machine/cpu/cpu_batch.hpp"
#include "core/machine/cpu/cpu_blocks.hpp"

namespace pivotscope {
namespace {

template <class Output>
bool run_ranges(const index_config& config, const index_view& view, const batch& asked, Output output, u64 forgotten,
                const job_control& control) {
  return asked.keys.visit([&]<class Key>(const std::vector<Key>& lows) {
    const Key* const highs = asked.highs.as<Key>().data();
    const dynamic_config search{config};
    return each_block<Key>(search, config, view, lows.size(), forgotten, control, [&](auto& block) {
      range_batch(search, block, view, lows.data(), highs, lows.size(), output);
    });
  });
}

}  // namespace

bool count_ranges(const index_config& config, const index_view& view, const batch& asked,
                  std::span<range_answer> answers, u64 forgotten, const job_control& control) {
  return run_ranges(config, view, asked, range_totals{answers.data()}, forgotten, control);
}

bool write_rows(const index_config& config, const index_view& view, const batch& asked, batch_answers& answers,
                u64 forgotten, const job_control& control) {
  return run_ranges(config, view, asked, range_rows{answers.begins.data(), answers.rows.data()}, forgotten, control);
}

}  // namespace pivotscope
