// kernel_cache: compiled kernels on disk, one file each, so that a kernel is compiled once and not in each
// run. docs/cuda.md has the format. If anything is wrong with a file, it is a miss. If anything is wrong with
// the folder, work goes on.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

// 128 bits of xxHash3 over everything that the code depends on.
struct cache_key {
  u64 low = 0, high = 0;
  bool operator==(const cache_key&) const = default;
  bool operator<(const cache_key& other) const { return std::pair(high, low) < std::pair(other.high, other.low); }
};

// Hashes the parts and their lengths, so that different lists of parts differ.
cache_key hash_parts(std::span<const std::string_view> parts);

struct cache_folder {
  std::filesystem::path path;  // empty: this user has no folder for caches
  std::string named_by;        // "--cache-folder", "PIVOTSCOPE_CACHE"; empty: the default
};

// Returns `option` if it is not empty, else $PIVOTSCOPE_CACHE, else $XDG_CACHE_HOME/pivotscope,
// else ~/.cache/pivotscope.
cache_folder choose_cache_folder(const std::string& option);

class kernel_cache {
 public:
  // Makes the folder and tries to write there. Problem: the path, the system's words, and how to name another folder.
  static outcome<kernel_cache> open(const cache_folder& folder);

  struct found {
    std::optional<std::string> code;  // nothing: a miss
    std::string note;                 // why a file that is there was not used; else empty
  };
  found load(const cache_key& key) const;

  // Writes a file beside and renames it, so that a reader sees the old file or the whole new one.
  // Returns why it failed, or "".
  std::string store(const cache_key& key, std::string_view code) const;

  std::filesystem::path file(const cache_key& key) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  explicit kernel_cache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;
};

}  // namespace pivotscope
