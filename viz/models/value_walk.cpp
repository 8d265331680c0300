#include "viz/models/value_walk.hpp"

#include <algorithm>
#include <string_view>

namespace pivotscope::viz {
namespace {

// What the source calls the value that it tries.
std::optional<u64> watched_as(const trace_step& step, std::string_view name) {
  for (const watched_value& value : step.watched)
    if (value.name == name) return value.value;
  return std::nullopt;
}

}  // namespace

std::optional<u32> value_walk::last_square(const value_choices& values) const {
  if (tried.empty() || !tried.back().row) return std::nullopt;
  return values.square(*tried.back().row, tried.back().column);
}

value_walk walk_of(const lookup_trace& trace, const value_choices& values, u32 step) {
  value_walk walk;
  for (std::size_t i = 0; i < trace.steps.size() && i <= step; ++i) {
    const auto column = watched_as(trace.steps[i], "to.mapping"), row = watched_as(trace.steps[i], "to.offset");
    if (!column || !row || *column >= values.columns) continue;
    value_tried now{.column = static_cast<u32>(*column), .row = std::nullopt};
    if (*row < values.rows) now.row = static_cast<u32>(*row);
    if (!walk.tried.empty() && walk.tried.back().column == now.column) {
      walk.tried.back().row = now.row;
      continue;
    }
    now.number = static_cast<u32>(walk.tried.size()) + 1;
    walk.tried.push_back(now);
  }
  return walk;
}

}  // namespace pivotscope::viz
