// --repeats, --noise, --most-seconds, --warm-ups and --cold: how a batch is timed.
#pragma once

#include <optional>
#include <string>

#include "core/machine/machine.hpp"

namespace pivotscope {

class option_list;

struct repeat_options {
  // As typed.
  std::string repeats = "3", warm_ups = "1";
  std::optional<std::string> noise = {}, most_seconds = {};  // with repeats=auto (option_needs.hpp)
  bool cold = false;

  void add_to(option_list& to);
  outcome<batch_options> read() const;
};

// "median of 3 runs"; "median of as many runs as it takes: until the noise is 0.5% or stable, or 10 s"
std::string repeat_words(const batch_options& options);

}  // namespace pivotscope
