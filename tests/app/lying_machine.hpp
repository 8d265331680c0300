// Machines that answer wrong: what must be caught, everywhere.
#pragma once

#include "core/machine/machine.hpp"

namespace pivotscope {

// The cpu machine, to put lies upon.
class honest_machine : public machine {
 public:
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
    return honest_->lookup(index, lookups, options, control);
  }
  outcome<range_result> ranges(const built_index& index, const range_array& ranges, const range_options& options,
                               const job_control& control) override {
    return honest_->ranges(index, ranges, options, control);
  }

 private:
  std::unique_ptr<machine> honest_ = detail::open_cpu();
};

// Answers the keys wrong that `lies_about` picks: says "not found" for every hit.
class lying_machine final : public honest_machine {
 public:
  explicit lying_machine(bool (*lies_about)(u64 key)) : lies_about_(lies_about) {}

  outcome<lookup_result> lookup(const built_index& index, const key_array& lookups, const lookup_options& options,
                                const job_control& control) override {
    outcome<lookup_result> result = honest_machine::lookup(index, lookups, options, control);
    if (!result) return result;
    for (u64 i = 0; i < lookups.size(); ++i) {
      if (lies_about_(lookups[i])) result->answers[i] = not_found;
    }
    return result;
  }
  // Counts one entry too many in every range that begins at such a key.
  outcome<range_result> ranges(const built_index& index, const range_array& ranges, const range_options& options,
                               const job_control& control) override {
    outcome<range_result> result = honest_machine::ranges(index, ranges, options, control);
    if (!result) return result;
    for (u64 i = 0; i < ranges.size(); ++i) result->answers[i].count += lies_about_(ranges.low[i]);
    return result;
  }

 private:
  bool (*lies_about_)(u64 key);
};

// Right about keys, and wrong about ranges as `lie` makes it.
class range_liar final : public honest_machine {
 public:
  explicit range_liar(void (*lie)(range_result& result, const range_array& ranges)) : lie_(lie) {}

  outcome<range_result> ranges(const built_index& index, const range_array& ranges, const range_options& options,
                               const job_control& control) override {
    outcome<range_result> result = honest_machine::ranges(index, ranges, options, control);
    if (result) lie_(*result, ranges);
    return result;
  }

 private:
  void (*lie_)(range_result&, const range_array&);
};

}  // namespace pivotscope
