// What a part of a workload goes with: which of them has an effect only where others are as it needs them. One table
// for the options of the command line, which are refused without, and for lines, from which workload_from_line() drops
// them, and in which to_line() prints none.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/workload/workload.hpp"

namespace pivotscope {

struct field_need {
  std::string_view field;  // of the line: "exponent"
  std::string_view needs;  // in a line: "popularity=zipf"
  std::string_view option,
      option_needs;                      // on the command line: "--exponent", "--popularity zipf"; empty: there is none
  bool (*counts)(const workload& w);     // whether a value of it, of those that it may have, changes what is made
  void (*reset)(workload& w) = nullptr;  // to its usual value; nullptr: each line has it
};

// What others need stands before them.
std::span<const field_need> field_needs();

// The workload with all that has no effect as it usually is: what is made of it is the same.
workload without_idle(workload w);

// A line as it stands: with parts that have no effect.
struct workload_parts {
  workload load = {};
  std::vector<std::string> given = {};  // names of its parts
};
outcome<workload_parts> workload_parts_from_line(std::string_view line);
// Does it say how many lookups, ranges or successors there are?
bool says_batch(const workload_parts& parts);

// Makes it without_idle(); words for each part that was given and is dropped: "exponent=2 has no effect without
// popularity=zipf: it is left out".
std::vector<std::string> drop_idle(workload_parts& parts);

}  // namespace pivotscope
