// How a batch of a script is done to an index: the same on the cpu and the cuda machine, whose executors do the steps.
#pragma once

#include <functional>

#include "core/batch/update.hpp"
#include "core/index/executor.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

// Operations that are done together, on the host.
struct update_part {
  operation kind = operation::insert;
  bool mixed = false;
  u64 count = 0;
  const operation* kinds = nullptr;  // of mixed ones
  const void* keys = nullptr;        // of the index's width
  const void* highs = nullptr;       // where some may be ranges
  const u32* rows = nullptr;         // that inserts give; null: first_row and what follows
  u32 first_row = 0;
};

// An executor whose regions hold a copy of an index.
class index_changer : public executor {
 public:
  // Does them, into `done`, and `answers` of mixed ones. Milliseconds of the machine's clock.
  virtual outcome<double> perform(const update_part& part, const state_bytes& state, std::span<write_done> done,
                                  std::span<script_answer> answers) = 0;
};

// May the batch be done to the index at all? Problem: what the family lacks, a key width that is not the index's, too many
// rows.
status check_update(const built_index& index, const script& s, u64 batch);
// "insert", "erase", "mixed": a batch's kernel and stage.
std::string_view update_name(const script& s, u64 batch);

struct changed_index {
  state_bytes state = {};
  u64 rows = 0;  // row ids given so far
  std::vector<write_done> done = {};
  std::vector<script_answer> answers = {};
  write_counts counts = {};
  double ms = 0;  // of the operations alone
};
outcome<changed_index> change_index(index_changer& on, const built_index& index, const script& s, u64 batch,
                                    const job_control& control);

// update() as often as the options say, each time from the index as it was: the last one, with the times of all.
outcome<update_result> timed_updates(const batch_options& options, const job_control& control,
                                     const std::function<outcome<update_result>()>& update);

write_counts count_writes(std::span<const write_done> done);

}  // namespace pivotscope
