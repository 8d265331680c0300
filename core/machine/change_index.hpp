// How a batch of a script is done to an index. The cpu and the cuda machine share this; their executors do the steps.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/batch/update.hpp"
#include "core/index/executor.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

// Operations that are done at the same time; the arrays are on the host.
struct update_part {
  operation kind = operation::insert;
  bool mixed = false;
  u64 count = 0;
  const operation* kinds = nullptr;  // of a mixed part
  const void* keys = nullptr;        // of the index's key width
  const void* highs = nullptr;       // of a part in which some operations may be ranges
  const u32* rows = nullptr;         // row ids of the inserts; null: first_row and the following ones
  u32 first_row = 0;
};

// The writes of a batch that is done by passes. The arrays are on the host.
struct write_part {
  u64 count = 0;
  const void* keys = nullptr;  // of the index's key width
  std::span<const write_done> done = {};
};

// An executor whose regions hold a copy of an index; or see those of an index that a batch changes as a whole.
class index_changer : public executor {
 public:
  // Does the operations of a part: sets `done`, and in a mixed part `answers`. Returns
  // milliseconds of the machine's clock.
  virtual outcome<double> perform(const update_part& part, const state_bytes& state, std::span<write_done> done,
                                  std::span<script_answer> answers) = 0;
  // Brings writes to the machine, for passes: keys to batch_keys, 0, 1, ... to batch_numbers, and `done` to
  // build_view::done.
  virtual status take_writes(const write_part& part) = 0;
  // Copies build_view::done back.
  virtual status give_done(std::span<write_done> done) = 0;
  virtual std::span<const stage_time> stages() const = 0;  // of all passes, sorts and scans so far
};

// Checks that a batch can be done to the index. Problem: the family lacks an operation, the key width is not the
// index's, or there would be too many rows.
status check_update(const built_index& index, const script& s, u64 batch);
// True if the batch makes the regions anew, from those of the index as it was: there is nothing to copy then.
bool writes_all_anew(const built_index& index, const script& s, u64 batch);
// Returns the name of a batch's kernel and stage: "insert", "erase", "mixed", "clear".
std::string_view update_name(const script& s, u64 batch);

struct changed_index {
  state_bytes state = {};
  u64 rows = 0;  // row ids given so far
  std::vector<write_done> done = {};
  std::vector<script_answer> answers = {};
  write_counts counts = {};
  double ms = 0;                        // milliseconds of the operations alone
  std::vector<stage_time> stages = {};  // of which they are made, where a batch is done by passes
};
outcome<changed_index> change_index(index_changer& on, const built_index& index, const script& s, u64 batch,
                                    const job_control& control);

// Calls update() as often as the options say, each time on the index as it was. Returns the last result with all times.
outcome<update_result> timed_updates(const batch_options& options, const job_control& control,
                                     const std::function<outcome<update_result>()>& update);

// Gives a result the times of the passes that ran. A batch's passes make room for it; maintenance is its passes, and
// takes their sum.
void take_stages(update_result& result, const script& s, u64 batch, std::vector<stage_time> stages);

write_counts count_writes(std::span<const write_done> done);

}  // namespace pivotscope
