// --config LINE, which may be given any number of times.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options/workload_options.hpp"

namespace pivotscope {

struct config_options {
  std::string standard = {};            // stands for none given
  std::vector<std::string> lines = {};  // as typed

  // `each`: what the output has of each, as "a row of the table".
  void add_to(option_list& to, std::string_view each);

  outcome<std::vector<typed_config>> read() const;
  // Where none is given, keys are as wide as the workload needs. Problem: that of its files.
  status set_width(std::vector<typed_config>& configs, const workload_options& options, const workload& w,
                   const job_control& control) const;
};

}  // namespace pivotscope
