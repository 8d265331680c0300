// view_position: what a scenario shows: a step of the lookup's path or a slot of the build, the panel in front, and the
// cells that Layout shows. In a line: step=3, build=11, build=pivots:0, panel=layout, cells=120..180.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

struct build_slot {
  std::string pass = {};  // the array that the pass writes, "pivots"; empty: the first pass
  u64 slot = 0;
  bool operator==(const build_slot&) const = default;
};

struct shown_cells {
  u64 first = 0, end = 0;  // half open, not empty
  bool operator==(const shown_cells&) const = default;
};

// At most one of `step` and `build` is set.
struct view_position {
  std::optional<u32> step = {};  // counted from 1
  std::optional<build_slot> build = {};
  std::string panel = {};  // in lower case; empty: no panel is named
  std::optional<shown_cells> cells = {};
  bool operator==(const view_position&) const = default;
  bool in_time() const { return step || build; }
  bool any() const { return in_time() || !panel.empty() || cells; }
};

inline constexpr u32 greatest_step = 1u << 30;

std::string to_text(const build_slot& at);  // "11", "pivots:0"
outcome<build_slot> parse_build_slot(std::string_view text);
outcome<shown_cells> parse_shown_cells(std::string_view text);  // "120..180"
std::string to_line(const view_position& at);  // "step=3 panel=layout cells=120..180", "build=pivots:0"; empty for none
std::string words_of(const view_position& at);  // "step 3", "build of pivots, slot 0"

}  // namespace pivotscope
