// Source: the files that a lookup's steps ran through, the lines that each step ran there, and the steps that ran a
// line. The lines are those of the trace (core/index/lookup_trace.hpp). Pure.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/index/lookup_trace.hpp"
#include "viz/models/source_tokens.hpp"

namespace pivotscope::viz {

struct source_file {
  std::string_view name;        // "core/families/ordered/probe.hpp"
  std::string_view short_name;  // "probe.hpp"
  std::vector<std::vector<source_token>> lines;
  std::size_t longest = 0;  // letters of the longest line
  std::vector<bool> aside;  // lines that only let a reader watch: no part of the algorithm
};

class source_model {
 public:
  explicit source_model(const lookup_trace& trace);

  // The search's own first, then what it calls.
  std::span<const source_file> files() const { return files_; }

  // A file by its name; nothing when no step ran through it.
  std::optional<std::size_t> find_file(std::string_view name) const;
  // Where the step's main line is.
  std::size_t main_file(u32 step) const;
  bool runs_through(u32 step, std::size_t file) const { return line_in(step, file) != 0; }
  // The line of the file to look at in a step: the main one, or the first that reads, or the first that ran; 0: none
  // did.
  u32 line_in(u32 step, std::size_t file) const;
  // ... and in the step after it.
  u32 next_line_in(u32 step, std::size_t file) const;
  // Which of the file's lines this one was in a step, in the order in which they ran, from 1; 0: it did not run.
  u32 place_in_step(u32 step, std::size_t file, u32 line) const;

  // The steps that ran a line, ascending.
  std::span<const u32> steps_at(std::size_t file, u32 line) const;
  // The next of them after `step`, from the end on the first one again; nothing when none did.
  std::optional<u32> step_at(std::size_t file, u32 line, u32 step) const;

 private:
  struct step_lines {
    std::vector<source_line> ran;
    u32 main_line;
  };
  std::vector<step_lines> steps_;
  std::vector<source_file> files_;
  std::map<std::pair<std::size_t, u32>, std::vector<u32>> steps_at_;  // by file and line
};

// What the source lets one watch in a step, by name.
struct watch_row {
  std::string name;    // "node[i]"
  std::string value;   // "2"; of lanes that differ "1 0 2", in their order
  std::string before;  // in the last step before that had it; empty: none
  std::optional<u32> before_step;
  std::vector<std::pair<u32, std::string>> lanes;  // when each has its own

  bool changed() const { return before_step && before != value; }
};
// What all lanes share first, then what each has for itself.
std::vector<watch_row> watch_list(const lookup_trace& trace, u32 step);

}  // namespace pivotscope::viz
