// Where machines come from: this computer, or those that a test has made.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/machine/machine.hpp"

namespace pivotscope {

struct machine_source {
  std::function<std::vector<machine_report>()> find = find_machines;
  std::function<outcome<std::unique_ptr<machine>>(machine_kind, const machine_options&)> open = open_machine;
};

}  // namespace pivotscope
