#include "core/index/step_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/index/model.hpp"

namespace pivotscope {

std::string slots_read_words(const trace_step& step) {
  u64 low = no_rank, end = 0;
  for (const memory_access& a : step.accesses)
    if (a.array == main_region) low = std::min(low, a.slot), end = std::max(end, a.slot + a.slots);
  if (end == 0) return "no entries";
  return end - low == 1 ? fmt::format("slot {}", low) : fmt::format("slots {} to {}", low, end - 1);
}

std::string count_left_words(const trace_step& step) { return fmt::format("{} left", step.left_end - step.left_first); }

std::string held_words(const held_thing& held) {
  const std::string words = fmt::format("{} {}", held.name, held.value);
  return held.kind == held_kind::entry && held.row != not_found ? fmt::format("{}, row {}", words, held.row) : words;
}

std::string_view relation_name(relation met) {
  switch (met) {
    case relation::less:
      return "less";
    case relation::equal:
      return "equal";
    case relation::greater:
      return "greater";
    case relation::other:
      return "other";
    case relation::tag:
      return "tag";
    case relation::hit:
      return "hit";
    case relation::miss:
      return "miss";
  }
  return "";
}

const char* relation_sign(relation met) {
  switch (met) {
    case relation::less:
      return "<";
    case relation::equal:
      return "=";
    case relation::greater:
      return ">";
    case relation::other:
      return "\u2260";
    case relation::tag:
      return "~";
    case relation::hit:
      return "hit";
    case relation::miss:
      return "miss";
  }
  return "";
}

}  // namespace pivotscope
