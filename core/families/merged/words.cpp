#include "core/families/merged/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/families/merged/merged.hpp"
#include "core/index/answer_words.hpp"
#include "core/index/step_words.hpp"

namespace pivotscope {
namespace {

std::string keys_left(u64 left, u64 of) {
  return left == 0 ? "No key is left."
                   : fmt::format("{} of {} key{} {} left.", left, of, of == 1 ? "" : "s", left == 1 ? "is" : "are");
}

std::string entries_words(u64 n) {
  return n == 0 ? "No entry is" : n == 1 ? "1 entry is" : fmt::format("{} entries are", n);
}
std::string keys_words(u64 first, u64 count) {
  return count == 1 ? fmt::format("is the key in slot {}", first)
                    : fmt::format("are the keys in slots {} to {}", first, first + count - 1);
}
const char* look_at_last(u64 count) { return count == 1 ? "" : " Look at the last of them."; }

class merged_teller {
 public:
  explicit merged_teller(lookup_trace& trace) : trace_(trace), end_(trace.keys) {}

  void tell() {
    const u32 first_step = merged_first_step(static_cast<u32>(trace_.keys));
    if (!trace_.steps.empty())
      trace_.start = fmt::format("The first step is {}, the greatest power of two up to n: {} {}?{}", first_step,
                                 keys_words(0, first_step), too_small(), look_at_last(first_step));
    u32 length = first_step;
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      trace_step& step = trace_.steps[i];
      const bool search = step.kind == step_kind::search && length > 0;
      if (search)
        tell_search(step, length), length /= 2;
      else if (trace_.range)
        tell_scan(step, i);
      else
        tell_arrival(step);
      step.where = search ? fmt::format("level {}", step.level) : slots_read_words(step);
      if (i + 1 < trace_.steps.size()) step.next = next_words(trace_.steps[i + 1], length);
      step.left_first = first_, step.left_end = std::max(first_, end_);
      step.left = count_left_words(step);
    }
    trace_.verdict = answer_words(trace_);
    if (!trace_.range && !trace_.successor && trace_.row == not_found && trace_.keys > 0)
      trace_.verdict += place_words();
  }

 private:
  bool finds() const { return !trace_.range && !trace_.successor; }
  bool after_key() const { return trace_.successor && !takes_itself(trace_.asked); }
  const char* too_small() const { return after_key() ? "not greater" : "smaller"; }

  // One step of the search for the first entry that is large enough: first_ entries are known to be too small.
  void tell_search(trace_step& step, u64 length) {
    if (step.compared.empty()) {
      step.words = fmt::format("Slot {} would be behind the last entry, so nothing is read.", first_ + length - 1);
      return;
    }
    const comparison& c = step.compared.front();
    if (c.met == relation::greater) {
      first_ = c.rank + 1, below_ = c.key;
      step.words =
          fmt::format("{} is {} than {}: it and {} before it are out.", c.key, after_key() ? "not greater" : "less",
                      trace_.key, c.rank == 0 ? "what is" : "all entries");
    } else {
      step.words = tell_large_enough(c);
    }
    step.words += " " + keys_left(end_ - first_, trace_.keys);
  }
  // The key is large enough, so what is looked for begins there or before.
  std::string tell_large_enough(const comparison& c) {
    above_ = c.key;
    if (trace_.range && c.key > trace_.range->high) {
      end_ = c.rank;
      return fmt::format("{} is greater than {}: it and all entries after it are out.", c.key, trace_.range->high);
    }
    if (trace_.range) return fmt::format("{} is in the range, which begins there or before.", c.key);
    if (after_key() && c.key == trace_.key) {
      end_ = c.rank;
      return fmt::format("{} is the greatest value that a key can have: nothing comes after it.", c.key);
    }
    end_ = c.rank + (finds() && c.key != trace_.key ? 0 : 1);
    if (trace_.successor)
      return fmt::format("{} is {} than {}: the answer is there or before.", c.key,
                         after_key() ? "greater" : "not less", trace_.key);
    if (c.key == trace_.key) return fmt::format("{} is equal: keep it, and see if there is an earlier one.", c.key);
    return fmt::format("{} is greater than {}: it and all entries after it are out.", c.key, trace_.key);
  }

  // The entry that a lookup, or a search for the next key, arrived at.
  void tell_arrival(trace_step& step) {
    const comparison& c = step.compared.front();
    if (trace_.row != not_found) {
      first_ = c.rank, end_ = c.rank + 1;
      step.words = finds() ? fmt::format("Slot {} has the key {}. Found.", c.slot, c.key)
                           : fmt::format("Slot {} has the key {}: the first that is {}.", c.slot, c.key,
                                         after_key() ? "greater" : "not smaller");
      return;
    }
    first_ = end_ = c.rank;
    step.words = finds() ? fmt::format("Slot {} has the first key that is not smaller: {}, and not {}.", c.slot, c.key,
                                       trace_.key)
                         : fmt::format("Slot {} has the key {}. No key value is greater.", c.slot, c.key);
  }

  void tell_scan(trace_step& step, std::size_t i) {
    const u64 count = static_cast<u64>(std::count_if(step.compared.begin(), step.compared.end(),
                                                     [](const auto& c) { return c.met == relation::equal; }));
    const auto outside = std::find_if(step.compared.begin(), step.compared.end(),
                                      [](const auto& c) { return c.met != relation::equal; });
    if (count > 0) step.words = fmt::format("{} in the range. ", entries_words(count));
    if (outside != step.compared.end())
      step.words += fmt::format("{} is greater than {}: the scan ends.", outside->key, trace_.range->high);
    else if (i + 1 < trace_.steps.size())
      step.words += "The scan is not at its end.";
    else
      step.words += "That was the last entry of the array.";
    if (i + 1 == trace_.steps.size()) end_ = first_ + trace_.range->answer.count;
  }

  // `length`: of the next step of the search; 0 after the last one.
  std::string next_words(const trace_step& to, u64 length) const {
    if (to.kind == step_kind::warp_scan)
      return fmt::format("More than {} entries: from here on all 32 lanes of the warp read together.", merged_alone);
    if (length == 0)
      return fmt::format("{} {}: {} slot {}.", entries_words(first_), too_small(),
                         trace_.range ? "read on from" : "look at the one behind,", first_);
    return fmt::format("Halve the step to {}: {} {}?{}", length, keys_words(first_, length), too_small(),
                       look_at_last(length));
  }

  std::string place_words() const {
    std::string words = " It would lie ";
    if (below_ && above_) return words + fmt::format("between {} and {}.", *below_, *above_);
    return words + (below_ ? fmt::format("after {}.", *below_) : fmt::format("before {}.", *above_));
  }

  lookup_trace& trace_;
  u64 first_ = 0;                     // so many entries are known to be too small
  u64 end_;                           // of what is still possible, by rank
  std::optional<u64> below_, above_;  // the nearest keys that were seen on either side
};

}  // namespace

void tell_merged(lookup_trace& trace) { merged_teller(trace).tell(); }

}  // namespace pivotscope
