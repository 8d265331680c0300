// A folder of a test's own with files in it, gone afterwards; and a machine whose memory is what such files say.
#pragma once

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/workload/host_memory.hpp"

namespace pivotscope {

class file_tree {
 public:
  file_tree() {
    std::string name = (std::filesystem::temp_directory_path() / "pivotscope-tree-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) root_ = name;
  }
  ~file_tree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  file_tree(const file_tree&) = delete;
  file_tree& operator=(const file_tree&) = delete;

  const std::filesystem::path& root() const { return root_; }
  // The file is `size` bytes long, those beyond its contents zero and not on any disk; false: there may be none so
  // long.
  bool stretch(const std::filesystem::path& path, u64 size) const {
    const auto before = std::signal(SIGXFSZ, SIG_IGN);  // ulimit -f
    const bool stretched = ::truncate((root_ / path).c_str(), static_cast<off_t>(size)) == 0;
    std::signal(SIGXFSZ, before);
    return stretched;
  }
  std::filesystem::path write(const std::filesystem::path& path, std::string_view bytes) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary) << bytes;
    return root_ / path;
  }

 private:
  std::filesystem::path root_;
};

// While it lives, so much memory is free: a multiple of 1024 bytes.
class free_memory {
 public:
  explicit free_memory(u64 bytes) { set(bytes); }
  void set(u64 bytes) const { tree_.write("proc/meminfo", fmt::format("MemAvailable: {} kB\n", bytes / 1024)); }

 private:
  file_tree tree_;
  host_memory_of told_{tree_.root()};
};

}  // namespace pivotscope
