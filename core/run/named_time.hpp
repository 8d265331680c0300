// What the stages of a build took, by their names, and as text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/machine/machine.hpp"

namespace pivotscope {

// A stage, "bound groups"; of one that was run several times, all runs together.
struct named_time {
  std::string name = {};
  double ms = 0;

  bool operator==(const named_time&) const = default;
};

// In the order in which each was first run. By the medians.
std::vector<named_time> named_times(std::span<const stage_time> times);

// "build entries=1.25; bound groups=0.5", and back. Problem: it is no such text.
std::string to_text(std::span<const named_time> times);
outcome<std::vector<named_time>> named_times_from_text(std::string_view text);

}  // namespace pivotscope
