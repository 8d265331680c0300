// Another program, run to its end.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/common/job_control.hpp"

namespace pivotscope {

struct ended_program {
  int status = 0;      // its exit status; 128 and the signal that ended it
  std::string output;  // what it wrote to both, the end of it where that is more than `most_output`
  static constexpr std::size_t most_output = 1u << 20;
};

// With the environment of this one, but LC_ALL=C, and no input. A cancelled control ends it and all that it started.
// Problem: it cannot be started; cancelled.
outcome<ended_program> run_program(const std::filesystem::path& path, const std::vector<std::string>& arguments,
                                   const job_control& control);

}  // namespace pivotscope
