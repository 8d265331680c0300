// What each command prints with --json, on standard output: docs/json.md, field by field. One file, so that one file
// compiles the JSON library.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/run_scripts.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/run/ray_run.hpp"
#include "core/traffic/search_lengths.hpp"
#include "core/traffic/traffic.hpp"
#include "core/tuning/adviser.hpp"
#include "core/tuning/tuning_store.hpp"
#include "core/verify/cases.hpp"

namespace pivotscope {

void print_json(const workload_facts& facts, const machine_info& on, const advice& given);

// A folder in which NVRTC, which compiles kernels on cuda, is looked for, and what there is of it.
struct nvrtc_place {
  std::string root, why;
  std::vector<std::string> files;
};
void print_json(std::span<const machine_report> machines, std::string_view best, std::span<const nvrtc_place> search);

void print_json(const run_request& request, const run_results& results);
void print_json(const run_request& request, const script_results& results);

void print_json(const lookup_trace& trace, u64 wrong, bool with_source);

struct traffic_row {
  index_config config;
  traffic counted;
  traffic_prediction prediction;
  check_report check;
  std::optional<search_lengths> lengths = {};  // where asked for
};
void print_json(std::string_view workload_words, const traffic_machine& modelled, std::span<const traffic_row> rows);

struct ray_row {
  index_config config;
  ray_record record;
};
void print_json(std::string_view workload_words, std::span<const ray_row> rows);

void print_json(std::string_view workload_words, const tuning& done, int wrong);

struct verify_result {
  u64 seed = 0, cases = 0;
  case_counts counts;
  std::optional<std::pair<verify_case, case_failure>> failure;
};
// failing: the case as a command line.
void print_json(const verify_result& result, machine_kind on, std::string_view failing);

}  // namespace pivotscope
