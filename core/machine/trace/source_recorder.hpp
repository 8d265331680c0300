// source_recorder: records of the source, for the trace machine, the lines that a step runs, each with its depth in
// calls, and the values that the source lets one watch.
#pragma once

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/common/source_text.hpp"
#include "core/index/lookup_trace.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

// Records the lines that the steps of one lookup run, and the watched values.
class source_recorder {
 public:
  // A call, as long as it lives: lines that run meanwhile are reached through it.
  class open_call {
   public:
    open_call(source_recorder& of, source_place at) : of_(of) { of_.calls_.push_back(at), of_.newest_ = {nullptr, 0}; }
    ~open_call() { of_.calls_.pop_back(), of_.newest_ = {nullptr, 0}; }
    open_call(const open_call&) = delete;
    open_call& operator=(const open_call&) = delete;

   private:
    source_recorder& of_;
  };
  open_call called_from(source_place at) { return {*this, at}; }

  // Begins another step, or another lookup.
  void begin() { newest_ = {nullptr, 0}; }
  void ran(trace_step& step, source_place at) {
    if (at.line == newest_.line && at.file == newest_.file) return;  // a loop over a node's keys
    for (u32 depth = 0; depth < calls_.size(); ++depth) place_of(step, calls_[depth], depth);
    place_of(step, at, static_cast<u32>(calls_.size()));
    newest_ = at;
  }
  // Notes that the step reads, at the line that ran last. The first such line of the search is the main one.
  void reads(trace_step& step) {
    if (step.ran.empty() || newest_.file == nullptr) return;
    const u32 here = place_of(step, newest_, 0);
    if (step.accesses.empty()) step.main_line = calls_.empty() ? here : place_of(step, calls_.front(), 0);
    if (step.ran[here].reads) return;
    step.ran[here].reads = true;
    for (const source_place& call : calls_) step.ran[place_of(step, call, 0)].reads = true;
  }

  template <class Value, class... Rest>
  void watch(trace_step& step, u32 lane, const char* name, Value value, Rest... rest) {
    watched_value seen{.name = name, .lane = lane};
    if constexpr (std::is_same_v<Value, watched_row>) {
      seen.kind = watched_kind::row, seen.value = value.row;
    } else {
      seen.kind = std::is_same_v<Value, bool> ? watched_kind::truth : watched_kind::number, seen.value = value;
    }
    const auto before = std::find_if(step.watched.begin(), step.watched.end(),
                                     [&](const watched_value& w) { return w.lane == lane && w.name == seen.name; });
    if (before == step.watched.end())
      step.watched.push_back(seen);
    else
      *before = seen;
    if constexpr (sizeof...(rest) > 0) watch(step, lane, rest...);
  }

 private:
  // Returns its place in step.ran; from now on it is there.
  static u32 place_of(trace_step& step, source_place at, u32 depth) {
    const std::string_view file = included_as(at.file);
    const auto found =
        std::find_if(step.ran.begin(), step.ran.end(), [&](const source_line& l) { return l.is_at(file, at.line); });
    const auto place = static_cast<u32>(found - step.ran.begin());
    if (found == step.ran.end()) step.ran.push_back({file, at.line, depth});
    return place;
  }

  std::vector<source_place> calls_;  // the outermost first
  source_place newest_{nullptr, 0};
};

}  // namespace pivotscope
