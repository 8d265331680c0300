// Where in a scenario one is: a step of the lookup's path, or a slot of the build; as the line has it: step=3, build=11,
// build=pivots:0.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

struct build_slot {
  std::string pass = {};  // what it writes, "pivots"; empty: the first
  u64 slot = 0;
  bool operator==(const build_slot&) const = default;
};

// At most one of the two.
struct shown_place {
  std::optional<u32> step = {};  // from 1
  std::optional<build_slot> build = {};
  bool operator==(const shown_place&) const = default;
  bool any() const { return step || build; }
};

inline constexpr u32 greatest_step = 1u << 30;

std::string to_text(const build_slot& at);  // "11", "pivots:0"
outcome<build_slot> parse_build_slot(std::string_view text);
std::string to_line(const shown_place& at);   // "step=3", "build=pivots:0"; empty for none
std::string words_of(const shown_place& at);  // "step 3", "build of pivots, slot 0"

}  // namespace pivotscope
