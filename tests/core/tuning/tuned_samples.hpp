// What a tuning found, made by hand.
#pragma once

#include <string>
#include <vector>

#include "core/index/config_text.hpp"
#include "core/tuning/autotuner.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {

using testing::config_of;
using strings = std::vector<std::string>;

inline tuned_config samples(const char* line, std::vector<double> ms, bool finalist = true, u64 operations = 9900) {
  return {.config = config_of(line), .operations = operations, .samples_ms = std::move(ms), .finalist = finalist};
}
inline strings lines_of(const std::vector<index_config>& configs) {
  strings list;
  for (const index_config& config : configs) list.push_back(to_line(config));
  return list;
}

}  // namespace pivotscope
