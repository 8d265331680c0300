// Where in the source a search is, for the trace: the place of each call of the memory's vocabulary, and values under the
// source's own names. On the other machines a place is an empty value, and nothing is left of either.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

// Where nobody asks.
struct no_place {};

#if !defined(__CUDACC_RTC__)
// As a default argument: the file and the line of the call.
struct source_place {
  const char* file;
  u32 line;
  constexpr source_place(const char* file = __builtin_FILE(), u32 line = __builtin_LINE()) : file(file), line(line) {}
};
#endif

// A row id to watch: not_found is told as that.
struct watched_row {
  u32 row;
};

}  // namespace pivotscope
