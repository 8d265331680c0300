// A lock between processes and threads, for reading a file, changing it and writing it.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "core/common/file_descriptor.hpp"
#include "core/common/outcome.hpp"

namespace pivotscope {

// Held while it lives, on a file of its own that stays: a lock on the file itself would go with its rename.
class file_lock {
 public:
  // Waits for whoever holds it. Made where it is not there.
  static outcome<file_lock> take(const std::filesystem::path& path);
  // Does not wait: nothing where another one holds it. Where the file system has no locks it is none, and none is held.
  static outcome<std::optional<file_lock>> take_free(const std::filesystem::path& path);

  // Makes `words`, 200 bytes of them at most, all that the lock's file says: for those who find it held. Once.
  status say(std::string_view words) const;

 private:
  explicit file_lock(file_descriptor file) : file_(std::move(file)) {}
  file_descriptor file_;
};

}  // namespace pivotscope
