// What a sweep's point tells, as one list of named values (core/statistics/figure.hpp): the table, CSV and JSON are all
// made of it.
#pragma once

#include "core/statistics/figure.hpp"
#include "core/sweep/run_sweep.hpp"

namespace pivotscope {

// A line for each want of the point, and one where it has none: the same names in the same order for every point. A
// point with a wrong answer has no figures, only words.
std::vector<figure_line> figures_of(const sweep& of, const sweep_point& point, u32 scale);

// Whose rates the model took, each once: points may have been measured before and after `pivotscope floor`.
std::vector<std::string> model_words(std::span<const sweep_point> points);

// The names that each of them has, without values.
figure_line figure_names();

// What else a report says of a run.
struct sweep_head {
  std::string program, commit;
  machine_info machine = {};
  std::string clocks_before = {}, clocks_after = {};  // empty: unknown
  u32 scale = 0;
  round_plan rounds = {};
  bool complete = false;  // every row was measured
};

// Names, then a line for each point and want, and behind its figures what it takes to measure it again; what is not
// known is empty, and text stands in quotes where it must.
std::string sweep_csv(const sweep& of, const sweep_head& head, std::span<const sweep_point> points);

// Ends with a line's end; docs/json.md.
std::string sweep_json(const sweep& of, const sweep_head& head, std::span<const sweep_point> points);

}  // namespace pivotscope
