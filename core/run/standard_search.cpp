#include "core/run/standard_search.hpp"

#include <fmt/format.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <chrono>

#include "core/common/expect.hpp"
#include "core/common/parallel.hpp"
#include "core/machine/clocks.hpp"
#include "core/machine/timed_runs.hpp"
#include "core/workload/generate/fill.hpp"

namespace pivotscope {
namespace {

template <class Key>
struct entry {
  Key key;
  u32 row;
};

template <class Key>
std::vector<entry<Key>> sorted_entries(std::span<const Key> keys) {
  std::vector<entry<Key>> entries(keys.size());
  parallel_each(keys.size(), [&](u64 i) { entries[i] = {keys[i], static_cast<u32>(i)}; });
  tbb::parallel_sort(entries.begin(), entries.end(),
                     [](const entry<Key>& a, const entry<Key>& b) { return a.key < b.key; });
  return entries;
}

template <class Key>
u32 row_of(std::span<const entry<Key>> entries, Key key) {
  const auto at =
      std::lower_bound(entries.begin(), entries.end(), key, [](const entry<Key>& e, Key k) { return e.key < k; });
  return at != entries.end() && at->key == key ? at->row : not_found;
}

template <class Key>
outcome<run_record> run_typed(std::span<const Key> keys, std::span<const Key> lookups, const batch_options& options,
                              const job_control& control) {
  control.progress("sorting entries", -1);
  const std::vector<entry<Key>> entries = sorted_entries(keys);
  run_record record;
  record.keys = keys.size();
  record.operations = lookups.size();
  record.index_bytes = entries.size() * sizeof(entry<Key>);
  record.time.name = "lookup";
  record.answers.found.assign(lookups.size(), unanswered);
  record.conditions = conditions_before(options);
  outcome<timed_runs> timed = time_runs(options, "std::lower_bound", control, [&](u64) -> outcome<timed_run> {
    const auto began = std::chrono::steady_clock::now();
    parallel_parts(lookups.size(), 1 << 12, [&](const index_part& part) {
      if (control.cancelled()) return;
      for (u64 i = part.begin(); i < part.end(); ++i)
        record.answers.found[i] = row_of<Key>(std::span<const entry<Key>>(entries), lookups[i]);
    });
    if (control.cancelled()) return job_control::cancelled_problem();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    return timed_run{took.count()};
  });
  if (!timed) return timed.error();
  record.time.samples_ms = std::move(timed->samples_ms);
  record.time.how = timed->how;
  if (options.measures()) record.conditions.clocks = clocks_now(machine_kind::cpu);
  return record;
}

}  // namespace

outcome<run_record> run_standard_search(const answer_checker& checker, const batch& asked, const batch_options& options,
                                        const job_control& control) {
  PIVOTSCOPE_EXPECT(asked.kind == operation::find && asked.width() == checker.keys().width());
  outcome<run_record> record = checker.keys().visit([&]<class Key>(const std::vector<Key>& keys) {
    const u64 bytes = keys.size() * sizeof(entry<Key>) + asked.size() * sizeof(u32);
    return with_memory(bytes, fmt::format("{} sorted entries", count_text(keys.size())),
                       [&] { return run_typed<Key>(keys, asked.keys.as<Key>(), options, control); });
  });
  if (!record) return record;
  record->check = checker.check(asked, record->answers, false, control);
  if (control.cancelled()) return job_control::cancelled_problem();
  record->checked = true;
  return record;
}

}  // namespace pivotscope
