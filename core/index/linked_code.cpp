#include "core/index/linked_code.hpp"

#include <algorithm>

#include "core/common/source_text.hpp"

namespace pivotscope {
namespace {

bool came_to_something(const lookup_trace& trace) {
  if (trace.write) return trace.write->done != write_done::absent && trace.write->done != write_done::full;
  return trace.range ? trace.range->answer.count != 0 : trace.row != not_found;
}

}  // namespace

pseudo_code joined(pseudo_code first, const pseudo_code& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

std::vector<source_spot> source_of(const pseudo_line& line) {
  std::vector<source_spot> spots;
  for (const source_mark& mark : line.source) {
    const auto text = source_text(mark.file);
    if (!text) continue;
    u32 number = 1;
    std::size_t counted = 0;
    for (std::size_t at = text->find(mark.text); at != text->npos; at = text->find(mark.text, at + 1)) {
      for (; counted < at; ++counted) number += (*text)[counted] == '\n' ? 1 : 0;
      spots.push_back({mark.file, number});
    }
  }
  std::sort(spots.begin(), spots.end());
  spots.erase(std::unique(spots.begin(), spots.end()), spots.end());
  return spots;
}

linked_code::linked_code(pseudo_code lines) : lines_(std::move(lines)) {
  for (const pseudo_line& line : lines_) source_.push_back(source_of(line));
}

std::optional<std::size_t> linked_code::line_at(const source_spot& spot) const {
  for (std::size_t i = 0; i < source_.size(); ++i)
    if (std::binary_search(source_[i].begin(), source_[i].end(), spot)) return i;
  return std::nullopt;
}

bool linked_code::runs(std::size_t line, const lookup_trace& trace, std::size_t step) const {
  const bool last = step + 1 == trace.steps.size();
  switch (lines_[line].when) {
    case pseudo_when::begins:
      return step == 0;
    case pseudo_when::goes_on:
      return !last;
    case pseudo_when::ends:
      return last;
    case pseudo_when::found:
      return last && came_to_something(trace);
    case pseudo_when::absent:
      return last && !came_to_something(trace);
    case pseudo_when::by_source:
      break;
  }
  const std::vector<source_line>& ran = trace.steps[step].ran;
  return std::any_of(ran.begin(), ran.end(), [&](const source_line& l) {
    return std::binary_search(source_[line].begin(), source_[line].end(), source_spot{l.file, l.line});
  });
}

std::optional<source_spot> linked_code::source_in(std::size_t line, const trace_step& step) const {
  const std::vector<source_spot>& spots = source_[line];
  if (spots.empty()) return std::nullopt;
  for (const source_line& l : step.ran)
    if (std::binary_search(spots.begin(), spots.end(), source_spot{l.file, l.line})) return source_spot{l.file, l.line};
  if (step.ran.empty()) return spots.front();
  const source_line& main = step.ran[step.main_line];
  const auto far = [&](const source_spot& s) {
    return s.file != main.file ? ~0u : s.line > main.line ? s.line - main.line : main.line - s.line;
  };
  return *std::min_element(spots.begin(), spots.end(),
                           [&](const source_spot& a, const source_spot& b) { return far(a) < far(b); });
}

}  // namespace pivotscope
