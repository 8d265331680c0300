// A measured row of a sweep, and what is wanted of it beside it.
#pragma once

#include "core/counters/hardware_counters.hpp"
#include "core/sweep/sweep.hpp"
#include "core/tuning/autotuner.hpp"

namespace pivotscope {

// A wanted value beside what was measured.
struct told_want {
  want wanted = {};
  double limit = 0, got = 0;  // in the measure's own unit: operations a second, milliseconds, a multiple
  std::string words = {};     // of the limit: "0.9 of hits 2^20"
  // How much of it is reached: 1 and more is all. Of a rate got / limit, of the others limit / got.
  double share() const;
  bool reached() const { return share() >= 1; }
};

struct sweep_point {
  sweep_row row = {};                      // as it was measured: scaled
  machine_info machine = {};               // that it was measured on
  std::string clocks = {};                 // right after it; empty: unknown
  std::string governor = {};               // of this computer's processors, as it began; empty: unknown
  std::optional<double> load = {};         // programs that wanted to run then
  std::vector<tuned_config> ranking = {};  // the best first; a standard search is one without a config
  std::vector<tuning_reject> rejected = {};
  std::optional<index_config> advised = {};
  std::optional<tuned_config> advised_alone = {};  // its figures, where it is none of the row's configs
  double sectors =
      0;  // of 32 bytes that a warp asks for, a lookup of the best one's, counted (docs/traffic.md); 0: not counted
  double model_rate = 0;         // that the traffic model allows the best at most (docs/traffic.md); 0: not modelled
  std::string model_bound = {};  // what it says is the narrowest: traffic_prediction::bound()
  std::string model_words = {};  // whose rates it took: device_rates::words()
  std::optional<hardware_counters> counters = {};  // of the best one's lookups, of a sweep that asks for them
  std::string counters_problem = {};               // why there are none of such a sweep
  double sort_ms = 0;                              // of the keys, on the machine; 0: nothing was sorted
  double library_sort_ms = 0;  // that the machine's library takes for them (machine::library_sort); 0: not measured
  // Of matches: numbering and writing the row ids of all that the best one found, which its own time only counts; the
  // median of a few runs. Nothing: its answers are row ids already, or it was not measured.
  std::optional<double> write_ms = {};
  std::optional<double> rays_ms =
      {};                 // what the rays take of the best one's lookups; nothing: there are none, or not asked for
  u64 device_bytes = 0;   // of a GPU, that were held at most at once; 0: none
  double prepared_s = 0;  // making and sorting keys and lookups for it, by the host's clock
  double took_s = 0;      // all of it
  std::vector<told_want> wants = {};
  std::string problem = {};  // why it was not measured, or its row ids were not written; a wrong answer's words
  bool wrong = false;        // then it has no figures

  std::string note() const;  // what is to be said of the best one and its runs beside their figures; empty: nothing
  const tuned_config* best() const { return ranking.empty() ? nullptr : &ranking.front(); }
  std::string name_of(const tuned_config& one) const;
  u32 ties() const;                            // configs that cannot be told apart from the best, and the best
  double advised_share() const;                // of the best's rate, which it may be ahead of; 0: not measured
  double sorted_array_share() const;           // the best's bytes, of those of the sorted array of key and row id
  std::optional<double> model_error() const;   // model_rate over the best's rate, less 1; nothing: not modelled
  double median_ms() const;                    // of the batch, the best's; 0: none
  std::optional<double> best_sort_ms() const;  // of the keys, for the best one; nothing: it wants none, or not known
  std::optional<double> best_build_ms() const;
  // The sum of both; nothing where either is not there.
  std::optional<double> sort_and_build_ms() const;
  // What it takes to have the best one: building it, and the sort before that where its family wants one.
  std::optional<double> ready_ms() const;
  // Of a hash join, whose R the index is built on: building, probing and writing. Nothing where building is not known, or
  // writing has yet to be measured.
  std::optional<double> join_ms() const;
  // Whether row ids have to be written after the batch: it asks for matches, and the best one keeps all rows of a key.
  bool writes_rows() const;
  std::optional<double> rate_per_byte() const;  // the best's operations a second for each byte of it
};

// How far the model lies from what was measured, whichever way.
struct model_errors {
  u64 points = 0;  // that were modelled
  double median = 0, worst = 0;
  std::string worst_row = {};
};
// Nothing where no point was modelled: none is that was measured on a CPU, and none of ranges and successors.
std::optional<model_errors> tell_model_errors(std::span<const sweep_point> points);

// The traffic model beside what was measured: what it allows, how far off that is, what is the narrowest, and whose
// rates it took; of a point of lookups that was not modelled, why. Empty of one without figures.
std::string model_beside(const sweep_point& point);

// What its row wants, beside it: nothing of a want that is relative to a row which is not among `points`, or has no
// figures.
std::vector<told_want> tell_wants(const sweep_point& point, std::span<const sweep_point> points);

// Of those, the one with this id that has figures; null: none.
const sweep_point* point_of(std::span<const sweep_point> points, std::string_view id);

// Whether wants of the sweep may be judged by figures of that machine at that scale; else why not, in words.
std::optional<std::string> not_judged(const sweep& of, const sweep_point& point, u32 scale);

}  // namespace pivotscope
