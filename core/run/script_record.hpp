// What running a script was, batch by batch: times, what the writes came to, the checks, the answers, the index it left.
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
  std::optional<operation> kind = {};  // nothing: a mixed batch
  u64 operations = 0;
  u64 inserts = 0;  // among them
  stage_time time = {};
  std::vector<stage_time> room = {};  // what making room for it took
  write_counts counts = {};
  kernel_info kernel = {};  // of a mixed batch that nothing of changes: the last kind's
  check_report check = {};
  std::shared_ptr<const built_index> index = {};  // as the batch left it, on request

  double operations_per_second() const;  // by the median; 0 when there is nothing to divide
  double room_ms() const;                // the sum of the medians
  std::string_view kind_name() const;    // "inserts", "mixed"
  // "3 of 5 inserts went in: the table is full"; empty where none was refused.
  std::string full_words() const;
};

// All batches of a kind together.
struct script_kind_sums {
  std::string_view kind = {};
  u64 batches = 0, operations = 0, inserts = 0;
  double ms = 0, room_ms = 0;  // sums of medians
  u64 checked = 0, found = 0;
  write_counts counts = {};

  double operations_per_second() const;  // 0 when there is nothing to divide
};

// When anything is wrong the batches end with the one in which it was, and no figures must be shown as results.
struct script_record {
  index_config config = {};
  machine_info machine = {};
  u64 keys = 0;
  u64 held = 0;  // entries of the index as it was built
  u64 bytes_before = 0, bytes_after = 0;
  std::vector<index_region> regions = {};  // as the script left them
  stage_time sort = {};
  std::vector<stage_time> builds = {};
  std::vector<kernel_info> build_kernels = {};
  std::vector<script_batch_record> batches = {};
  check_report contents = {};               // the entries that the index holds at the end; `found` is how many they are
  std::vector<script_answer> answers = {};  // one for each operation of the script
  std::shared_ptr<const built_index> index = {};

  double build_ms() const;                             // the sum of the medians
  double total_ms() const;                             // of all batches, and of making room for them
  std::vector<script_kind_sums> sums_by_kind() const;  // in the order in which the kinds come first
  u64 wrong() const;
  std::string first_wrong() const;  // empty: nothing is
};

void to_json(nlohmann::json& json, const script_record& record);  // without the answers; docs/json.md

}  // namespace pivotscope
