// The cpu machine: runs every index on the processors of this computer. It works where there is no GPU; the tests and
// the sanitizers run on it. Its times are the CPU's own, by the steady clock.
//
// How it runs a family's source. core/families/NAME/host.cpp compiles the family's struct into host_code, a table with
// one function per operation (core/batch/host_code_of.hpp). Below that, simt/host.hpp stands for the GPU:
//
//   lanes     a loop over the 1 to 32 lanes of a lookup (host_lanes)
//   wave      32 lookups in lockstep; each prefetches what it reads next, so that many loads are under way at once
//   memory    plain loads from arrays of the host (direct_source); updates use atomic words (shared_source)
//   block     a TBB task that serves one tile after another (host_block, core/simt/host_block.hpp)
//   config    read at run time. The usual finds of `ordered` and `packed` are compiled with it as a constant, once
//             for each level of x86-64 instructions, and the machine takes the highest level that the processor has
//
// load() copies the keys (cpu_keys.hpp); build() sorts them if the family wants that, and runs the family's passes, cut
// into chunks (cpu_index.cpp); run() and update() serve batches. The threads of a large piece of work are each bound to
// a processor (bound_threads.hpp). A timed pass and a frame of the window take turns (timing_turns.hpp).
//
// What it shares. With every machine: the family's source. With cuda: the interface (machine.hpp), the loop over tiles
// (core/batch), the steps of an update (machine/change_index.hpp), and the timing loop (timed_runs.hpp). With trace and
// interleaved: the lanes and the memory of simt/host.hpp, which there have another source and recorder.
//
// What it cannot do. It has no warps: no coalescing, no bank conflicts, no occupancy; kernel_info is all zeros. Its
// block does run the schedule, the tiles, pinning and reordering of the config, but to the same answers, not to the
// same effect on time. It has no sort library to compare with (library_sort()). It stops a search when the lookup is
// done, where a warp goes on.
#include <fmt/format.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <new>

#include "core/common/timing_turns.hpp"
#include "core/index/check.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/machine/change_index.hpp"
#include "core/machine/clocks.hpp"
#include "core/machine/cpu/bound_threads.hpp"
#include "core/machine/cpu/cold_cache.hpp"
#include "core/machine/cpu/cpu_gather.hpp"
#include "core/machine/cpu/cpu_index.hpp"
#include "core/machine/cpu/cpu_keys.hpp"
#include "core/machine/cpu/host_work.hpp"
#include "core/machine/timed_runs.hpp"

namespace pivotscope {

namespace {

// The batch once, into answers that are there.
bool answer_all(const cpu_index& index, const batch& asked, batch_answers& answers, u64 forgotten,
                const job_control& control) {
  const host_code& code = family_of(index.config()).on_host();
  const index_view view = index.view();
  const host_batch b{index.config(), view, forgotten, control, instruction_level()};
  switch (answer_of(served_as(index.config(), asked.kind))) {
    case answer_kind::row:
      return code.find(b, asked.keys, answers.found);
    case answer_kind::sum:
      return code.count_ranges(b, asked.keys, asked.last_keys(), answers.ranges);
    case answer_kind::next:
      return code.next_keys(b, asked.keys, takes_itself(asked.kind), answers.successors);
    case answer_kind::done:
      break;
  }
  return true;
}

// An answer that no block gives is seen as wrong.
void poison(operation served, u64 count, batch_answers& answers) {
  switch (answer_of(served)) {
    case answer_kind::row:
      return answers.found.assign(count, unanswered);
    case answer_kind::sum:
      return answers.ranges.assign(count, unanswered_range);
    case answer_kind::next:
      return answers.successors.assign(count, unanswered_successor);
    case answer_kind::done:
      break;
  }
}

// The row ids of ranges that are counted.
status list_rows(const cpu_index& index, const batch& asked, batch_result& result, u64 forgotten,
                 const job_control& control) {
  batch_answers& answers = result.answers;
  // Without a range's count, or with one that no index has, there is no place for its row ids.
  const auto impossible = [most = index.rows()](const range_answer& a) { return a.count > most; };
  if (std::any_of(answers.ranges.begin(), answers.ranges.end(), impossible)) return fine();
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
                                       asked.last_keys(), answers.begins.data(), answers.rows.data());
  if (!written) return job_control::cancelled_problem();
  result.row_times.push_back({"write rows", {write_watch.ms()}});
  return fine();
}

// What routing alone takes of the batch.
void time_routing(const cpu_index& index, const batch& asked, stage_time& to, const job_control& control) {
  const index_view view = index.view();
  const stopwatch watch;
  const u64 no_block = detail::forgetful().block;
  family_of(index.config()).on_host().route({index.config(), view, no_block, control, instruction_level()}, asked.keys);
  to = {"route", {watch.ms()}};
}

// What the part of the lookups takes that the family times by itself, by as many runs as the lookups.
outcome<stage_time> time_part(const cpu_index& index, const batch& asked, const batch_options& options,
                              const job_control& control) {
  const family& of = family_of(index.config());
  std::vector<u32> answers(asked.size());
  const index_view view = index.view();
  outcome<timed_runs> timed = time_runs(options, "", control, [&](u64) -> outcome<timed_run> {
    const timing_turns::turn quiet = timed_pass(control);
    const stopwatch watch;
    const u64 no_block = detail::forgetful().block;
    if (!of.on_host().part({index.config(), view, no_block, control, instruction_level()}, asked.keys, answers))
      return job_control::cancelled_problem();
    return timed_run{watch.ms()};
  });
  if (!timed) return timed.error();
  return stage_time{std::string(of.part_of_lookups()), std::move(timed->samples_ms), timed->how};
}

problem no_room_for_answers(const batch& asked, const batch_answers& answers) {
  if (const answer_kind kind = answer_of(asked.kind); kind != answer_kind::sum) {
    const u64 answer = kind == answer_kind::row ? sizeof(u32) : sizeof(successor_answer);
    return out_of_memory(fmt::format("{} answers", asked.size()), asked.size() * answer);
  }
  const u64 rows = answers.begins.size() == asked.size() + 1 ? answers.begins.back() : 0;
  return out_of_memory(fmt::format("the answers of {} {}", asked.size(), operation_noun(asked.kind)),
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
    if (auto why = check_keys(config, keys->size())) return problem{*why};
    return threads_.run(keys->size(), [&] { return cpu_index::build(config, *keys, control); });
  }

  outcome<kernel_info> prepare(const index_config& config, operation kind, const job_control&) override {
    if (auto why = check(config)) return problem{*why};
    if (auto why = check_serves(config, kind)) return problem{*why};
    return kernel_info{.name = std::string(info_of(kind).kernel)};
  }

  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    const auto* here = dynamic_cast<const cpu_index*>(&index);
    if (!here) return problem{"the index was built on another machine"};
    if (auto s = check_batch_fits(index.config(), asked); !s) return s.error();
    return threads_.run(asked.size(), [&] { return answer(*here, asked, options, control); });
  }

  outcome<update_result> update(const built_index& index, const script& s, u64 batch, const batch_options& options,
                                const job_control& control) override {
    const auto* here = dynamic_cast<const cpu_index*>(&index);
    if (!here) return problem{"the index was built on another machine"};
    if (auto fits = check_update(index, s, batch); !fits) return fits.error();
    const u64 items = s.batches()[batch].whole ? index.rows() : s.batches()[batch].size();
    return threads_.run(items, [&] {
      return timed_updates(options, control, [&] { return cpu_index::update(*here, s, batch, control); });
    });
  }

  outcome<std::vector<gather_times>> gather(std::span<const gather_question> asked, const batch_options& options,
                                            const job_control& control) override {
    return threads_.run(bound_threads::worth_binding, [&] { return cpu_gather(asked, options, control); });
  }

 private:
  outcome<batch_result> answer(const cpu_index& index, const batch& asked, const batch_options& options,
                               const job_control& control) const {
    batch_result result;
    result.kernel.name = info_of(asked.kind).kernel;
    result.time.name = info_of(asked.kind).kernel;
    result.conditions = conditions_before(options);
    try {
      const operation served = served_as(index.config(), asked.kind);
      poison(served, asked.size(), result.answers);
      cold_cache cache;
      if (options.cold)
        if (auto s = cache.make(info_.l2_bytes); !s) return s.error();
      outcome<timed_runs> timed = time_runs(options, "", control, [&](u64) -> outcome<timed_run> {
        cache.flush();
        const timing_turns::turn quiet = timed_pass(control);
        const stopwatch watch;
        if (!answer_all(index, asked, result.answers, forgetful_.block, control))
          return job_control::cancelled_problem();
        return timed_run{watch.ms()};
      });
      if (!timed) return timed.error();
      result.time.samples_ms = std::move(timed->samples_ms);
      result.time.how = timed->how;
      if (options.measures()) {
        result.conditions.clocks = clocks_now(machine_kind::cpu);
        if (asked.size() >= bound_threads::worth_binding) result.conditions.bound_threads = threads_.most_bound();
      }
      if (served == operation::find && family_of(index.config()).routes(index.config()))
        time_routing(index, asked, result.route, control);
      if (options.part && served == operation::find && family_of(index.config()).on_host().part != nullptr) {
        outcome<stage_time> part = time_part(index, asked, options, control);
        if (!part) return part.error();
        result.part = std::move(*part);
      }
      if (answer_of(served) != answer_of(asked.kind)) count_found(result.answers, options.rows);
      if (answer_of(served) != answer_kind::sum || !options.rows) return result;
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
