#include "core/families/lsm/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/families/lsm/lsm_model.hpp"
#include "core/index/answer_words.hpp"
#include "core/index/step_words.hpp"

namespace pivotscope {
namespace {

std::string entries_words(u64 n) { return n == 1 ? "1 entry" : fmt::format("{} entries", n); }
std::string are_left(u64 n, u64 of, u32 level) {
  if (n == 0) return fmt::format("Level {} does not have it.", level);
  return fmt::format("{} of {} {} left on level {}.", n, of, n == 1 ? "is" : "are", level);
}

class lsm_teller {
 public:
  lsm_teller(lookup_trace& trace, const stored_index& index)
      : trace_(trace), lsm_(index.state_as<lsm_view>()), model_(lsm_config::of(index.config()), lsm_) {
    for (u32 level = 0; level < lsm_.levels; ++level) left_[level].end = lsm_.counts[level];
  }

  void tell() {
    if (!trace_.steps.empty()) trace_.start = start_words();
    length_ = lsm_first_step(finds() ? lsm_.counts[newest_] : most());
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      trace_step& step = trace_.steps[i];
      const trace_step* const next = i + 1 < trace_.steps.size() ? &trace_.steps[i + 1] : nullptr;
      if (finds())
        tell_find(step, next);
      else if (step.kind == step_kind::search)
        tell_bounds(step, *next);
      else if (trace_.range)
        tell_range(step, next);
      else
        tell_next(step, next);
      if (!finds()) step.where = levels_words();
      say_left(step);
    }
    trace_.verdict = answer_words(trace_) + tombstone_words_;
  }

 private:
  struct part {
    u64 first = 0, end = 0;  // slots of a level that may still be asked for
    u64 size() const { return end - first; }
  };

  bool finds() const { return !trace_.range && !trace_.successor; }
  u32 level_of(const comparison& c) const { return model_.describe(c.array, c.slot).level; }
  u64 slot_of(const comparison& c) const { return c.slot - lsm_.first_cell(level_of(c)); }
  // The slot that the step is to look at.
  u64 next_slot(u32 level) const { return lsm_.first_cell(level) + left_[level].first + length_ - 1; }
  u32 oldest() const { return lsm_.levels - 1; }
  u32 most() const { return *std::max_element(lsm_.counts, lsm_.counts + lsm_.levels); }

  std::string start_words() {
    while (lsm_.counts[newest_] == 0) ++newest_;
    if (finds())
      return fmt::format("The newest level with entries is level {}. It has {}, so the first step is {}.", newest_,
                         entries_words(lsm_.counts[newest_]), lsm_first_step(lsm_.counts[newest_]));
    return fmt::format(
        "The lanes of the warp take a level each. The fullest has {}, so the first step is {} on all levels.",
        entries_words(most()), lsm_first_step(most()));
  }
  std::string levels_words() const {
    return lsm_.levels == 1 ? "level 0" : fmt::format("levels 0 to {}", lsm_.levels - 1);
  }

  // --- A single key: level by level ---
  void tell_find(trace_step& step, const trace_step* next) {
    const u32 level = step.level;
    part& here = left_[level];
    step.where = fmt::format("level {}", level);
    if (step.compared.empty()) {
      step.words = fmt::format("Slot {} would be behind the last entry of level {}, so nothing is read.",
                               next_slot(level), level);
    } else {
      const comparison& c = step.compared.front();
      const u64 slot = slot_of(c);
      if (c.met == relation::equal) {
        here = {slot, slot + 1};
        return tell_version(step, c, level);
      }
      if (c.met == relation::greater)
        here.first = slot + 1;
      else
        here.end = slot;
      step.words = fmt::format("{} is {} than {}: it and {} on this level are out. {}", c.key,
                               c.met == relation::greater ? "less" : "greater", trace_.key,
                               c.met == relation::greater ? "what is before it" : "what is behind it",
                               are_left(here.size(), lsm_.counts[level], level));
    }
    if (!next) {
      here.end = here.first;
      return;
    }
    if (next->level == level) {
      length_ /= 2;
      step.next = fmt::format("Halve the step to {}: look at slot {}.", length_, next_slot(level));
      return;
    }
    here.end = here.first;
    length_ = lsm_first_step(lsm_.counts[next->level]);
    step.next = fmt::format("An older version may be on level {}. It has {}, so the first step is {}.", next->level,
                            entries_words(lsm_.counts[next->level]), length_);
  }
  // The key's newest version.
  void tell_version(trace_step& step, const comparison& c, u32 level) {
    const std::string older = level < oldest() ? " Older levels are not asked: what they have of it is shadowed." : "";
    for (u32 l = level + 1; l < lsm_.levels; ++l) left_[l] = {};
    if (c.state != cell_state::erased) {
      step.words = fmt::format("Level {} has {}, in slot {}. Found.{}", level, c.key, c.slot, older);
      return;
    }
    left_[level] = {};
    step.words =
        fmt::format("Level {} has a tombstone of {}, in slot {}: it was erased.{}", level, c.key, c.slot, older);
    tombstone_words_ = fmt::format(" It was erased: level {} has its tombstone.", level);
  }

  // --- All levels at once ---
  void tell_bounds(trace_step& step, const trace_step& next) {
    u64 small = 0;
    for (const comparison& c : step.compared) {
      part& there = left_[level_of(c)];
      if (c.met == relation::greater)
        there.first = slot_of(c) + 1, ++small;
      else if (trace_.range && c.key > trace_.range->high)
        there.end = slot_of(c);
    }
    const u64 read = step.compared.size();
    const std::string_view too_small =
        trace_.successor && !takes_itself(trace_.asked) ? "not greater than" : "less than";
    if (read == 0)
      step.words = "The slot would be behind the last entry on every level, so nothing is read.";
    else if (small == 0)
      step.words = read == 1
                       ? fmt::format("{} on level {} is large enough: what is behind it is out.", step.compared[0].key,
                                     level_of(step.compared[0]))
                       : fmt::format("{} keys, one a level, are all large enough: what is behind them is out.", read);
    else if (read == 1)
      step.words = fmt::format("{} is {} {}: it and what is before it on level {} are out.", step.compared[0].key,
                               too_small, trace_.key, level_of(step.compared[0]));
    else
      step.words = fmt::format("Of {} keys, one a level, {} {} {} {}: {} and what is before {} are out.", read, small,
                               small == 1 ? "is" : "are", too_small, trace_.key, small == 1 ? "it" : "they",
                               small == 1 ? "it" : "them");
    length_ /= 2;
    step.next = next.kind == step_kind::search
                    ? fmt::format("Halve the step to {}, on all levels.", length_)
                    : "Each lane has the first entry of its level that is large enough: compare these.";
  }

  // What a scan's step sees: the lanes' entries, and the least of them.
  const comparison* least_of(const trace_step& step, u32 levels) const {
    const comparison* least = nullptr;
    for (const comparison& c : step.compared)
      if (level_of(c) < levels && (!least || c.key < least->key)) least = &c;
    return least;
  }
  std::string shadowed_words(const trace_step& step, const comparison& newest) const {
    std::vector<u32> levels;
    for (const comparison& c : step.compared)
      if (&c != &newest && c.key == newest.key) levels.push_back(level_of(c));
    if (levels.empty()) return {};
    if (levels.size() == 1) return fmt::format(" Its older version on level {} is shadowed.", levels[0]);
    const u32 last = levels.back();
    levels.pop_back();
    return fmt::format(" Its older versions on levels {} and {} are shadowed.", fmt::join(levels, ", "), last);
  }
  // All levels that have the key go on behind it.
  void pass_by(const trace_step& step, u64 key) {
    for (const comparison& c : step.compared)
      if (c.key == key) left_[level_of(c)].first = slot_of(c) + 1;
  }

  void tell_range(trace_step& step, const trace_step* next_step) {
    const comparison* const next = least_of(step, oldest());
    u64 taken = 0;
    for (const comparison& c : step.compared)
      if (level_of(c) == oldest() && c.key <= trace_.range->high && (!next || c.key < next->key))
        ++taken, left_[oldest()].first = slot_of(c) + 1;
    step.words = fmt::format("{} of level {} {} in the range{}. ", taken == 0 ? "No entry" : entries_words(taken),
                             oldest(), taken < 2 ? "is" : "are",
                             next ? fmt::format(" and below {}, the least key of the newer levels", next->key) : "");
    if (taken == lsm_warp) {
      step.words += "All 32 lanes took one.";
    } else if (!next || next->key > trace_.range->high) {
      step.words += next ? fmt::format("{} is greater than {}: the scan ends.", next->key, trace_.range->high)
                         : "No newer level has a key left: the scan ends.";
    } else {
      step.words += fmt::format("{} comes next. Level {} has its newest version{}.{}", next->key, level_of(*next),
                                next->state == cell_state::erased ? ", a tombstone: it does not count" : "",
                                shadowed_words(step, *next));
      pass_by(step, next->key);
    }
    if (next_step)
      step.next = taken == lsm_warp ? fmt::format("Read on on level {}.", oldest())
                                    : fmt::format("The levels that have {} go on behind it.", next->key);
    else
      std::fill(left_.begin(), left_.end(), part{});
  }

  void tell_next(trace_step& step, const trace_step* next_step) {
    const comparison* const next = least_of(step, lsm_.levels);
    if (!next) {
      step.words = "No level has a key left.";
      std::fill(left_.begin(), left_.end(), part{});
      return;
    }
    step.words = fmt::format(
        "{} is the least key of all levels. Level {} has its newest version{}.{}", next->key, level_of(*next),
        next->state == cell_state::erased ? ", a tombstone: it was erased" : ": this is the answer",
        shadowed_words(step, *next));
    if (next_step) {
      pass_by(step, next->key);
      step.next = fmt::format("The levels that have {} go on behind it.", next->key);
      return;
    }
    std::fill(left_.begin(), left_.end(), part{});
    left_[level_of(*next)] = {slot_of(*next), slot_of(*next) + 1};
  }

  // The cells from the first that may be asked for to the last.
  void say_left(trace_step& step) const {
    u64 count = 0;
    step.left_first = step.left_end = 0;
    for (u32 level = 0; level < lsm_.levels; ++level) {
      const part& there = left_[level];
      if (there.first >= there.end) continue;
      if (count == 0) step.left_first = lsm_.first_cell(level) + there.first;
      step.left_end = lsm_.first_cell(level) + there.end;
      count += there.size();
    }
    step.left = fmt::format("{} left", count);
  }

  lookup_trace& trace_;
  const lsm_view& lsm_;
  const lsm_model model_;
  std::array<part, lsm_most_levels> left_{};
  u32 newest_ = 0;  // level that has entries
  u64 length_ = 0;  // of the step
  std::string tombstone_words_;
};

}  // namespace

void tell_lsm(lookup_trace& trace, const stored_index& index) { lsm_teller(trace, index).tell(); }

}  // namespace pivotscope
