#include "core/run/run_script.hpp"

#include <algorithm>

#include "core/common/expect.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/run/entry_count.hpp"
#include "core/workload/generate/fill.hpp"

namespace pivotscope {
namespace {

outcome<script_record> run_all(machine& on, std::shared_ptr<const built_index> index, const key_set& keys,
                               const script& s, const script_options& options, const job_control& control) {
  script_record record;
  record.config = index->config();
  record.machine = on.info();
  record.keys = keys.size();
  record.held = entry_count(*index);
  record.bytes_before = index->bytes();
  if (family_of(index->config()).sorted_input()) record.sort = keys.resident()->sort_time();
  record.builds.assign(index->build_times().begin(), index->build_times().end());
  record.build_kernels.assign(index->kernels().begin(), index->kernels().end());
  record.answers.resize(s.size());

  script_steps steps(std::move(index), keys);
  bool changed = false;
  for (u64 b = 0; b < s.batches().size(); ++b) {
    const script_batch& asked = s.batches()[b];
    const std::span<script_answer> answers = std::span(record.answers).subspan(asked.begin, asked.size());
    outcome<script_batch_record> batch = steps.next(on, s, options, answers, control);
    if (!batch) return batch.error();
    record.batches.push_back(std::move(*batch));
    if (record.wrong() > 0) break;
    changed = changed || writes(s, b);
  }
  if ((changed || !steps.knows_entries()) && record.wrong() == 0) {
    outcome<std::string> fault = steps.compare(control);
    if (!fault) return fault.error();
    if (!fault->empty()) record.contents.wrong = 1, record.contents.first_wrong = "at the end, " + *fault;
  }
  record.contents.found = steps.entries();
  record.index = steps.index();
  record.bytes_after = record.index->bytes();
  record.regions.assign(record.index->regions().begin(), record.index->regions().end());
  return record;
}

}  // namespace

std::optional<std::string> check_serves(const index_config& config, const script& s) {
  for (const script_batch& batch : s.batches())
    if (batch.whole)
      if (auto why = check_serves(config, *batch.whole)) return why;
  const std::vector<operation>& verbs = s.columns().verbs;
  for (const operation what : all_operations)
    if (auto why = check_serves(config, what))
      if (std::find(verbs.begin(), verbs.end(), what) != verbs.end()) return why;
  return std::nullopt;
}

outcome<script_record> run_script(machine& on, std::shared_ptr<const built_index> index, const key_set& keys,
                                  const script& s, const script_options& options, const job_control& control) {
  PIVOTSCOPE_EXPECT(index != nullptr && index->keys() == keys.size());  // over these keys
  if (auto why = check_serves(index->config(), s)) return problem{*why};
  if (s.width() != index->config().keys) return problem{"the script's key width is not that of the index"};
  if (auto why = check_rows(keys.size(), s.inserts())) return problem{*why};
  const u64 bytes = oracle_bytes(keys.size() + s.inserts()) + s.size() * sizeof(script_answer);
  return with_memory(bytes, "the oracle that checks the answers", [&]() -> outcome<script_record> {
    control.progress("making the oracle", -1);
    return run_all(on, std::move(index), keys, s, options, control);
  });
}

outcome<script_record> run_script_config(machine& on, const index_config& config, const key_set& keys, const script& s,
                                         const script_options& options, const job_control& control) {
  // A build may take minutes: what it cannot be asked is said before.
  if (auto why = check_serves(config, s)) return problem{*why};
  if (auto why = check_rows(keys.size(), s.inserts())) return problem{*why};
  outcome<std::shared_ptr<const built_index>> index = on.build(config, keys.resident(), control);
  if (!index) return index.error();
  return run_script(on, std::move(*index), keys, s, options, control);
}

}  // namespace pivotscope
