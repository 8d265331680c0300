// script_record: the run of a script, batch by batch: times, outcomes of writes, checks, answers,
// and the index that it left.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/machine/machine.hpp"
#include "core/reference/answer_checker.hpp"

namespace pivotscope {

struct script_batch_record {
  std::optional<operation> kind = {};     // nothing: a batch of several, or maintenance
  std::optional<maintenance> whole = {};  // what was done to the whole index
  u64 operations = 0;
  u64 inserts = 0;  // of its operations
  stage_time time = {};
  std::vector<stage_time> room = {};    // of making room for it, and of counting what it left
  std::vector<stage_time> stages = {};  // of which `time` is made, where it was done by passes
  write_counts counts = {};
  kernel_info kernel = {};  // of a mixed batch that does not change the index, that of its last kind of read
  check_report check = {};
  u64 entries = 0;                                // that the index holds after the batch
  std::shared_ptr<const built_index> index = {};  // the index after the batch, if asked for

  double operations_per_second() const;  // by the median; 0 if there is nothing to divide
  double room_ms() const;                // the sum of the medians
  std::string_view kind_name() const;    // "inserts", "mixed", "rebuild"
  // Returns words such as "3 of 5 inserts went in: the table is full"; empty if none was refused.
  std::string full_words() const;
};

// The sums over all batches of one kind.
struct script_kind_sums {
  std::string_view kind = {};
  u64 batches = 0, operations = 0, inserts = 0;
  double ms = 0, room_ms = 0;  // sums of medians
  u64 checked = 0, found = 0;
  write_counts counts = {};

  double operations_per_second() const;  // 0 if there is nothing to divide
};

// If anything is wrong, the batches end with the one in which it was, and no figures may be shown as results.
struct script_record {
  index_config config = {};
  machine_info machine = {};
  u64 keys = 0;
  u64 held = 0;  // entries of the index as it was built
  u64 bytes_before = 0, bytes_after = 0;
  std::vector<index_region> regions = {};  // after the script
  stage_time sort = {};
  std::vector<stage_time> builds = {};
  std::vector<kernel_info> build_kernels = {};
  std::vector<script_batch_record> batches = {};
  check_report contents = {};               // the check of the entries in the index at the end; `found` is their number
  std::vector<script_answer> answers = {};  // one for each operation of the script
  std::shared_ptr<const built_index> index = {};

  double build_ms() const;                             // the sum of the medians
  double total_ms() const;                             // of all batches, and of making room for them
  std::vector<script_kind_sums> sums_by_kind() const;  // in the order in which the kinds first come
  u64 wrong() const;
  std::string first_wrong() const;  // empty: nothing is wrong
};

// Adds the times of a batch to those of the batches before it, as if all were one: run i of it is run i of each. If runs
// of one do not count, since a clock was held back, there are as many as that one has.
void add_runs(stage_time& sum, const stage_time& more);

void to_json(nlohmann::json& json, const script_record& record);  // without the answers; docs/json.md

}  // namespace pivotscope
