#include "core/index/box_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace pivotscope {

bool tell_boxes_met(trace_step& step, scene_regions in, const std::string& who) {
  std::vector<u64> met;
  for (const comparison& c : step.compared)
    if (c.array == in.boxes && c.met == relation::hit) met.push_back(c.slot);
  if (met.empty()) return false;
  step.brief = fmt::format("box {}", met.front());
  if (met.size() == 1) {
    step.words = fmt::format("{} meets box {}.", who, met.front());
    step.next = "Down to what is in that box.";
  } else {
    step.words = fmt::format("{} meets {} of these boxes: {}.", who, met.size(), fmt::join(met, ", "));
    step.next = fmt::format("Down to what is in box {}. {}", met.front(),
                            met.size() == 2 ? "The other one waits." : "The others wait.");
  }
  return true;
}

std::string back_words(const trace_step& next) {
  return fmt::format("Back up to level {}, and down into the next box that waits there.", next.level - 1);
}

}  // namespace pivotscope
