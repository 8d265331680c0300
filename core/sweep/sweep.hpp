// Sweeps: workloads, the configs that may be best for each, what is wanted of the best, and how it is drawn, as data.
// What is measured of them, and how, is run_sweep.hpp's; how rows come of axes and series is sweep_grid.hpp's.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/machine_kind.hpp"
#include "core/machine/gather.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// What of a point is wanted.
enum class measure : u8 {
  rate,            // operations a second, at least
  time,            // milliseconds of the batch, at most
  sort_and_build,  // sorting the keys and building, as a multiple of the library's sort alone, at most
};

// What a wanted value counts in.
enum class wanted_in : u8 {
  number,         // itself: operations a second, milliseconds, a multiple
  rate_of_row,    // that row's rate
  stream_of_all,  // the time in which all entries of the batch's ranges, as the index has them, stream at the rate that
                  // an H200 copies with (h200_stream_bytes_per_second, core/memory_benchmark/device_rates.hpp)
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
  u32 gather_lanes =
      0;  // in place of configs: loads alone (lightweight, Figure 7), by groups of so many threads, of an array of
          // as many 32-bit entries as the workload has keys, as many loads as it has lookups; 0: none
  bool advised = true;                  // what the adviser would choose is measured as well
  std::optional<machine_kind> on = {};  // not the sweep's machine, but that one
  std::vector<want> wants = {};
  std::string series = {};       // of the plot; empty: not drawn
  std::optional<u32> tick = {};  // of the plot's x axis; none: the same all along it, a level line

  // What is measured in place of configs: "std::lower_bound", "loads by groups of 8"; nothing of a row of configs.
  std::optional<std::string> program() const;
};
// The row's part of that which such words say; false: they say none.
bool set_program(sweep_row& row, std::string_view words);
// The question of a row with gather_lanes.
gather_question gather_of(const sweep_row& row);

// Where a row's point lies.
enum class plot_x : u8 {
  keys,           // at the index's (plotted_keys()), by powers of two
  script_batch,   // at the operations of its script's batches, by powers of two
  range_entries,  // at those of its ranges, by powers of two
  place,          // at its tick's place, one beside the other
  warp_cycles,    // at EI x CPI, as the GPU counted them
};
// What it shows there.
enum class plot_y : u8 {
  batch_ms,
  build_ms,
  build_and_batch_ms,
  wave_ms,     // of the script's last batch, of a row that writes; of sort and build, of any other
  growing_ms,  // of the batch, of a row that writes; of sort and build, of any other
  build_rate,
  bytes,
  rate,
  rate_per_byte,
  sectors,
  occupancy,     // AO, as the GPU counted it, and so the next two (core/counters/hardware_counters.hpp)
  warp_cycles,   // EI x CPI
  busy_ms,       // of the batch, times AO
  hit_rates,     // of L1 and L2, a line each, as the GPU counted them, and so the next ones
  memory_rates,  // bytes a second of L1, L2 and DRAM, a line each
  join_ms,       // of a hash join: building on R, probing with S, and writing what was found
  join_parts,    // of these three a line each
  load_factor,   // the entries' bytes as a share of the index's
  entry_ns,      // of ranges: the batch's time over the entries that its ranges ask for
  lookup_parts,  // of lookups by rays: the rays, and the rest, a line each
  scene_parts,   // of an index that is a scene: sorting, and the stages of its build, a line each
};

struct sweep_plot {
  std::string x_words = {};  // "keys"
  plot_x x = plot_x::place;
  std::vector<std::string> ticks = {};  // "2^20", "512/2"
  plot_y y = plot_y::batch_ms;
  bool log_y = false;
};

// Drawn in the paper, and not here.
struct missing_series {
  std::string name, why;
};

struct sweep {
  std::string name, sentence, source;
  std::string device = {};  // what machines of the sweep's kind are called that the wants are for: a part of the name
  std::vector<sweep_row> rows = {};
  std::optional<sweep_plot> plot = {};
  std::vector<missing_series> missing = {};
  std::string saw = {};      // what the paper saw there, in a sentence or two
  bool rays = false;         // of the best config's lookups by rays the rays are timed by themselves as well
  bool counters = false;     // the best config's lookups are counted by the GPU as well
  std::string rows_of = {};  // another sweep, whose rows are the same and are drawn otherwise; empty: its own

  const sweep_row* row(std::string_view id) const;
  const std::string& measured_as() const { return rows_of.empty() ? name : rows_of; }
};

std::string_view plot_y_words(plot_y y);  // "ms of the batch"
// What each series has a line of its own of: the memories "L1", "L2", "DRAM", the parts of a join, or the stages of a
// build. Empty: a series has one line.
std::span<const std::string_view> plot_y_parts(plot_y y);
std::vector<std::string> series_of(const sweep& of);  // each once, in the order of the rows

std::span<const sweep> sweeps();                          // each figure of the papers, and `packed`
outcome<const sweep*> find_sweep(std::string_view name);  // problem: the names that there are

// Only the rows whose ids have `part` in them, and those that they lean on: for a sweep of which a part is asked again.
// Problem: there is none.
outcome<sweep> part_of(const sweep& whole, std::string_view part);

// Every count divided by 2^bits, and at least 1: a rehearsal. Ranges keep as many entries as there are keys at most.
sweep_row scaled(const sweep_row& row, u32 bits);
inline constexpr u32 most_scale = 32;

}  // namespace pivotscope
