// Theorem 6.1 of the paper gph: how many values an insert tries until a cell's keys fit; and the chance that none exists (its
// Section 6.2), beside what our table counts.
#pragma once

#include "core/sweep/computed_figure.hpp"

namespace pivotscope {

// What the proof takes: one slot a bucket, `full` of `buckets`, and a try that draws R different buckets for the R keys of a cell.
struct theorem_case {
  u64 buckets = 0, full = 0;
  u32 virtuals = 0;  // R; full + R < buckets

  double vacant() const { return static_cast<double>(buckets - full); }
};
double mean_tries(const theorem_case& of);   // C(N, R) / C(N - d, R)
double tries_bound(const theorem_case& of);  // (1 + d / (N - d - R))^R
// Draws buckets until all are vacant; the mean of so many inserts.
double simulated_tries(const theorem_case& of, u64 inserts, u64 seed);

// The chance that more than R M of so many keys belong to the R buckets of a cell, each to any of N buckets: 1 - Pr(Y).
double failure_chance(u64 buckets, u64 keys, u32 virtuals, u32 slots);

// Inserts into a table that was built: each of a key that is not there, as if it came alone (index_model::choices_for).
struct counted_inserts {
  u64 inserts = 0;
  u64 refined = 0;   // found their bucket full, and tried other values for their cell
  u64 without = 0;   // found their bucket full, and no value for their cell: they, or keys beside them, go to the spill
  double tries = 0;  // mean of `refined`: mappings tried, the present one first; all that there are where none fits
  double spilled = 0;  // of the table's keys, the share in the spill
};
outcome<counted_inserts> count_inserts(machine& cpu, std::string_view config, u64 keys, u64 inserts,
                                       const job_control& control);

outcome<computed_figure> draw_theorem_6_1_tries(machine& cpu, const job_control& control);
outcome<computed_figure> draw_theorem_6_1_failure(machine& cpu, const job_control& control);

inline constexpr figure_recipe theorem_6_1_tries{
    "gph-6.1", "mappings that an insert tries until the keys of its cell fit, by load", "gph, Section 6.2, Theorem 6.1",
    draw_theorem_6_1_tries};
inline constexpr figure_recipe theorem_6_1_failure{
    "gph-6.1-failure", "inserts for which no value fits, and keys that are spilled, by load",
    "gph, Section 6.2, Discussion of Insertion Failure", draw_theorem_6_1_failure};

}  // namespace pivotscope
