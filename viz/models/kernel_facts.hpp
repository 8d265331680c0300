// What the compiler and the driver say of the lookup kernel, told beside the knob that causes it. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "viz/models/session_view.hpp"

namespace pivotscope::viz {

struct knob_fact {
  std::string name, value;
  std::string meaning;    // on hover
  bool computed = false;  // from the config; else the compiler's or the driver's own word
};

// The facts to stand under an axis of the config, by its name; most axes have none.
std::vector<knob_fact> facts_beside(std::string_view axis, const session_view& session);
// Why there are no figures of a kernel, or how they came about: "CPU: no kernel, lanes are loops".
std::string kernel_remark(const session_view& session);

const char* origin_words(kernel_info::source origin);  // "compiled now"

}  // namespace pivotscope::viz
