// Pseudo code: an operation of a method in some ten lines, for people who learn, and the lines of the source that each
// of them stands for. A family gives it as a table in its own words (family::pseudo_code_of). Host only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/index/lookup_trace.hpp"

namespace pivotscope {

// The lines of a file that have this text.
struct source_mark {
  std::string_view file, text;
};

// In which steps a line of pseudo code ran, if it calls nothing of the vocabulary and so leaves no trace of its own.
enum class pseudo_when : u8 {
  by_source,  // when one of its source lines ran
  begins,     // in the first step
  goes_on,    // in every step but the last
  ends,       // in the last step, whatever its result
  found,      // in the last step, if the operation found something
  absent,     // in the last step, if it found nothing
};

struct pseudo_line {
  std::string text;  // two spaces for each depth
  std::vector<source_mark> source = {};
  pseudo_when when = pseudo_when::by_source;
};
using pseudo_code = std::vector<pseudo_line>;
pseudo_code joined(pseudo_code first, const pseudo_code& then);

struct source_spot {
  std::string_view file;
  u32 line;  // counted from 1
  bool operator==(const source_spot&) const = default;
  bool operator<(const source_spot& other) const { return std::tie(file, line) < std::tie(other.file, other.line); }
};
// Returns all lines of the source for a line of pseudo code, file by file, ascending.
std::vector<source_spot> source_of(const pseudo_line& line);

// Lines of pseudo code with their source lines, which are searched for once.
class linked_code {
 public:
  explicit linked_code(pseudo_code lines);

  std::span<const pseudo_line> lines() const { return lines_; }
  std::span<const source_spot> source(std::size_t line) const { return source_[line]; }
  // Returns the line of pseudo code for a line of the source, the first of several; nothing if there is none.
  std::optional<std::size_t> line_at(const source_spot& spot) const;
  // Returns true if the step ran the line.
  bool runs(std::size_t line, const lookup_trace& trace, std::size_t step) const;
  // Returns where in the source to show the line in a step: what the step ran of it first, else what is nearest to the
  // step's main line, else its first line; nothing if it is not in the source.
  std::optional<source_spot> source_in(std::size_t line, const trace_step& step) const;

 private:
  pseudo_code lines_;
  std::vector<std::vector<source_spot>> source_;  // by line
};

}  // namespace pivotscope
