#include "core/families/ordered/narrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/families/ordered/mapping.hpp"
#include "core/families/ordered/words.hpp"
#include "core/index/answer_words.hpp"
#include "core/index/step_words.hpp"

namespace pivotscope {

namespace {

std::string keys_left(u64 left, u64 of) {
  if (left == 0) return "No key is left.";
  return fmt::format("{} of {} key{} {} left.", left, of, of == 1 ? "" : "s", left == 1 ? "is" : "are");
}

std::string list(const std::vector<u64>& keys) {
  // A long node is told by its ends.
  if (keys.size() > 6) return fmt::format("{}, {} … {}, {}", keys[0], keys[1], keys[keys.size() - 2], keys.back());
  std::string text;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    text += i == 0 ? "" : i + 1 == keys.size() ? " and " : ", ";
    text += std::to_string(keys[i]);
  }
  return text;
}

// What the comparisons of a step say, and what they rule out of [first, end).
std::string compare_words(const lookup_trace& trace, trace_step& step, u64& first, u64& end) {
  const u64 key = trace.key;
  std::vector<u64> smaller, greater;
  u64 equal_rank = no_rank;
  for (const comparison& c : step.compared) {
    if (c.empty) continue;
    if (c.met == relation::greater) {
      smaller.push_back(c.key);
      first = std::max(first, c.rank + 1);
    } else if (c.met == relation::less) {
      greater.push_back(c.key);
      end = std::min(end, c.rank);
    } else {
      equal_rank = std::min(equal_rank, c.rank);
    }
  }
  if (equal_rank != no_rank) {
    end = std::min(end, equal_rank + 1);
    return step.compared.front().array == ordered_region::pivots
               ? fmt::format("{} is equal to the pivot {}, which is the last key to its left: go there.", key, key)
               : fmt::format("{} is equal to {}: keep it, and see if there is an earlier one.", key, key);
  }
  if (smaller.empty() && greater.empty()) return "These slots are empty: nothing to compare.";
  std::sort(smaller.begin(), smaller.end());  // steps that shrink read backwards
  std::sort(greater.begin(), greater.end());
  if (greater.empty()) {
    return fmt::format("{} is greater than {}, so {} and everything before it is out.", key, list(smaller),
                       smaller.back());
  }
  if (smaller.empty()) {
    return fmt::format("{} is less than {}, so {} and everything after it is out.", key, list(greater),
                       greater.front());
  }
  return fmt::format("{} lies between {} and {}: what is before {} and after {} is out.", key, smaller.back(),
                     greater.front(), smaller.back(), greater.front());
}

// What a key that a range's step saw rules out of the ranks [first, end) that may be in the range.
void narrow_range(const lookup_trace& trace, const comparison& c, u64& first, u64& end) {
  if (c.empty) return;
  if (c.met == relation::greater)
    first = std::max(first, c.rank + 1);
  else if (c.key > trace.range->high)
    end = std::min(end, c.rank);
}

// A step of the search for a range's low end, and what it says of both ends.
std::string range_compare_words(const lookup_trace& trace, const trace_step& step) {
  const u64 low = trace.key, high = trace.range->high;
  std::vector<u64> before, inside, behind;
  for (const comparison& c : step.compared) {
    if (c.empty) continue;
    (c.met == relation::greater ? before : c.key > high ? behind : inside).push_back(c.key);
  }
  std::string words;
  const auto say = [&](const std::string& sentence) { words += (words.empty() ? "" : " ") + sentence; };
  for (std::vector<u64>* keys : {&before, &inside, &behind}) std::sort(keys->begin(), keys->end());
  if (!before.empty()) {
    say(fmt::format("{} is greater than {}, so {} and everything before it is out.", low, list(before), before.back()));
  }
  if (!inside.empty() && inside.front() == low && step.compared.front().array == ordered_region::entries) {
    say(fmt::format("{} is equal to {}: the range begins there, or with an equal key before it.", low, low));
  } else if (!inside.empty()) {
    say(fmt::format("{} {} in the range, which begins there or before.", list(inside),
                    inside.size() == 1 ? "is" : "are"));
  }
  if (!behind.empty()) {
    say(fmt::format("{} is less than {}, so {} and everything after it is out.", high, list(behind), behind.front()));
  }
  return words.empty() ? "These slots are empty: nothing to compare." : words;
}

std::string scan_words(const lookup_trace& trace, std::size_t i) {
  const trace_step& step = trace.steps[i];
  const u64 high = trace.range->high;
  std::vector<u64> inside;
  const comparison* outside = nullptr;
  for (const comparison& c : step.compared) {
    if (c.met == relation::equal) {
      inside.push_back(c.key);
    } else if (!outside || c.slot < outside->slot) {
      outside = &c;
    }
  }
  std::sort(inside.begin(), inside.end());  // several slots a lane: not in the order of the slots
  std::string words;
  if (!inside.empty()) {
    words = fmt::format("{} {} in the range. ", list(inside), inside.size() == 1 ? "is" : "are");
  }
  const bool handed_over = i + 1 < trace.steps.size() && trace.steps[i + 1].kind == step_kind::warp_scan &&
                           trace.steps[i + 1].level == step.level;
  if (!outside) return words + (handed_over ? "The scan is not at its end." : "That was the last slot to scan here.");
  return words + (outside->met == relation::less
                      ? fmt::format("{} is greater than {}: the scan ends.", outside->key, high)
                      : fmt::format("{} is less than {}, and it is the last key.", outside->key, trace.key));
}

std::string scan_next(const lookup_trace& trace, std::size_t i) {
  const trace_step& to = trace.steps[i + 1];
  if (to.kind == step_kind::warp_scan) {
    return "More than 32 entries: from here on all 32 lanes of the warp scan together.";
  }
  if (to.kind == step_kind::scan) {
    return fmt::format("Scan to the right from slot {}: nothing from there on is less than {}.",
                       to.compared.front().slot, trace.key);
  }
  return "On to the next level, on the path to the range's low end.";
}

// How a lookup that searches and then scans is told: of a range, or of what comes after a key.
struct scan_story {
  std::string (*search)(const lookup_trace&, const trace_step&);                 // what a step of the search says
  std::string (*scan)(const lookup_trace&, std::size_t i);                       // what a step of a scan says
  std::string (*next)(const lookup_trace&, std::size_t i);                       // on to a scan, or away from one
  void (*narrow)(const lookup_trace&, const comparison&, u64& first, u64& end);  // the ranks that are left
};

void narrate_scanning(lookup_trace& trace, const index_shape& shape, const scan_story& story) {
  // The search's own steps tell of themselves as those of a point lookup do.
  lookup_trace path = trace;
  path.steps.clear();
  for (const trace_step& step : trace.steps) {
    if (step.kind == step_kind::search) path.steps.push_back(step);
  }
  u64 first = 0, end = shape.keys;  // ranks that may be the answer, or a part of it
  std::size_t search = 0;           // in path.steps
  with_words(ordered_config::of(trace.config).order, [&](auto words) {
    if (!path.steps.empty()) trace.start = words.start(path, shape);
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
      trace_step& step = trace.steps[i];
      const bool last = i + 1 == trace.steps.size();
      if (step.kind != step_kind::search) {
        step.words = story.scan(trace, i);
        if (!last) step.next = story.next(trace, i);
      } else {
        step.words =
            step.compared.empty() ? "This step would leave the array, so nothing is read." : story.search(trace, step);
        if (!last) {
          const bool on = trace.steps[i + 1].kind == step_kind::search;
          step.next = on ? words.next(path, shape, search) : story.next(trace, i);
        }
        ++search;
      }
      for (const comparison& c : step.compared) story.narrow(trace, c, first, end);
      step.left_first = first;
      step.left_end = end;
    }
  });
}

// A step of the search for the key after one, and what it says of the next that is there.
// May this key be the answer?
bool may_be_next(const lookup_trace& trace, u64 key) {
  return takes_itself(trace.asked) ? key >= trace.key : key > trace.key;
}
const char* too_small(const lookup_trace& trace) { return takes_itself(trace.asked) ? "smaller" : "not greater"; }
const char* large_enough(const lookup_trace& trace) { return takes_itself(trace.asked) ? "not smaller" : "greater"; }

std::string successor_compare_words(const lookup_trace& trace, const trace_step& step) {
  std::vector<u64> out, greater;
  for (const comparison& c : step.compared) {
    if (!c.empty) (may_be_next(trace, c.key) ? greater : out).push_back(c.key);
  }
  for (std::vector<u64>* keys : {&out, &greater}) std::sort(keys->begin(), keys->end());
  std::string words;
  if (!out.empty()) {
    words = fmt::format("{} {} {} than {}, so {} and everything before it is out.", list(out),
                        out.size() == 1 ? "is" : "are", too_small(trace), trace.key, out.back());
  }
  if (!greater.empty()) {
    words += fmt::format("{}{} {} {} than {}: {} is {}, or lies before it.", words.empty() ? "" : " ", list(greater),
                         greater.size() == 1 ? "is" : "are", large_enough(trace), trace.key,
                         takes_itself(trace.asked) ? "the lower bound" : "what comes next", greater.front());
  }
  return words.empty() ? "These slots are empty: nothing to compare." : words;
}

// The least key that the scans before step i saw behind the one looked for, or null.
const comparison* least_before(const lookup_trace& trace, std::size_t i) {
  const comparison* least = nullptr;
  for (std::size_t s = 0; s < i; ++s) {
    if (trace.steps[s].kind == step_kind::search) continue;
    for (const comparison& c : trace.steps[s].compared) {
      if (c.met == relation::equal && (!least || c.key < least->key)) least = &c;
    }
  }
  return least;
}

std::string next_key_scan_words(const lookup_trace& trace, std::size_t i) {
  const comparison& seen = trace.steps[i].compared.front();
  if (seen.met != relation::equal)
    return fmt::format("{} is {} than {}, and it is the last key.", seen.key, too_small(trace), trace.key);
  const comparison* least = least_before(trace, i);
  if (!least) return fmt::format("{} is {} than {}: the least so far.", seen.key, large_enough(trace), trace.key);
  if (seen.key < least->key) return fmt::format("{} is less than {}: it is the least so far.", seen.key, least->key);
  return fmt::format("{} is not less than {}, which stays the least so far.", seen.key, least->key);
}

std::string next_key_scan_next(const lookup_trace& trace, std::size_t i) {
  const trace_step& to = trace.steps[i + 1];
  if (to.kind == step_kind::search)
    return fmt::format("On to the next level: a key nearer to {} may lie there.", trace.key);
  return fmt::format(
      "Look at slot {}: on this level no slot before it has a key {} than {}, and none behind it "
      "a smaller one.",
      to.compared.front().slot, large_enough(trace), trace.key);
}

void narrow_successor(const lookup_trace& trace, const comparison& c, u64& first, u64& end) {
  if (c.empty) return;
  if (may_be_next(trace, c.key))
    end = std::min(end, c.rank + 1);
  else
    first = std::max(first, c.rank + 1);
}

// Why the answer is what it is.
std::string successor_reason(const lookup_trace& trace) {
  if (trace.row == not_found) return "";
  const auto scans = std::count_if(trace.steps.begin(), trace.steps.end(),
                                   [](const trace_step& step) { return step.kind != step_kind::search; });
  return scans == 1 ? fmt::format(" It is the first key that is {}.", large_enough(trace))
                    : fmt::format(" It is the least of {} levels' first keys that are {}.", scans, large_enough(trace));
}

void narrate_lookup(lookup_trace& trace, const index_shape& shape) {
  u64 first = 0, end = shape.keys;  // ranks that are still possible
  u64 below = 0, above = 0;         // nearest keys that were seen on either side
  bool any_below = false, any_above = false;
  with_words(ordered_config::of(trace.config).order, [&](auto words) {
    if (!trace.steps.empty()) trace.start = words.start(trace, shape);
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
      trace_step& step = trace.steps[i];
      const bool last = i + 1 == trace.steps.size();
      if (step.compared.empty()) {
        step.words = "This step would leave the array, so nothing is read.";
      } else if (last && trace.row != not_found) {
        compare_words(trace, step, first, end);
        step.words = fmt::format("{} is equal to {}. Found.", trace.key, trace.key);
      } else {
        step.words = compare_words(trace, step, first, end);  // narrows first and end
        step.words += " " + keys_left(end - first, shape.keys);
      }
      for (const comparison& c : step.compared) {
        if (c.empty) continue;
        if (c.met == relation::greater && (!any_below || c.key > below)) below = c.key, any_below = true;
        if (c.met == relation::less && (!any_above || c.key < above)) above = c.key, any_above = true;
      }
      step.left_first = first;
      step.left_end = end;
      if (!last) step.next = words.next(trace, shape, i);
    }
  });
  if (trace.row != not_found || shape.keys == 0) return;
  trace.verdict = fmt::format("{} is not in the index: it would lie ", trace.key);
  trace.verdict += any_below && any_above ? fmt::format("between {} and {}.", below, above)
                   : any_below            ? fmt::format("after {}.", below)
                                          : fmt::format("before {}.", above);
}

}  // namespace

void narrate(lookup_trace& trace) {
  const index_shape shape = make_shape(ordered_config::of(trace.config), trace.keys);
  trace.verdict = answer_words(trace);
  if (trace.range) {
    narrate_scanning(trace, shape, {range_compare_words, scan_words, scan_next, narrow_range});
  } else if (trace.successor) {
    narrate_scanning(trace, shape,
                     {successor_compare_words, next_key_scan_words, next_key_scan_next, narrow_successor});
    trace.verdict += successor_reason(trace);
  } else {
    narrate_lookup(trace, shape);
  }
  for (trace_step& step : trace.steps)
    step.where = fmt::format("level {}", step.level), step.left = count_left_words(step);
}

}  // namespace pivotscope
