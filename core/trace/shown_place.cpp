#include "core/trace/shown_place.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/workload/workload.hpp"

namespace pivotscope {

std::string to_text(const build_slot& at) {
  return fmt::format("{}{}{}", at.pass, at.pass.empty() ? "" : ":", at.slot);
}

outcome<build_slot> parse_build_slot(std::string_view text) {
  constexpr std::size_t longest_name = 32;
  build_slot at;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    at.pass = text.substr(0, colon);
    text.remove_prefix(colon + 1);
    const bool named = std::all_of(at.pass.begin(), at.pass.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (!named || at.pass.empty() || at.pass.size() > longest_name)
      return problem{"build: before ':' stands what a pass of the build writes, such as pivots:0"};
  }
  const outcome<u64> slot = parse_count(text, "build", 0, ~0ull);
  if (!slot) return slot.error();
  at.slot = *slot;
  return at;
}

std::string to_line(const shown_place& at) {
  if (at.build) return "build=" + to_text(*at.build);
  return at.step ? fmt::format("step={}", *at.step) : "";
}

std::string words_of(const shown_place& at) {
  if (at.build)
    return fmt::format("build{}{}, slot {}", at.build->pass.empty() ? "" : " of ", at.build->pass, at.build->slot);
  return at.step ? fmt::format("step {}", *at.step) : "";
}

}  // namespace pivotscope
