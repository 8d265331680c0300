// A few operations that are done at once to an index over a few keys, and when each has its turn: a line that replays it.
//
//   keys=5,3 before=-5 ops=+5,?5 schedule=0:3 1
//
// keys: of the input. before: what is done first, one operation after the other, so that there is what an erase leaves. ops: at
// once, the first is operation 0 of the schedule (core/machine/interleaved/schedule.hpp), which goes to the line's end. +5 inserts key
// 5, -5 erases it, ?5 finds it, 5..9 is the range from 5 to 9, >5 asks for the successor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/machine/interleaved/schedule.hpp"
#include "core/workload/script.hpp"

namespace pivotscope {

struct interleaved_case {
  std::vector<u64> keys = {};
  std::vector<question> before = {}, operations = {};
  schedule order = {};
  bool operator==(const interleaved_case&) const = default;
};

std::string to_text(const interleaved_case& c);
// Problem: what is no part of a line, or a key that does not fit the width.
outcome<interleaved_case> interleaved_case_from_text(std::string_view line, key_width width);

}  // namespace pivotscope
