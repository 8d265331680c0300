// The bytes of a file or a pipe, from the beginning to the end.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/common/file_descriptor.hpp"
#include "core/common/job_control.hpp"
#include "core/common/outcome.hpp"

namespace pivotscope {

// A regular file, block by block; or a pipe or device, which is taken into memory whole since its length is not known
// before: as much of it as fits into the free memory twice, once as it is and once for what is made of it.
class byte_source {
 public:
  // `wanted`: what the file should hold, for the words: "keys". Waits for who writes into a pipe, until `control` is
  // cancelled.
  static outcome<byte_source> open(const std::filesystem::path& path, std::string_view wanted,
                                   const job_control& control);

  const std::string& name() const { return name_; }
  u64 size() const { return size_; }

  // Fewer bytes than asked only at the end.
  outcome<std::size_t> read(std::span<char> out);

  static constexpr std::size_t block_bytes = 4 << 20;

 private:
  // Room for block_bytes. What is not filled is not touched, and takes no memory.
  struct block {
    std::unique_ptr<char[]> bytes = std::make_unique_for_overwrite<char[]>(block_bytes);
    std::size_t held = 0;
  };

  byte_source() = default;
  status take_stream(std::string_view wanted, const job_control& control);
  status make_room(std::string_view wanted);

  std::string name_;
  file_descriptor file_;
  u64 size_ = 0;
  bool in_memory_ = false;
  std::deque<block> taken_;   // each let go once it is read
  std::size_t position_ = 0;  // in the first of them
};

// read(source), with words where there is no memory for what it makes.
template <class Read>
std::invoke_result_t<Read, byte_source&> read_file(const std::filesystem::path& path, std::string_view wanted,
                                                   const job_control& control, const Read& read) {
  try {
    control.progress("reading " + path.string(), 0);
    outcome<byte_source> source = byte_source::open(path, wanted, control);
    if (!source) return source.error();
    return read(*source);
  } catch (const std::bad_alloc&) {
    return problem{"not enough memory to read " + path.string()};
  }
}

}  // namespace pivotscope
