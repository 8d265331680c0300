#include "core/sweep/time_script.hpp"

#include "core/run/run_script.hpp"
#include "core/sweep/timed_part.hpp"

namespace pivotscope {

outcome<tuned_config> time_script(machine& on, const index_config& config, const key_set& keys, const script& s,
                                  const workload& load, u32 repeats, const job_control& control) {
  const outcome<script_record> record =
      run_script_config(on, config, keys, s, {.batch = {.repeats = repeats, .warm_ups = 1}}, control);
  if (!record) return record.error();
  if (record->wrong() > 0) return problem{record->first_wrong(), false, true};
  const timed_part part = timed_part_of(load);
  // Lookups are the last batch.
  const std::span batches = std::span(record->batches).last(part.writes ? record->batches.size() : 1);
  tuned_config one{.config = config,
                   .index_bytes = record->bytes_after,
                   .build_ms = record->build_ms(),
                   .operations = part.operations,
                   .last_batch_ms = batches.back().time.median(),
                   .finalist = true};
  stage_time time;
  for (const script_batch_record& batch : batches) add_runs(time, batch.time);
  one.samples_ms = std::move(time.samples_ms);
  one.how = time.how;
  return one;
}

}  // namespace pivotscope
