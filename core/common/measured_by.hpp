// Which program measured: what is written down beside each measurement, so that it can be repeated.
#pragma once

#include <string>

namespace pivotscope {

struct measured_by {
  std::string program = {};  // "pivotscope 0.1.0"; empty: not known
  std::string commit = {};   // "710d93e0aabb": this_program() (app/built/this_program.hpp); empty: not known
  bool operator==(const measured_by&) const = default;
};

}  // namespace pivotscope
