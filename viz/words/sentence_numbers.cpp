#include "viz/words/sentence_numbers.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <vector>

#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

using words = std::vector<std::string_view>;

// Before a number: it is a place.
constexpr std::array places = {"slot",    "slots",   "leaf",   "leaves", "block", "blocks", "window",
                               "windows", "cell",    "cells",  "Cell",   "Slot",  "Leaf",   "bucket",
                               "Block",   "entries", "Window", "Bucket", "step",  "Step"};
// Behind it: it is a count.
constexpr std::array counted = {"keys",    "key",   "entries", "entry", "left",  "buckets", "blocks", "leaves",
                                "windows", "cells", "steps",   "slots", "bytes", "ranks",   "more",   "packs"};
// Between two numbers: the second is what the first is.
constexpr std::array joins = {"to", "+", "=", "x", "of", "and"};

template <class List>
bool has(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string_view bare(std::string_view word) {
  while (!word.empty() && (word.back() == ',' || word.back() == ':' || word.back() == '.')) word.remove_suffix(1);
  return word;
}
// The digits that a word is, but for a mark behind them; empty: it is no number.
std::string_view digits_in(std::string_view word) {
  const std::string_view text = bare(word);
  const bool all =
      !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
  return all ? text : std::string_view();
}

words split(std::string_view sentence) {
  words list;
  for (std::size_t i = 0; i <= sentence.size();) {
    const std::size_t end = std::min(sentence.find(' ', i), sentence.size());
    list.push_back(sentence.substr(i, end - i));
    i = end + 1;
  }
  return list;
}

// Which of them are counts or places.
std::vector<bool> to_group(const words& list) {
  std::vector<bool> group(list.size(), false);
  const auto word = [&](std::size_t i) { return i < list.size() ? bare(list[i]) : std::string_view(); };
  const auto is_number = [&](std::size_t i) { return i < list.size() && !digits_in(list[i]).empty(); };
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!is_number(i)) continue;
    const std::string_view before = i > 0 ? word(i - 1) : "", further = i > 1 ? word(i - 2) : "";
    const bool place = has(places, before) || (before == "from" && has(places, further) && further != "entries") ||
                       ((before == "to" || before == "is") && (further == "step" || further == "ids"));
    // A mark ends what a word behind could say of it.
    const bool ends = digits_in(list[i]).size() < list[i].size();
    const bool count = !ends && (has(counted, word(i + 1)) || (word(i + 1) == "of" && is_number(i + 2)));
    const bool joined = i > 1 && group[i - 2] && has(joins, before);
    group[i] = place || count || joined;
  }
  return group;
}

}  // namespace

std::string with_grouped_numbers(std::string_view sentence) {
  const words list = split(sentence);
  const std::vector<bool> group = to_group(list);
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ' ';
    const std::string_view digits = digits_in(list[i]);
    u64 number = 0;
    if (group[i] && std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc{})
      out.append(grouped(number)).append(list[i].substr(digits.size()));
    else
      out += list[i];
  }
  return out;
}

void group_numbers(lookup_trace& trace) {
  const auto rewrite = [](std::string& text) { text = with_grouped_numbers(text); };
  rewrite(trace.start), rewrite(trace.verdict);
  for (trace_step& step : trace.steps)
    for (std::string* const text : {&step.where, &step.left, &step.words, &step.next, &step.brief, &step.doubt})
      rewrite(*text);
}

}  // namespace pivotscope::viz
