// A machine that answers one key wrong: what must be caught, everywhere.
#pragma once

#include "core/machine/machine.hpp"

namespace pivotscope {

class lying_machine final : public machine {
 public:
  // Says "not found" for every hit that `lies_about` picks.
  explicit lying_machine(bool (*lies_about)(u64 key)) : honest_(detail::open_cpu()), lies_about_(lies_about) {}

  const machine_info& info() const override { return honest_->info(); }
  outcome<std::shared_ptr<const resident_keys>> load(const key_array& keys, const job_control& control) override {
    return honest_->load(keys, control);
  }
  outcome<std::shared_ptr<const built_index>> build(const index_config& config,
                                                    std::shared_ptr<const resident_keys> keys,
                                                    const job_control& control) override {
    return honest_->build(config, std::move(keys), control);
  }
  outcome<kernel_info> prepare(const index_config& config, const job_control& control) override {
    return honest_->prepare(config, control);
  }
  outcome<lookup_result> lookup(const built_index& index, const key_array& lookups, const lookup_options& options,
                                const job_control& control) override {
    outcome<lookup_result> result = honest_->lookup(index, lookups, options, control);
    if (!result) return result;
    for (u64 i = 0; i < lookups.size(); ++i) {
      if (lies_about_(lookups[i])) result->answers[i] = not_found;
    }
    return result;
  }
  // Counts one entry too many in every range that begins at such a key.
  outcome<range_result> ranges(const built_index& index, const range_array& ranges, const range_options& options,
                               const job_control& control) override {
    outcome<range_result> result = honest_->ranges(index, ranges, options, control);
    if (!result) return result;
    for (u64 i = 0; i < ranges.size(); ++i) result->answers[i].count += lies_about_(ranges.low[i]);
    return result;
  }

 private:
  std::unique_ptr<machine> honest_;
  bool (*lies_about_)(u64 key);
};

}  // namespace pivotscope
