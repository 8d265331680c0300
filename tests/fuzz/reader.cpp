#include "tests/fuzz/reader.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

namespace pivotscope::fuzz {
namespace {

constexpr reader all[] = {
    {"config_line", config_line},     {"config_json", config_json}, {"workload_line", workload_line},
    {"scenario_line", scenario_line}, {"key_file", key_file},       {"key_column", key_column},
    {"range_file", range_file},       {"tuning_json", tuning_json}, {"tuning_store", tuning_store},
    {"settings_file", settings_file}, {"lesson_file", lesson_file}, {"keys_json", keys_json},
    {"script_file", script_file},     {"index_case", index_case},
};

void write_all(int number, std::string_view bytes) {
  demand(::write(number, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "the input is written");
}

std::filesystem::path path_of(int number) { return fmt::format("/proc/self/fd/{}", number); }

}  // namespace

std::span<const reader> readers() { return all; }

void demand(bool holds, std::string_view words) {
  if (!holds) throw std::logic_error(std::string(words));
}

void demand_words(const problem& refused, std::string_view bytes) {
  demand(!refused.cancelled, "nobody cancelled");
  demand(!refused.words.empty(), "a refusal has words");
  demand(refused.words.find("json.exception") == refused.words.npos, "a refusal is in words of our own");
  demand(refused.words.size() <= 2000 + 8 * bytes.size(), "a refusal is not endless");
}

void demand_file_words(const problem& refused, std::string_view bytes) {
  demand_words(refused, bytes);
  demand(refused.words.size() < 400, "what is quoted of a file is cut");
  for (const char c : refused.words) demand(c >= 0x20 && c < 0x7f, "what is quoted of a file is printable");
}

std::optional<u64> plain_number(std::string_view word, u64 greatest) {
  if (word.empty()) return std::nullopt;
  __extension__ unsigned __int128 value = 0;
  for (const char c : word) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<unsigned>(c - '0');
    if (value > greatest) return std::nullopt;
  }
  return static_cast<u64>(value);
}

memory_file::memory_file(std::string_view bytes) : number_(::memfd_create("input", MFD_CLOEXEC)) {
  write_all(number_, bytes);
}
memory_file::~memory_file() { ::close(number_); }
std::filesystem::path memory_file::path() const { return path_of(number_); }

memory_pipe::memory_pipe(std::string_view bytes) {
  int ends[2] = {};
  demand(::pipe(ends) == 0, "a pipe is there");
  number_ = ends[0];
  write_all(ends[1], bytes);
  ::close(ends[1]);
}
memory_pipe::~memory_pipe() { ::close(number_); }
std::filesystem::path memory_pipe::path() const { return path_of(number_); }

}  // namespace pivotscope::fuzz
