// How much memory this process can still take before the system ends it.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

// Bytes: the least of the machine's available memory, what is left of the process's control groups, and of its address
// space (ulimit -v); the greatest u64 where none can be told. Linux promises more than it has and kills who believes
// it, so ask before a big allocation: std::bad_alloc alone never comes.
u64 available_host_memory();
// The same of a file tree that begins at `root`.
u64 available_host_memory(const std::filesystem::path& root);

// While it lives, all of the program sees the memory of the machine whose file tree begins at `root`: for tests. One at
// a time, and no other thread asks while it comes or goes.
class host_memory_of {
 public:
  explicit host_memory_of(std::filesystem::path root);
  ~host_memory_of();
  host_memory_of(const host_memory_of&) = delete;
  host_memory_of& operator=(const host_memory_of&) = delete;
};

// A problem in words when `bytes` are not there: "not enough memory: 16 GiB are needed for 2^31 keys, 3 GiB are free".
status check_host_memory(u64 bytes, std::string_view what);

// "4 GiB", "1.5 MiB", "17 bytes".
std::string bytes_text(u64 bytes);

}  // namespace pivotscope
