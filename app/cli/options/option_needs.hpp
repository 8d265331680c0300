// Options that have an effect only beside others, or not beside some: refused rather than ignored. Those of a
// workload's parts are in core/workload/field_needs.hpp.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pivotscope {

struct option_need {
  std::string_view command;                // empty: the program without a command
  std::vector<std::string_view> options;   // each of them
  enum : bool { beside, not_beside } how;  // has an effect only beside the other one, or none beside it
  std::string_view other;
  std::string_view value;  // that the other one must have; empty: whichever
  std::string_view why;
};

std::span<const option_need> option_needs();

// What was given to an option, "" to a flag; nothing: it was not given.
using given_value = std::function<std::optional<std::string>(std::string_view option)>;

// Words for the first of the command's options that has no effect.
std::optional<std::string> refuse_without_effect(std::string_view command, const given_value& given);

}  // namespace pivotscope
