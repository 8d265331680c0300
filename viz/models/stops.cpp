#include "viz/models/stops.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/traffic/warp_step.hpp"

namespace pivotscope::viz {

std::string to_text(const stop_mark& mark, const index_model& model) {
  switch (mark.at) {
    case stop_mark::kind::level:
      return fmt::format("level {}", mark.number);
    case stop_mark::kind::slot:
      return fmt::format("slot {} of {}", mark.number, model.region(mark.array).title);
    case stop_mark::kind::key:
      return fmt::format("key {}", mark.number);
    case stop_mark::kind::sector:
      return fmt::format("sector {} of {}", mark.number, model.region(mark.array).title);
  }
  return "";
}

bool reads(const trace_step& step, const stop_mark& mark) {
  switch (mark.at) {
    case stop_mark::kind::level:
      return step.level == mark.number;
    case stop_mark::kind::key:
      return std::any_of(step.compared.begin(), step.compared.end(),
                         [&](const comparison& c) { return !c.empty && !c.keyless && c.key == mark.number; });
    case stop_mark::kind::slot:
      return std::any_of(step.accesses.begin(), step.accesses.end(), [&](const memory_access& a) {
        return a.array == mark.array && a.slot <= mark.number && mark.number < a.slot + a.slots;
      });
    case stop_mark::kind::sector:
      return std::any_of(step.accesses.begin(), step.accesses.end(), [&](const memory_access& a) {
        return touches(a, {mark.array, mark.number});
      });
  }
  return false;
}

std::optional<u32> next_stop(const lookup_trace& trace, const std::vector<stop_mark>& marks, u32 from, int direction) {
  const auto stops = [&](std::size_t step) {
    return std::any_of(marks.begin(), marks.end(),
                       [&](const stop_mark& mark) { return reads(trace.steps[step], mark); });
  };
  if (direction > 0) {
    for (std::size_t step = std::size_t{from} + 1; step < trace.steps.size(); ++step)
      if (stops(step)) return static_cast<u32>(step);
  } else {
    for (std::size_t step = std::min<std::size_t>(from, trace.steps.size()); step-- > 0;)
      if (stops(step)) return static_cast<u32>(step);
  }
  return std::nullopt;
}

void toggle(std::vector<stop_mark>& marks, const stop_mark& mark) {
  if (std::erase(marks, mark) == 0) marks.push_back(mark);
}

step_events events_of(const lookup_trace& trace, u32 step) {
  const trace_step& here = trace.steps[step];
  const auto from_scratch = [](const trace_step& s) {
    return !s.accesses.empty() && std::all_of(s.accesses.begin(), s.accesses.end(),
                                              [](const memory_access& a) { return a.space == memory_space::scratch; });
  };
  step_events out;
  out.new_level = step == 0 || trace.steps[step - 1].level != here.level;
  out.leaves_scratch = step > 0 && from_scratch(trace.steps[step - 1]) && !from_scratch(here);
  out.doubt = !here.doubt.empty();
  out.hit =
      trace.range ? std::any_of(here.compared.begin(), here.compared.end(),
                                [&](const comparison& c) {
                                  return here.kind != step_kind::search && !c.empty && c.met == relation::equal;
                                })
      : trace.successor
          ? std::any_of(here.compared.begin(), here.compared.end(),
                        [&](const comparison& c) {
                          return here.kind == step_kind::next && c.met == relation::equal &&
                                 c.key == trace.successor->key;
                        })
          : trace.row != not_found && std::any_of(here.compared.begin(), here.compared.end(), [&](const comparison& c) {
              return !c.empty && c.array == main_region && (c.keyless ? c.met == relation::hit : c.key == trace.key);
            });
  return out;
}

}  // namespace pivotscope::viz
