// A machine whose figures are given: right answers, found by the cpu machine, and times that a test knows beforehand.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "core/families/ordered/config.hpp"
#include "core/families/ordered/shape.hpp"
#include "core/machine/timed_runs.hpp"
#include "tests/app/lying_machine.hpp"
#include "tests/support/index_like.hpp"

namespace pivotscope {

// Run r of a batch, warm-ups included, takes this long: what is counted tells how many were not.
inline double given_ms(u32 run) {
  constexpr std::array<double, 8> times = {9.0, 3.0, 1.0, 2.0, 5.0, 4.0, 8.0, 6.0};
  return times[run % times.size()];
}

inline kernel_info given_kernel(std::string name, u32 registers) {
  return {.name = std::move(name),
          .registers = registers,
          .shared_bytes = 1024,
          .local_bytes = 16,
          .blocks_per_sm = 8,
          .occupancy = 0.75,
          .compile_ms = 12.5,
          .origin = kernel_info::source::disk_cache};
}

inline machine_info given_info(machine_kind kind) {
  return {.kind = kind,
          .name = "Given Machine",
          .detail = "made for tests",
          .driver = "1.2",
          .processors = 7,
          .memory_bytes = 8ull << 30,
          .l2_bytes = 3ull << 20,
          .compute_capability = kind == machine_kind::cuda ? 90u : 0u,
          .max_threads_per_block = 512};
}

class given_machine : public honest_machine {
 public:
  explicit given_machine(machine_kind kind) : info_(given_info(kind)) {}
  const machine_info& info() const override { return info_; }

  outcome<std::shared_ptr<const resident_keys>> load(const key_array& keys, const job_control& control) override {
    auto honest = honest_machine::load(keys, control);
    if (!honest) return honest.error();
    return std::shared_ptr<const resident_keys>(std::make_shared<given_keys>(*honest));
  }
  outcome<std::shared_ptr<const built_index>> build(const index_config& config,
                                                    std::shared_ptr<const resident_keys> keys,
                                                    const job_control& control) override {
    if (fanout(config) == 17) return problem{"no room for fanout=17"};
    auto given = std::dynamic_pointer_cast<const given_keys>(std::move(keys));
    auto honest = honest_machine::build(config, given->honest, control);
    if (!honest) return honest.error();
    return std::shared_ptr<const built_index>(std::make_shared<given_index>(*honest, std::move(given)));
  }
  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    const given_index& given = static_cast<const given_index&>(index);
    const given_keys& of = *given.keys_given;
    if (!of.answers || of.rows != options.rows || !is_same(of.answered, asked)) {
      outcome<batch_result> honest = honest_machine::run(*given.honest, asked, {.rows = options.rows}, control);
      if (!honest) return honest;
      of.answered = asked, of.rows = options.rows, of.answers = std::move(honest->answers);
    }
    const bool of_ranges = asked.kind == operation::range;
    const std::string name(info_of(asked.kind).kernel);
    const auto timed = time_runs(options, "", control, [&](u64 run) -> outcome<timed_run> {
      return timed_run{given_ms(static_cast<u32>(run)) * factor_of(index.config())};
    });
    if (!timed) return timed.error();
    batch_result result{.answers = *of.answers,
                        .time = {name, std::move(timed->samples_ms), timed->how},
                        .kernel = given_kernel(name, of_ranges ? 48 : 40)};
    if (of_ranges && options.rows) result.row_times = {{"scan counts", {0.125}}, {"write rows", {2.0}}};
    if (asked.kind == operation::find && fanout(index.config()) == 5) result.answers.found.back() ^= 1;
    return result;
  }

  // Larger arrays take longer, and so do larger requests; there is room for arrays of up to 1 GiB.
  outcome<std::vector<gather_times>> gather(std::span<const gather_question> asked, const batch_options& options,
                                            const job_control& control) override {
    std::vector<gather_times> all;
    for (const gather_question& one : asked) {
      if (one.bytes > 1ull << 30) {
        all.emplace_back();
        continue;
      }
      const double ms = 1 + static_cast<double>(one.bytes >> 20) / 1024 + one.request_bytes() / 256.0;
      const auto timed =
          time_runs(options, "", control, [&](u64) -> outcome<timed_run> { return timed_run{one.copy ? 0.5 : ms}; });
      if (!timed) return timed.error();
      const gather_shape shape = shape_of(one, 4096);
      all.push_back({.requests = one.copy ? 0 : u64{shape.groups} * shape.steps,
                     .threads = one.copy ? 0 : shape.threads,
                     .time = {one.copy ? "copy" : "gather", timed->samples_ms, timed->how}});
    }
    return all;
  }

 private:
  struct given_keys final : resident_keys {
    explicit given_keys(std::shared_ptr<const resident_keys> keys) : honest(std::move(keys)) {}
    u64 size() const override { return honest->size(); }
    key_width width() const override { return honest->width(); }
    const stage_time& sort_time() const override { return sort; }
    std::shared_ptr<const resident_keys> honest;
    stage_time sort{"sort", {4.0}};
    // A batch is looked up once: what is right for one index is right for all.
    mutable batch answered{};
    mutable bool rows = false;
    mutable std::optional<batch_answers> answers;
  };

  struct given_index final : testing::index_like {
    given_index(std::shared_ptr<const built_index> index, std::shared_ptr<const given_keys> of)
        : index_like(std::move(index)), keys_given(std::move(of)) {
      times = {{"build entries", {0.5}}};
      if (honest->bytes(ordered_region::pivots) != 0) times.push_back({"empty pivots", {0.25}});
    }
    std::span<const stage_time> build_times() const override { return times; }
    std::span<const kernel_info> kernels() const override { return build_kernels; }
    std::shared_ptr<const given_keys> keys_given;
    std::vector<stage_time> times;
    std::vector<kernel_info> build_kernels = {given_kernel("build entries", 20)};
  };

  static bool is_same(const key_array& a, const key_array& b) {
    return a.visit([&]<class Key>(const std::vector<Key>& keys) {
      return a.width() == b.width() && std::ranges::equal(keys, b.as<Key>());
    });
  }
  static bool is_same(const batch& a, const batch& b) {
    return a.kind == b.kind && is_same(a.keys, b.keys) && is_same(a.highs, b.highs);
  }

  static bool is_ordered(const index_config& config) { return config.family == ordered_id; }
  static u32 fanout(const index_config& config) { return is_ordered(config) ? ordered_config::of(config).fanout : 0; }

  // Eytzinger order takes half of the time, what has no order a hundred times as long; both layouts take the same, so
  // that a ranking has ties.
  static double factor_of(const index_config& config) {
    const bool eytzinger = is_ordered(config) && ordered_config::of(config).order == order_kind::eytzinger;
    return (!is_ordered(config) ? 100 : eytzinger ? 0.5 : 1) * (fanout(config) + config.launch.per_thread);
  }

  machine_info info_;
};

}  // namespace pivotscope
