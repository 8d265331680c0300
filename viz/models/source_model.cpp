#include "viz/models/source_model.hpp"

#include <algorithm>
#include <utility>

#include "core/common/source_text.hpp"
#include "core/machine/trace/trace_source.hpp"

namespace pivotscope::viz {
namespace {

source_file file_of(std::string_view name) {
  source_file file;
  file.name = name;
  file.short_name = name.substr(name.rfind('/') + 1);
  const std::string_view text = source_text(name).value_or("");
  file.lines = tokens_of(text);
  bool watching = false;  // a call that goes on
  for (u32 number = 1; number <= file.lines.size(); ++number) {
    const std::string_view line = line_of(text, number);
    file.longest = std::max(file.longest, line.size());
    for (const char* call : {".watch(", ".watch_lane(", ".hold(", ".called_from("})
      watching = watching || line.find(call) != line.npos;
    file.aside.push_back(watching);
    watching = watching && !line.ends_with(";");
  }
  return file;
}

// Names of what a step lets one watch, each once: of all lanes, then lane by lane.
std::vector<std::pair<std::string_view, bool>> names_in(const trace_step& step) {
  std::vector<std::pair<std::string_view, bool>> names;
  for (const bool by_lane : {false, true}) {
    for (const watched_value& w : step.watched) {
      const std::pair<std::string_view, bool> name{w.name, by_lane};
      if ((w.lane != every_lane) == by_lane && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  }
  return names;
}

// Lane and value; empty when the step has no such name.
std::vector<std::pair<u32, std::string>> values_in(const trace_step& step, std::string_view name, bool by_lane) {
  std::vector<std::pair<u32, std::string>> values;
  for (const watched_value& w : step.watched) {
    if (w.name == name && (w.lane != every_lane) == by_lane) values.emplace_back(w.lane, value_text(w));
  }
  return values;
}

std::string in_a_row(const std::vector<std::pair<u32, std::string>>& values) {
  const bool alike = std::all_of(values.begin(), values.end(),
                                 [&](const auto& value) { return value.second == values.front().second; });
  if (alike) return values.empty() ? "" : values.front().second;
  std::string row;
  for (const auto& [lane, value] : values) row += (row.empty() ? "" : " ") + value;
  return row;
}

}  // namespace

source_model::source_model(const lookup_trace& trace) {
  std::vector<std::pair<u32, std::string_view>> found;  // depth and name
  for (const trace_step& step : trace.steps) {
    steps_.push_back({step.ran, step.main_line});
    for (const source_line& line : step.ran) {
      const auto same = std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.second == line.file; });
      if (same == found.end())
        found.emplace_back(line.depth, line.file);
      else
        same->first = std::min(same->first, line.depth);
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [depth, name] : found) files_.push_back(file_of(name));
  for (u32 step = 0; step < steps_.size(); ++step) {
    for (const source_line& line : steps_[step].ran) steps_at_[{*find_file(line.file), line.line}].push_back(step);
  }
}

std::optional<std::size_t> source_model::find_file(std::string_view name) const {
  const auto found = std::find_if(files_.begin(), files_.end(), [&](const source_file& f) { return f.name == name; });
  if (found == files_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - files_.begin());
}

std::size_t source_model::main_file(u32 step) const {
  const step_lines& s = steps_[step];
  return s.ran.empty() ? 0 : *find_file(s.ran[s.main_line].file);
}

u32 source_model::line_in(u32 step, std::size_t file) const {
  const step_lines& s = steps_[step];
  const std::string_view name = files_[file].name;
  if (s.ran.empty()) return 0;
  if (s.ran[s.main_line].file == name) return s.ran[s.main_line].line;
  const auto at = [&](auto&& wanted) { return std::find_if(s.ran.begin(), s.ran.end(), wanted); };
  auto first = at([&](const source_line& l) { return l.file == name && l.reads; });
  if (first == s.ran.end()) first = at([&](const source_line& l) { return l.file == name; });
  return first == s.ran.end() ? 0 : first->line;
}

u32 source_model::next_line_in(u32 step, std::size_t file) const {
  return step + 1 < steps_.size() ? line_in(step + 1, file) : 0;
}

u32 source_model::place_in_step(u32 step, std::size_t file, u32 line) const {
  u32 place = 0;
  for (const source_line& l : steps_[step].ran) {
    if (l.file != files_[file].name) continue;
    ++place;
    if (l.line == line) return place;
  }
  return 0;
}

std::span<const u32> source_model::steps_at(std::size_t file, u32 line) const {
  const auto found = steps_at_.find({file, line});
  return found == steps_at_.end() ? std::span<const u32>() : std::span<const u32>(found->second);
}

std::optional<u32> source_model::step_at(std::size_t file, u32 line, u32 step) const {
  const std::span<const u32> steps = steps_at(file, line);
  if (steps.empty()) return std::nullopt;
  const auto later = std::upper_bound(steps.begin(), steps.end(), step);
  return later == steps.end() ? steps.front() : *later;
}

std::vector<watch_row> watch_list(const lookup_trace& trace, u32 step) {
  std::vector<watch_row> rows;
  for (const auto& [name, by_lane] : names_in(trace.steps[step])) {
    watch_row row;
    row.name = name;
    const auto values = values_in(trace.steps[step], name, by_lane);
    row.value = in_a_row(values);
    if (by_lane && values.size() > 1) row.lanes = values;
    for (u32 earlier = step; earlier-- > 0 && !row.before_step;) {
      const auto then = values_in(trace.steps[earlier], name, by_lane);
      if (!then.empty()) row.before = in_a_row(then), row.before_step = earlier;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace pivotscope::viz
