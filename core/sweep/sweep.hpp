// Sweeps: workloads, the configs that may be best for each, and what is wanted of the best, as data. What is measured of
// them, and how, is run_sweep.hpp's.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/machine_kind.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// What of a point is wanted.
enum class measure : u8 {
  rate,            // operations a second, at least
  time,            // milliseconds of the batch, at most
  sort_and_build,  // sorting the keys and building, as a multiple of the sort alone, at most
};

// What a wanted value counts in.
enum class wanted_in : u8 {
  number,       // itself: operations a second, milliseconds, a multiple
  rate_of_row,  // that row's rate
  stream_of_all,  // the time in which all entries of the batch's ranges, as the index has them, stream at the rate that the
                  // traffic model copies with (stream_bytes_per_second, core/trace/traffic.hpp)
};

struct want {
  measure what = measure::rate;
  double value = 0;
  wanted_in in = wanted_in::number;
  std::string row = {};  // rate_of_row: its id
};

struct sweep_row {
  std::string id = {};  // unique in the sweep, "hits 2^20"
  workload load = {};
  key_width width = key_width::u32;
  std::vector<std::string> configs = {};  // lines without `keys`; the best of them is the row's
  std::string configs_of = {};            // in place of lines: the best one of that row, which comes before
  bool standard_search = false;           // in place of configs: std::lower_bound (core/run/standard_search.hpp)
  bool advised = true;                    // what the adviser would choose is measured as well
  std::optional<machine_kind> on = {};    // not the sweep's machine, but that one
  std::vector<want> wants = {};
};

struct sweep {
  std::string name, sentence, source;
  std::string device = {};  // what machines of the sweep's kind are called that the wants are for: a part of the name
  std::vector<sweep_row> rows = {};

  const sweep_row* row(std::string_view id) const;
};

std::span<const sweep> sweeps();
outcome<const sweep*> find_sweep(std::string_view name);  // problem: the names that there are

// Only the rows whose ids have `part` in them, and those that they lean on: for a sweep of which a part is asked again.
// Problem: there is none.
outcome<sweep> part_of(const sweep& whole, std::string_view part);

// Every count divided by 2^bits, and at least 1: a rehearsal. Ranges keep as many entries as there are keys at most.
sweep_row scaled(const sweep_row& row, u32 bits);
inline constexpr u32 most_scale = 32;

}  // namespace pivotscope
