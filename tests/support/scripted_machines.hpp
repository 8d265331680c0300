// Machines that do as a test says: the cpu machine's answers, with times, failures and lies of the test's own. Every
// call is written down, and one can be held until the test lets it go or its job is cancelled.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/index/config_text.hpp"
#include "core/machine/change_index.hpp"
#include "core/machine/gather.hpp"
#include "core/machine/machine_source.hpp"
#include "tests/support/index_like.hpp"

namespace pivotscope::testing {

// How long a test waits for what must come. Nothing is measured by it: it only ends a test that would hang.
inline constexpr std::chrono::seconds forever{60};

class script {
 public:
  // What the test says. A call is named by a part of its words: "load", "lookup EO+BS".
  void hold(std::string call) {
    const std::lock_guard lock(mutex_);
    held_ = std::move(call), silent_ = false;
  }
  // The same, by a machine that reports no progress meanwhile.
  void hold_silently(std::string call) {
    const std::lock_guard lock(mutex_);
    held_ = std::move(call), silent_ = true;
  }
  void let_go() {
    {
      const std::lock_guard lock(mutex_);
      held_.clear();
    }
    changed_.notify_all();
  }
  // `for_good`: the machine does no more work then.
  void fail(std::string call, std::string words, bool for_good = false) {
    const std::lock_guard lock(mutex_);
    failing_ = std::move(call), failure_ = {.words = std::move(words), .ends_machine = for_good};
  }
  // Answers of a batch before they are given.
  void lie(std::function<void(const index_config&, batch_result&)> how) {
    const std::lock_guard lock(mutex_);
    lie_ = std::move(how);
  }
  // Times of a batch's runs; as long as nothing is said, 1 ms each.
  void take_ms(std::function<std::vector<double>(const index_config&, u32 repeats)> how) {
    const std::lock_guard lock(mutex_);
    ms_ = std::move(how);
  }
  void cuda_is_there(bool there) {
    const std::lock_guard lock(mutex_);
    cuda_ = there;
  }
  // Of machines that are opened from now on.
  void memory_bytes(u64 bytes) {
    const std::lock_guard lock(mutex_);
    memory_bytes_ = bytes;
  }

  // What the test sees.
  bool wait_until_held() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, forever, [&] { return holds_; });
  }
  std::vector<std::string> calls() {
    const std::lock_guard lock(mutex_);
    return calls_;
  }
  // And forgets them.
  std::vector<std::string> take_calls() {
    const std::lock_guard lock(mutex_);
    return std::exchange(calls_, {});
  }
  u32 warm_ups() {
    const std::lock_guard lock(mutex_);
    return warm_ups_;
  }

  machine_source machines();

  // What the machines ask.
  status enter(const std::string& call, const job_control* control = nullptr, bool listed = true) {
    std::unique_lock lock(mutex_);
    if (listed) calls_.push_back(call);
    if (!held_.empty() && call.find(held_) != std::string::npos) {
      if (control && !silent_) control->progress("held", 0.5);
      holds_ = true;
      changed_.notify_all();
      const auto give_up = std::chrono::steady_clock::now() + forever;
      while (!held_.empty() && !(control && control->cancelled())) {
        if (control && !silent_) control->progress("held", 0.5);
        changed_.wait_for(lock, std::chrono::milliseconds(1));  // a control wakes nobody
        if (std::chrono::steady_clock::now() > give_up) {
          ADD_FAILURE() << call << " is held for ever";
          break;
        }
      }
      held_.clear();
      holds_ = false;
    }
    if (control && control->cancelled()) {
      calls_.emplace_back("cancelled");
      return job_control::cancelled_problem();
    }
    if (!failing_.empty() && call.find(failing_) != std::string::npos) return failure_;
    return fine();
  }
  void answer(const index_config& config, u32 repeats, batch_result& result) {
    const std::lock_guard lock(mutex_);
    result.time.samples_ms = ms_ ? ms_(config, repeats) : std::vector<double>(repeats, 1.0);
    if (lie_) lie_(config, result);
  }
  void warmed() {
    const std::lock_guard lock(mutex_);
    ++warm_ups_;
  }
  bool has_cuda() {
    const std::lock_guard lock(mutex_);
    return cuda_;
  }
  u64 memory() {
    const std::lock_guard lock(mutex_);
    return memory_bytes_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string held_, failing_;
  problem failure_;
  bool holds_ = false, silent_ = false, cuda_ = true;
  std::function<void(const index_config&, batch_result&)> lie_;
  std::function<std::vector<double>(const index_config&, u32)> ms_;
  std::vector<std::string> calls_;
  u32 warm_ups_ = 0;
  u64 memory_bytes_ = 0;
};

class scripted_keys final : public resident_keys {
 public:
  explicit scripted_keys(std::shared_ptr<const resident_keys> of) : of_(std::move(of)) {}
  u64 size() const override { return of_->size(); }
  key_width width() const override { return of_->width(); }
  const stage_time& sort_time() const override { return time_; }
  const std::shared_ptr<const resident_keys>& of() const { return of_; }

 private:
  std::shared_ptr<const resident_keys> of_;
  stage_time time_{"sort", {1.5}};
};

class scripted_index final : public index_like {
 public:
  scripted_index(script& by, machine_kind kind, std::shared_ptr<const built_index> of)
      : index_like(std::move(of)), by_(by), kind_(kind) {}
  machine_kind kind() const override { return kind_; }
  status read(region_id array, u64 offset, std::span<std::byte> out) const override {
    if (status may = by_.enter("read", nullptr, false); !may) return may;
    return honest->read(array, offset, out);
  }
  std::span<const stage_time> build_times() const override { return times_; }
  std::span<const kernel_info> kernels() const override { return kernels_; }
  const built_index& of() const { return *honest; }

 private:
  script& by_;
  machine_kind kind_;
  std::vector<stage_time> times_{{"build entries", {2, 4}}, {"empty pivots", {0.5}}};
  std::vector<kernel_info> kernels_{{.name = "build entries", .registers = 20}};
};

// "cpu: lookup EO+BS 64 5+3": 64 lookups, five runs after three to warm up.
class scripted_machine final : public machine {
 public:
  scripted_machine(script& by, machine_kind kind) : by_(by), name_(machine_name(kind)) {
    info_.kind = kind;
    info_.name = "a test's " + name_;
    info_.memory_bytes = by.memory();
  }
  const machine_info& info() const override { return info_; }
  void warm_up() const override { by_.warmed(); }

  outcome<std::shared_ptr<const resident_keys>> load(const key_array& keys, const job_control& control) override {
    if (status may = by_.enter(fmt::format("{}: load {}", name_, keys.size()), &control); !may) return may.error();
    auto loaded = cpu_->load(keys, control);
    if (!loaded) return loaded.error();
    return std::shared_ptr<const resident_keys>(std::make_shared<scripted_keys>(*loaded));
  }
  outcome<std::shared_ptr<const built_index>> build(const index_config& config,
                                                    std::shared_ptr<const resident_keys> keys,
                                                    const job_control& control) override {
    if (status may = enter("build", config, "", control); !may) return may.error();
    auto built = cpu_->build(config, dynamic_cast<const scripted_keys&>(*keys).of(), control);
    if (!built) return built.error();
    return std::shared_ptr<const built_index>(std::make_shared<scripted_index>(by_, info_.kind, *built));
  }
  outcome<kernel_info> prepare(const index_config& config, operation kind, const job_control& control) override {
    if (status may = enter("prepare", config, "", control); !may) return may.error();
    return kernel_info{.name = std::string(info_of(kind).kernel), .registers = 30};
  }
  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    const std::string how = fmt::format(" {} {}+{}", asked.size(), runs_of(options), options.warm_ups);
    if (status may = enter(info_of(asked.kind).kernel, index.config(), how, control); !may) return may.error();
    outcome<batch_result> done =
        cpu_->run(dynamic_cast<const scripted_index&>(index).of(), asked, {.rows = options.rows}, control);
    if (!done) return done;
    done->kernel.registers = 40;
    by_.answer(index.config(), static_cast<u32>(options.until ? options.until->least : options.repeats), *done);
    if (options.until) done->time.how.why = stop_reason::quiet;
    return done;
  }

  outcome<update_result> update(const built_index& index, const pivotscope::script& s, u64 batch,
                                const batch_options& options, const job_control& control) override {
    const std::string how = fmt::format(" {} {}+{}", s.batches()[batch].size(), options.repeats, options.warm_ups);
    if (status may = enter(update_name(s, batch), index.config(), how, control); !may) return may.error();
    outcome<update_result> done = cpu_->update(dynamic_cast<const scripted_index&>(index).of(), s, batch, {}, control);
    if (!done) return done;
    done->index = std::make_shared<scripted_index>(by_, info_.kind, done->index);
    return done;
  }
  outcome<std::vector<gather_times>> gather(std::span<const gather_question> asked, const batch_options& options,
                                            const job_control& control) override {
    static_cast<void>(options);
    if (status may = by_.enter(fmt::format("{}: gather {}", name_, asked.size()), &control); !may) return may.error();
    std::vector<gather_times> all;
    for (const gather_question& one : asked)
      all.push_back({.requests = one.requests, .threads = 64, .time = {"gather", std::vector<double>(10, 2.0), {}}});
    return all;
  }

 private:
  // "5"; "0.5% in 5 s" of a rule
  static std::string runs_of(const batch_options& options) {
    if (!options.until) return std::to_string(options.repeats);
    return fmt::format("{} in {:g} s", share_words(options.until->noise), options.until->seconds);
  }
  status enter(std::string_view what, const index_config& config, const std::string& how, const job_control& control) {
    return by_.enter(fmt::format("{}: {} {}{}", name_, what, to_line(config), how), &control);
  }

  script& by_;
  std::string name_;
  machine_info info_;
  std::unique_ptr<machine> cpu_ = detail::open_cpu();
};

inline machine_source script::machines() {
  machine_source source;
  source.find = [this] {
    (void)enter("find", nullptr, false);
    std::vector<machine_report> list;
    for (const machine_kind kind : {machine_kind::cuda, machine_kind::cpu}) {
      const bool there = kind == machine_kind::cpu || has_cuda();
      list.push_back({kind, there, {}, there ? "" : "no such machine"});
      list.back().info.kind = kind;
      if (there) list.back().info.name = "a test's " + std::string(machine_name(kind));
    }
    return list;
  };
  source.open = [this](machine_kind kind, const machine_options&) -> outcome<std::unique_ptr<machine>> {
    if (status may = enter(std::string(machine_name(kind)) + ": open"); !may) return may.error();
    if (kind == machine_kind::cuda && !has_cuda()) return problem{"no such machine"};
    return std::unique_ptr<machine>(std::make_unique<scripted_machine>(*this, kind));
  };
  return source;
}

}  // namespace pivotscope::testing
