// Where machines come from: this computer, unless a test has made some.
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
