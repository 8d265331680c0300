// The cpu machine: the same searches and slot mappings as on the GPU, lanes as loops, blocks as TBB tasks.
#include <fmt/format.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <new>
#include <tuple>

#include "core/common/parallel.hpp"
#include "core/index/check.hpp"
#include "core/index/family.hpp"
#include "core/machine/cpu/bound_threads.hpp"
#include "core/machine/cpu/host_pages.hpp"
#include "core/machine/cpu/radix_sort.hpp"
#include "core/machine/machine.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {

namespace {

class stopwatch {
 public:
  double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

problem out_of_memory(std::string_view what, u64 bytes) {
  return {fmt::format("not enough memory for {}: it needs {:.1f} GiB; ask for fewer keys or lookups", what,
                      static_cast<double>(bytes) / (1u << 30))};
}

// Asking what is free reads a file of the system's; for less than this it is not worth it.
constexpr u64 worth_asking = 64u << 20;
status room_for(u64 bytes, std::string_view what) {
  return bytes < worth_asking ? fine() : check_host_memory(bytes, what);
}

constexpr u64 slots_a_task = 1u << 16;

// f(begin, end) over [0, n) in parallel; false when cancelled.
template <class F>
bool in_chunks(std::string_view stage, u64 n, u64 chunk, const job_control& control, F&& f) {
  std::atomic<u64> done{0};
  const u64 chunks = ceil_div(n, chunk);
  parallel_each(chunks, [&](u64 c) {
    if (control.cancelled()) return;
    f(c * chunk, std::min(n, (c + 1) * chunk));
    control.progress(stage, static_cast<double>(++done) / static_cast<double>(chunks));
  });
  return !control.cancelled();
}

template <class Key>
class cpu_keys final : public resident_keys {
 public:
  u64 size() const override { return size_; }
  key_width width() const override { return sizeof(Key) == 4 ? key_width::u32 : key_width::u64; }
  const stage_time& sort_time() const override { return sort_time_; }

  static outcome<std::shared_ptr<const resident_keys>> load(std::span<const Key> keys, const job_control& control) {
    auto loaded = std::make_shared<cpu_keys>();
    loaded->size_ = keys.size();
    const u64 bytes = keys.size() * 2 * (sizeof(Key) + sizeof(u32));  // the sort takes as much again
    if (auto s = room_for(bytes, fmt::format("sorting {} keys", keys.size())); !s) return s.error();
    try {
      loaded->keys = make_host_array<Key>(keys.size());
      loaded->rows = make_host_array<u32>(keys.size());
      const bool copied = in_chunks("copying keys", keys.size(), slots_a_task, control, [&](u64 begin, u64 end) {
        for (u64 i = begin; i < end; ++i) loaded->keys[i] = keys[i], loaded->rows[i] = static_cast<u32>(i);
      });
      if (!copied) return job_control::cancelled_problem();
      const stopwatch watch;
      if (!radix_sort_pairs(loaded->keys, loaded->rows, keys.size(), control)) return job_control::cancelled_problem();
      loaded->sort_time_ = {"sort", {watch.ms()}};
    } catch (const std::bad_alloc&) {
      return out_of_memory(fmt::format("sorting {} keys", keys.size()), bytes);
    }
    return std::shared_ptr<const resident_keys>(std::move(loaded));
  }

  host_array<Key> keys;  // ascending
  host_array<u32> rows;

 private:
  u64 size_ = 0;
  stage_time sort_time_;
};

class cpu_index final : public built_index {
 public:
  cpu_index(const index_config& config, u64 keys) : config_(config), keys_(keys) {}

  const index_config& config() const override { return config_; }
  u64 keys() const override { return keys_; }
  machine_kind kind() const override { return machine_kind::cpu; }
  std::span<const index_region> regions() const override { return regions_; }
  std::span<const std::byte> state() const override { return state_.span(); }
  std::pair<u64, u64> key_range() const override { return key_range_; }
  std::span<const stage_time> build_times() const override { return build_times_; }
  std::span<const kernel_info> kernels() const override { return {}; }

  status read(region_id region, u64 byte_offset, std::span<std::byte> out) const override {
    const u64 size = bytes(region);
    if (byte_offset > size || out.size() > size - byte_offset) {
      return problem{
          fmt::format("bytes {} to {} are outside an array of {}", byte_offset, byte_offset + out.size(), size)};
    }
    if (!out.empty()) std::memcpy(out.data(), cells_[number_of(region)].get() + byte_offset, out.size());
    return fine();
  }

  index_view view() const {
    index_view v;
    for (u32 r = 0; r < max_regions; ++r) v.regions[r] = cells_[r].get();
    std::tie(v.sort_begin, v.sort_end) = sort_bits();
    state_.copy_to(v.state);
    return v;
  }

 private:
  friend class cpu_executor;
  index_config config_;
  u64 keys_;
  state_bytes state_;
  std::pair<u64, u64> key_range_{0, 0};
  std::vector<index_region> regions_;
  host_array<std::byte> cells_[max_regions];
  std::vector<stage_time> build_times_;
};

// Builds an index of sorted keys.
class cpu_executor final : public executor {
 public:
  cpu_executor(cpu_index& index, const resident_keys& sorted, const job_control& control)
      : index_(index), control_(control) {
    if (sorted.width() == key_width::u32)
      take(dynamic_cast<const cpu_keys<u32>&>(sorted));
    else
      take(dynamic_cast<const cpu_keys<u64>&>(sorted));
  }

  u64 keys() const override { return index_.keys_; }

  status allocate(std::vector<index_region> regions) override {
    index_.regions_ = std::move(regions);
    const u64 bytes = index_.built_index::bytes();
    if (auto s = room_for(bytes, "the index"); !s) return s;
    try {
      for (std::size_t r = 0; r < index_.regions_.size(); ++r)
        index_.cells_[r] = make_host_array<std::byte>(index_.regions_[r].bytes());
    } catch (const std::bad_alloc&) {
      return out_of_memory("the index", bytes);
    }
    return fine();
  }

  status run(const build_pass& pass, u64 items, const state_bytes& state) override {
    const stopwatch watch;
    for (u32 r = 0; r < max_regions; ++r) view_.regions[r] = index_.cells_[r].get();
    state.copy_to(view_.state);
    const bool done = in_chunks(pass.doing, items, slots_a_task, control_,
                                [&](u64 begin, u64 end) { pass.on_host(index_.config_, view_, begin, end); });
    if (!done) return job_control::cancelled_problem();
    index_.build_times_.push_back({std::string(pass.stage), {watch.ms()}});
    return fine();
  }

  void finish(const state_bytes& state) { index_.state_ = state; }

 private:
  template <class Key>
  void take(const cpu_keys<Key>& sorted) {
    view_.keys = sorted.keys.get();
    view_.rows = sorted.rows.get();
    if (sorted.size() > 0) index_.key_range_ = {sorted.keys[0], sorted.keys[sorted.size() - 1]};
  }

  cpu_index& index_;
  const job_control& control_;
  build_view view_;
};

// The batch once, into answers that are there.
bool answer_all(const cpu_index& index, const batch& asked, batch_answers& answers, u64 forgotten,
                const job_control& control) {
  const host_code& code = family_of(index.config()).on_host();
  const index_view view = index.view();
  const host_batch b{index.config(), view, forgotten, control, instruction_level()};
  switch (asked.kind) {
    case operation::find:
      return code.find(b, asked.keys, answers.found);
    case operation::range:
      return code.count_ranges(b, asked.keys, asked.highs, answers.ranges);
  }
  return true;
}

// An answer that no block gives is seen as wrong.
void poison(const batch& asked, batch_answers& answers) {
  if (asked.kind == operation::find) {
    answers.found.assign(asked.size(), unanswered);
  } else {
    answers.ranges.assign(asked.size(), unanswered_range);
  }
}

// The row ids of ranges that are counted.
status list_rows(const cpu_index& index, const batch& asked, batch_result& result, u64 forgotten,
                 const job_control& control) {
  batch_answers& answers = result.answers;
  // Without a range's count there is no place for its row ids.
  if (std::find(answers.ranges.begin(), answers.ranges.end(), unanswered_range) != answers.ranges.end()) return fine();
  u64 rows = 0;
  const stopwatch scan_watch;
  answers.begins.reserve(asked.size() + 1);
  for (const range_answer& a : answers.ranges) answers.begins.push_back(rows), rows += a.count;
  answers.begins.push_back(rows);
  result.row_times.push_back({"scan counts", {scan_watch.ms()}});
  if (auto s = room_for(rows * sizeof(u32), "the ranges' row ids"); !s) return s;
  answers.rows.assign(rows, not_found);
  const stopwatch write_watch;
  const index_view view = index.view();
  const bool written = family_of(index.config())
                           .on_host()
                           .write_rows({index.config(), view, forgotten, control, instruction_level()}, asked.keys,
                                       asked.highs, answers.begins.data(), answers.rows.data());
  if (!written) return job_control::cancelled_problem();
  result.row_times.push_back({"write rows", {write_watch.ms()}});
  return fine();
}

problem no_room_for_answers(const batch& asked, const batch_answers& answers) {
  if (asked.kind == operation::find) {
    return out_of_memory(fmt::format("{} answers", asked.size()), asked.size() * sizeof(u32));
  }
  const u64 rows = answers.begins.size() == asked.size() + 1 ? answers.begins.back() : 0;
  return out_of_memory(fmt::format("the answers of {} ranges", asked.size()),
                       asked.size() * sizeof(range_answer) + rows * sizeof(u32));
}

std::string processor_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "processor";
}

class cpu_machine final : public machine {
 public:
  explicit cpu_machine(const detail::forgetful& f) : info_(detail::report_cpu().info), forgetful_(f) {}
  const machine_info& info() const override { return info_; }

  outcome<std::shared_ptr<const resident_keys>> load(const key_array& keys, const job_control& control) override {
    if (keys.size() > max_keys) {
      return problem{fmt::format("{} keys are more than {}: row ids are 32 bits wide", keys.size(), max_keys)};
    }
    return keys.visit([&](const auto& k) {
      using Key = typename std::decay_t<decltype(k)>::value_type;
      return threads_.run(k.size(), [&] { return cpu_keys<Key>::load(k, control); });
    });
  }

  outcome<std::shared_ptr<const built_index>> build(const index_config& config,
                                                    std::shared_ptr<const resident_keys> keys,
                                                    const job_control& control) override {
    if (auto why = check(config)) return problem{*why};
    if (keys->width() != config.keys) return problem{"the config's key width is not that of the keys on the machine"};
    auto index = std::make_shared<cpu_index>(config, keys->size());
    cpu_executor on(*index, *keys, control);
    const auto state = threads_.run(keys->size(), [&] { return family_of(config).build(on, config); });
    if (!state) return state.error();
    on.finish(*state);
    return std::shared_ptr<const built_index>(std::move(index));
  }

  outcome<kernel_info> prepare(const index_config& config, operation kind, const job_control&) override {
    if (auto why = check(config)) return problem{*why};
    return kernel_info{.name = std::string(operation_name(kind))};
  }

  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    const auto* here = dynamic_cast<const cpu_index*>(&index);
    if (!here) return problem{"the index was built on another machine"};
    if (auto s = check_batch_fits(index.config(), asked); !s) return s.error();
    return threads_.run(asked.size(), [&] { return answer(*here, asked, options, control); });
  }

 private:
  outcome<batch_result> answer(const cpu_index& index, const batch& asked, const batch_options& options,
                               const job_control& control) const {
    batch_result result;
    result.kernel.name = operation_name(asked.kind);
    result.time.name = operation_name(asked.kind);
    try {
      poison(asked, result.answers);
      for (u32 run = 0; run < options.warm_ups + std::max(1u, options.repeats); ++run) {
        const stopwatch watch;
        if (!answer_all(index, asked, result.answers, forgetful_.block, control)) {
          return job_control::cancelled_problem();
        }
        if (run >= options.warm_ups) result.time.samples_ms.push_back(watch.ms());
      }
      if (asked.kind != operation::range || !options.rows) return result;
      if (auto s = list_rows(index, asked, result, forgetful_.rows_of_block, control); !s) return s.error();
    } catch (const std::bad_alloc&) {
      return no_room_for_answers(asked, result.answers);
    }
    return result;
  }

  machine_info info_;
  detail::forgetful forgetful_;
  bound_threads threads_;
};

}  // namespace

namespace detail {

machine_report report_cpu() {
  machine_info info;
  info.kind = machine_kind::cpu;
  info.processors = static_cast<u32>(tbb::this_task_arena::max_concurrency());
  info.name = fmt::format("{}, {} thread{}", processor_name(), info.processors, info.processors == 1 ? "" : "s");
  info.detail = "lanes are loops, blocks are tasks; times are the CPU's";
  info.memory_bytes = static_cast<u64>(sysconf(_SC_PHYS_PAGES)) * static_cast<u64>(sysconf(_SC_PAGE_SIZE));
  const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  info.l2_bytes = cache > 0 ? static_cast<u64>(cache) : 0;
  info.max_threads_per_block = 1024;
  return {machine_kind::cpu, true, std::move(info), {}};
}

std::unique_ptr<machine> open_cpu(const forgetful& forgets) { return std::make_unique<cpu_machine>(forgets); }

}  // namespace detail

}  // namespace pivotscope
