// Places in the source, for the trace. Each call of the memory's vocabulary records its file and line, and a search
// names values to watch. On the other machines a place is an empty value, and neither costs anything.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

// The place on machines that do not record it.
struct no_place {};

#if !defined(__CUDACC_RTC__)
// The file and the line of a call, when it is a default argument of the function that is called.
struct source_place {
  const char* file;
  u32 line;
  constexpr source_place(const char* file = __builtin_FILE(), u32 line = __builtin_LINE()) : file(file), line(line) {}
};
#endif

// A row id to watch. The value not_found is shown by its name.
struct watched_row {
  u32 row;
};

}  // namespace pivotscope
