#include "core/machine/trace/trace_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/common/source_text.hpp"

namespace pivotscope {
namespace {

// Values of all lanes, then each lane's: "node[i] 2, first 3; lane 0: p.less 1".
std::string values_words(const trace_step& step) {
  std::vector<watched_value> values = step.watched;
  // every_lane goes first.
  std::stable_sort(values.begin(), values.end(),
                   [](const watched_value& a, const watched_value& b) { return a.lane + 1 < b.lane + 1; });
  std::string words;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const watched_value& v = values[i];
    const bool another_lane = v.lane != every_lane && (i == 0 || values[i - 1].lane != v.lane);
    if (i > 0) words += another_lane ? "; " : ", ";
    if (another_lane) words += fmt::format("lane {}: ", v.lane);
    words += fmt::format("{} {}", v.name, value_text(v));
  }
  return words;
}

nlohmann::json value_json(const watched_value& watched) {
  if (watched.kind == watched_kind::truth) return watched.value != 0;
  if (watched.kind == watched_kind::row && watched.value == not_found) return nullptr;
  return watched.value;
}

}  // namespace

std::string_view text_of(const source_line& line) {
  const std::string_view text = line_of(source_text(line.file).value_or(""), line.line);
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

std::string value_text(const watched_value& watched) {
  if (watched.kind == watched_kind::truth) return watched.value != 0 ? "yes" : "no";
  if (watched.kind == watched_kind::row && watched.value == not_found) return "not_found";
  return std::to_string(watched.value);
}

std::string source_words(const trace_step& step) {
  std::string words;
  std::vector<std::string_view> files;
  for (const source_line& line : step.ran) {
    if (std::find(files.begin(), files.end(), line.file) == files.end()) files.push_back(line.file);
  }
  for (const std::string_view file : files) {
    words += fmt::format("  {}\n", file);
    for (std::size_t i = 0; i < step.ran.size(); ++i) {
      const source_line& line = step.ran[i];
      if (line.file == file)
        words += fmt::format("  {} {:>4}  {}\n", i == step.main_line ? '>' : ' ', line.line, text_of(line));
    }
  }
  if (!step.watched.empty()) words += fmt::format("  {}\n", values_words(step));
  return words;
}

void add_source(nlohmann::json& json, const lookup_trace& trace) {
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const trace_step& step = trace.steps[i];
    nlohmann::json &source = json["steps"][i]["source"] = nlohmann::json::array(),
                   &watched = json["steps"][i]["watched"] = nlohmann::json::array();
    for (std::size_t l = 0; l < step.ran.size(); ++l) {
      const source_line& line = step.ran[l];
      source.push_back({{"file", line.file},
                        {"line", line.line},
                        {"depth", line.depth},
                        {"main", l == step.main_line},
                        {"reads", line.reads},
                        {"text", text_of(line)}});
    }
    for (const watched_value& w : step.watched) {
      watched.push_back({{"name", w.name},
                         {"value", value_json(w)},
                         {"lane", w.lane == every_lane ? nlohmann::json() : nlohmann::json(w.lane)}});
    }
  }
}

}  // namespace pivotscope
