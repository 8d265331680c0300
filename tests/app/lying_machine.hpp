// Machines that answer wrong: what must be caught, everywhere.
#pragma once

#include "core/machine/gather.hpp"

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
  outcome<kernel_info> prepare(const index_config& config, operation kind, const job_control& control) override {
    return honest_->prepare(config, kind, control);
  }
  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    return honest_->run(index, asked, options, control);
  }
  outcome<update_result> update(const built_index& index, const script& s, u64 batch, const batch_options& options,
                                const job_control& control) override {
    return honest_->update(index, s, batch, options, control);
  }
  outcome<std::vector<gather_times>> gather(std::span<const gather_question> asked, const batch_options& options,
                                            const job_control& control) override {
    return honest_->gather(asked, options, control);
  }

 private:
  std::unique_ptr<machine> honest_ = detail::open_cpu();
};

// Answers the keys wrong that `lies_about` picks: says "not found" for every hit, counts one entry too many in every
// range that begins there, and names another key than the one that comes after.
class lying_machine final : public honest_machine {
 public:
  explicit lying_machine(bool (*lies_about)(u64 key)) : lies_about_(lies_about) {}

  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    outcome<batch_result> result = honest_machine::run(index, asked, options, control);
    if (!result) return result;
    for (u64 i = 0; i < asked.size(); ++i) {
      if (!lies_about_(asked.keys[i])) continue;
      switch (answer_of(asked.kind)) {
        case answer_kind::row:
          result->answers.found[i] = not_found;
          break;
        case answer_kind::sum:
          ++result->answers.ranges[i].count;
          break;
        case answer_kind::next:
          ++result->answers.successors[i].key;
          break;
        case answer_kind::done:
          break;
      }
    }
    return result;
  }

 private:
  bool (*lies_about_)(u64 key);
};

// Right about everything but batches of one kind, which are as `lie` makes them.
class batch_liar final : public honest_machine {
 public:
  using lie = void (*)(batch_answers& answers, const batch& asked);
  batch_liar(operation kind, lie about) : kind_(kind), lie_(about) {}

  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    outcome<batch_result> result = honest_machine::run(index, asked, options, control);
    if (result && asked.kind == kind_) lie_(result->answers, asked);
    return result;
  }

 private:
  operation kind_;
  lie lie_;
};

}  // namespace pivotscope
