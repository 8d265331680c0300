// Several configs over one workload on one machine, and their records as a table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/configs_in_turn.hpp"
#include "core/index/config_text.hpp"
#include "core/run/run.hpp"

namespace pivotscope {

struct run_request {
  std::vector<typed_config> configs;
  workload_options options = {};
  workload load = {};
  batch_options batch = {};
  bool keep_answers = false;  // else the records come without
  bool keep_index = false;    // the same
};

// Keys and lookups or ranges of one width, made or read on the host.
struct made_workload {
  key_width width = key_width::u32;
  double keys_ms = 0, batch_ms = 0;
};

struct run_results {
  std::vector<run_record> records;  // one a config, in their order
  std::vector<made_workload> made;
};

// Keys are made and sorted once for configs of one width that follow each other.
outcome<run_results> run_configs(machine& on, const run_request& request, terminal_job& job);

// Configs whose check failed have words in place of figures.
std::string records_table(const std::vector<run_record>& records);

// "HT+OA holds 2 of 4 rows: one a key.", for each method of which that is so; else empty.
struct holding {
  const index_config& config;
  std::optional<u64> held;
};
std::string holding_text(std::span<const holding> all, u64 rows);

// Why the runs of each config came to an end, where a rule ended them or some did not count; else empty.
std::string sampling_text(const std::vector<run_record>& records);

// Words on standard error for each config with a wrong answer; how many configs there are of these.
int complain_about_wrong(const std::vector<run_record>& records);

}  // namespace pivotscope
