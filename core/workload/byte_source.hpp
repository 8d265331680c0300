// The bytes of a file or a pipe, from the beginning to the end.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/common/outcome.hpp"
#include "core/workload/file_descriptor.hpp"

namespace pivotscope {

// A regular file, block by block; or a pipe, which is taken into memory whole since its length is not known before.
class byte_source {
 public:
  // `wanted`: what the file should hold, for the words about a folder: "keys".
  static outcome<byte_source> open(const std::filesystem::path& path, std::string_view wanted);

  const std::string& name() const { return name_; }
  u64 size() const { return size_; }

  // Fewer bytes than asked only at the end.
  outcome<std::size_t> read(std::span<char> out);

  static constexpr std::size_t block_bytes = 4 << 20;

 private:
  byte_source() = default;
  status take_pipe();

  std::string name_;
  file_descriptor file_;
  u64 size_ = 0;
  bool in_memory_ = false;
  std::vector<char> taken_;
  std::size_t position_ = 0;
};

}  // namespace pivotscope
