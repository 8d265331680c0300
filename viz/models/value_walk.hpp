// Which values of a cell the steps of an insert have tried (core/index/value_choices.hpp). Pure.
#pragma once

#include <optional>
#include <vector>

#include "core/index/lookup_trace.hpp"
#include "core/index/value_choices.hpp"

namespace pivotscope::viz {

struct value_tried {
  u32 number = 0;  // 1 for the first
  u32 column = 0;
  std::optional<u32>
      row;  // with which all keys fit, or which was the least evil; nothing: no value of the column was taken
};

struct value_walk {
  std::vector<value_tried> tried;  // in their order, each column once

  std::optional<u32> last_square(const value_choices& values) const;
};

// Those of steps 0 to `step`, both included.
value_walk walk_of(const lookup_trace& trace, const value_choices& values, u32 step);

}  // namespace pivotscope::viz
