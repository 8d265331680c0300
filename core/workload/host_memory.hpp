// How much memory this process can still take before the system ends it.
#pragma once

#include <string_view>

#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

// Bytes: the machine's available memory or what is left of the process's control group, whichever is less; the greatest
// u64 where neither can be told. Linux promises more than it has and kills who believes it, so ask before a big
// allocation: std::bad_alloc alone never comes.
u64 available_host_memory();

// A problem in words when `bytes` are not there: "16 GiB of memory are needed for the keys; 3 GiB are free".
status check_host_memory(u64 bytes, std::string_view what);

// "4 GiB", "1.5 MiB", "17 bytes".
std::string bytes_text(u64 bytes);

}  // namespace pivotscope
