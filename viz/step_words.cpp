#include "viz/step_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "viz/format.hpp"
#include "viz/tree_model.hpp"

namespace pivotscope::viz {
namespace {

// What the step reads first of the entries; null: nothing.
const memory_access* first_read(const trace_step& step) {
  const auto read = std::find_if(step.accesses.begin(), step.accesses.end(),
                                 [](const memory_access& a) { return a.array == main_region; });
  return read == step.accesses.end() ? nullptr : &*read;
}

std::string slots_words(const trace_step& step) {
  const memory_access* first = first_read(step);
  if (!first) return "no entries";
  u64 low = first->slot, end = low + first->slots;
  for (const memory_access& a : step.accesses)
    if (a.array == main_region) low = std::min(low, a.slot), end = std::max(end, a.slot + a.slots);
  return end - low == 1 ? fmt::format("slot {}", grouped(low))
                        : fmt::format("slots {} to {}", grouped(low), grouped(end - 1));
}

}  // namespace

bool has_levels(const index_model& model) { return is_tree(model); }

std::optional<u64> window_of(const index_model& model, const trace_step& step) {
  const auto windows = model.windows();
  const memory_access* read = first_read(step);
  return windows && read ? std::optional(read->slot / windows->cells) : std::nullopt;
}

std::string place_words(const index_model& model, const lookup_trace& trace, u32 step) {
  const trace_step& at = trace.steps[step];
  if (has_levels(model)) return fmt::format("level {}", at.level);
  if (const auto window = window_of(model, at))
    return fmt::format("{}window {}", step == 0 ? "home " : "", grouped(*window));
  return slots_words(at);
}

std::string level_name(const index_model& model, u32 level) {
  return has_levels(model) ? fmt::format("level {}", level) : model.windows() ? "windows" : "runs";
}

std::string left_words(const index_model& model, const lookup_trace& trace, u32 step) {
  const trace_step& at = trace.steps[step];
  if (!model.windows()) return grouped(at.left_end - at.left_first) + " left";
  if (step + 1 < trace.steps.size()) return "full";
  if (trace.row != not_found) return "found";
  const bool room = std::any_of(at.compared.begin(), at.compared.end(),
                                [](const comparison& c) { return c.state == cell_state::empty; });
  return room ? "has room" : "";
}

}  // namespace pivotscope::viz
