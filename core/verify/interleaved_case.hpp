// interleaved_case: a few concurrent operations on an index over a few keys, and their schedule. Its line replays it.
//
//   keys=5,3 before=-5 ops=+5,?5 schedule=0:3 1
//
// keys: those of the index. before: operations that are done first, one after the other, so that there is what an
// erase leaves. ops: the concurrent operations; the first is task 0 of the schedule
// (machine/interleaved/schedule.hpp), which goes to the end of the line. +5 inserts key 5, -5 erases it, ?5 finds it,
// 5..9 is the range from 5 to 9, >5 asks for the successor.
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
// Reads a line. Problem: a word that is no part of a line, or a key that does not fit the width.
outcome<interleaved_case> interleaved_case_from_text(std::string_view line, key_width width);

}  // namespace pivotscope
