#include "core/run/run.hpp"

#include "core/common/expect.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/run/entry_count.hpp"

namespace pivotscope {
namespace {

// What is known of an index once it is built.
run_record record_of(const machine& on, const built_index& index, const key_set& keys) {
  run_record record;
  record.config = index.config();
  record.machine = on.info();
  record.keys = keys.size();
  record.index_bytes = index.bytes();
  record.regions.assign(index.regions().begin(), index.regions().end());
  if (family_of(index.config()).sorted_input()) record.sort = keys.resident()->sort_time();
  record.builds.assign(index.build_times().begin(), index.build_times().end());
  record.kernels.assign(index.kernels().begin(), index.kernels().end());
  return record;
}

}  // namespace

outcome<run_record> run_batch(machine& on, const built_index& index, const key_set& keys, const batch& asked,
                              const run_options& options, const job_control& control) {
  PIVOTSCOPE_EXPECT(index.keys() == keys.size());  // over these keys
  outcome<batch_result> done = on.run(index, asked, options.batch, control);
  if (!done) return done.error();

  run_record record = record_of(on, index, keys);
  record.kind = asked.kind;
  record.operations = asked.size();
  for (const range_answer& answer : done->answers.ranges) record.entries += answer.count;
  record.time = std::move(done->time);
  record.route = std::move(done->route);
  record.part = std::move(done->part);
  record.row_times = std::move(done->row_times);
  record.conditions = std::move(done->conditions);
  record.kernels.push_back(std::move(done->kernel));
  record.answers = std::move(done->answers);
  if (!options.check) return record;
  const bool known = options.right && record.answers == options.right->answers;
  record.check = known ? options.right->check
                       : keys.checker().check(asked, record.answers, options.batch.rows, control,
                                              !family_of(index.config()).keeps_duplicates(index.config()));
  if (control.cancelled()) return job_control::cancelled_problem();
  record.checked = true;
  return record;
}

outcome<run_record> run_config(machine& on, const index_config& config, const key_set& keys, const batch& asked,
                               const run_options& options, const job_control& control) {
  // A build may take minutes: what it cannot be asked is said before.
  if (auto why = check_serves(config, asked.kind)) return problem{*why};
  outcome<std::shared_ptr<const built_index>> index = on.build(config, keys.resident(), control);
  if (!index) return index.error();
  PIVOTSCOPE_EXPECT(*index != nullptr);
  outcome<run_record> record = run_batch(on, **index, keys, asked, options, control);
  if (!record) return record;
  record->held = entry_count(**index);
  if (options.keep_index) record->index = std::move(*index);
  return record;
}

}  // namespace pivotscope
