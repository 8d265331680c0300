#include "core/run/view_position.hpp"

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

outcome<shown_cells> parse_shown_cells(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == text.npos) return problem{"cells: the first one and the end that is shown, such as 120..180"};
  const outcome<u64> first = parse_count(text.substr(0, dots), "cells", 0, ~0ull);
  if (!first) return first.error();
  const outcome<u64> end = parse_count(text.substr(dots + 2), "cells", 0, ~0ull);
  if (!end) return end.error();
  if (*end <= *first) return problem{fmt::format("cells: {} is not behind {}", *end, *first)};
  return shown_cells{*first, *end};
}

std::string to_line(const view_position& at) {
  std::string line = at.build ? "build=" + to_text(*at.build) : at.step ? fmt::format("step={}", *at.step) : "";
  const auto add = [&](const std::string& word) { line += (line.empty() ? "" : " ") + word; };
  if (!at.panel.empty()) add("panel=" + at.panel);
  if (at.cells) add(fmt::format("cells={}..{}", at.cells->first, at.cells->end));
  return line;
}

std::string words_of(const view_position& at) {
  if (at.build)
    return fmt::format("build{}{}, slot {}", at.build->pass.empty() ? "" : " of ", at.build->pass, at.build->slot);
  return at.step ? fmt::format("step {}", *at.step) : "";
}

}  // namespace pivotscope
