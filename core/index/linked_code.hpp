// A method's operation in some ten lines for people who learn, and which lines of the source that runs are each of
// them: a table that a family gives in its own words (family::pseudo_code). Host only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/index/lookup_trace.hpp"

namespace pivotscope {

// Lines of a file that have this text.
struct source_mark {
  std::string_view file, text;
};

// When a step runs a line that calls nothing of the vocabulary, and so leaves no trace of its own.
enum class pseudo_when : u8 {
  by_source,  // when one of its source's lines ran
  begins,     // in the first step
  goes_on,    // in every step but the last
  ends,       // in the last step, whatever it came to
  found,      // in the last step, where the operation came to something
  absent,     // in the last step, where it came to nothing
};

struct pseudo_line {
  std::string text;  // two spaces a depth
  std::vector<source_mark> source = {};
  pseudo_when when = pseudo_when::by_source;
};
using pseudo_code = std::vector<pseudo_line>;
pseudo_code joined(pseudo_code first, const pseudo_code& then);

struct source_spot {
  std::string_view file;
  u32 line;  // from 1
  bool operator==(const source_spot&) const = default;
  bool operator<(const source_spot& other) const { return std::tie(file, line) < std::tie(other.file, other.line); }
};
// All lines of the source that are this one, file by file, ascending.
std::vector<source_spot> source_of(const pseudo_line& line);

// The lines with the source that they are in, looked up once.
class linked_code {
 public:
  explicit linked_code(pseudo_code lines);

  std::span<const pseudo_line> lines() const { return lines_; }
  std::span<const source_spot> source(std::size_t line) const { return source_[line]; }
  // Which line that one of the source is, the first of several; nothing when it is none.
  std::optional<std::size_t> line_at(const source_spot& spot) const;
  // Did the step run it?
  bool runs(std::size_t line, const lookup_trace& trace, std::size_t step) const;
  // Where in the source to look for it in a step: what the step ran of it first, else what is nearest to the step's
  // main line, else the first; nothing when it is nowhere.
  std::optional<source_spot> source_in(std::size_t line, const trace_step& step) const;

 private:
  pseudo_code lines_;
  std::vector<std::vector<source_spot>> source_;  // by line
};

}  // namespace pivotscope
