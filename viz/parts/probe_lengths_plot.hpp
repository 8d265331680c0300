// How far lookups go, as bars: Probes has those of the index in view, Compare those of two side by side.
#pragma once

#include <optional>
#include <string>

#include "viz/models/probe_model.hpp"

namespace pivotscope::viz {

// Returns the mean, the greatest and the number of lookups: "hits: 1.10 buckets on average, 3 at most, of 2 048 lookups."
std::string lengths_words(const char* what, const std::string& unit, const probe_lengths& lengths);
// Draws two bars for each length: filled for hits, hollow for misses; a caret at `of_key`. Returns the key of a lookup of the bar that
// is clicked.
std::optional<u64> draw_lengths(const char* id, const probe_study& study, const length_axes& axes,
                                std::optional<u64> of_key, float height);

}  // namespace pivotscope::viz
