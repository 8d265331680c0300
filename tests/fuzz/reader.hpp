// The readers of what others wrote, each with one body: libFuzzer feeds it (target.cpp), and a unit test feeds it the
// committed corpus (corpus_test.cpp). A body throws when the reader breaks a promise:
//   - what is refused is refused in words, on one line and of a bounded length;
//   - what is accepted is printed and read back the same, or is what a second, plain reader makes of it.
// index_case is no reader: the bytes are an index and its keys, and its answers are to be the reference's.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"

namespace pivotscope::fuzz {

struct reader {
  std::string_view name;  // of its folder under corpus/
  void (*body)(std::string_view bytes);
};
std::span<const reader> readers();

void config_line(std::string_view bytes);
void config_json(std::string_view bytes);
void workload_line(std::string_view bytes);
void scenario_line(std::string_view bytes);
void key_file(std::string_view bytes);
void key_column(std::string_view bytes);
void range_file(std::string_view bytes);
void script_file(std::string_view bytes);
void tuning_json(std::string_view bytes);
void tuning_store(std::string_view bytes);
void settings_file(std::string_view bytes);
void lesson_file(std::string_view bytes);
void keys_json(std::string_view bytes);
void index_case(std::string_view bytes);

// Throws std::logic_error with the words when it does not hold.
void demand(bool holds, std::string_view words);

// A problem is one line for a person. `bytes`: what was read, of which it may quote some.
void demand_words(const problem& refused, std::string_view bytes);
// One of a file, which may hold anything: what is quoted is cut, and printable.
void demand_file_words(const problem& refused, std::string_view bytes);

// "12" as a number up to `greatest`, digit by digit.
std::optional<u64> plain_number(std::string_view word, u64 greatest);

// A file that lives in memory, and goes with this.
class memory_file {
 public:
  explicit memory_file(std::string_view bytes);
  ~memory_file();
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  std::filesystem::path path() const;

 private:
  int number_;
};

// A pipe into which bytes were written and whose writer is gone.
class memory_pipe {
 public:
  static constexpr std::size_t longest = 1 << 12;  // that fits a pipe for certain
  explicit memory_pipe(std::string_view bytes);
  ~memory_pipe();
  memory_pipe(const memory_pipe&) = delete;
  memory_pipe& operator=(const memory_pipe&) = delete;
  std::filesystem::path path() const;

 private:
  int number_;
};

}  // namespace pivotscope::fuzz
