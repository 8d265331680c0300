#include "core/statistics/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/common/expect.hpp"

namespace pivotscope {
namespace {

std::string csv_cell(const figure& f) {
  if (const auto* text = std::get_if<std::string>(&f.value)) {
    if (text->find_first_of(",\"\n\r") == text->npos) return *text;
    std::string quoted = "\"";
    for (const char c : *text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
  }
  if (const auto* count = std::get_if<u64>(&f.value)) return fmt::format("{}", *count);
  if (const auto* value = std::get_if<double>(&f.value)) return fmt::format("{}", *value);
  return {};
}

}  // namespace

std::string_view hint_name(figure_hint hint) {
  switch (hint) {
    case figure_hint::text:
      return "text";
    case figure_hint::count:
      return "count";
    case figure_hint::bytes:
      return "bytes";
    case figure_hint::milliseconds:
      return "milliseconds";
    case figure_hint::seconds:
      return "seconds";
    case figure_hint::rate:
      return "rate";
    case figure_hint::throughput:
      return "throughput";
    case figure_hint::ratio:
      return "ratio";
    case figure_hint::share:
      return "share";
  }
  return "";
}

figure_line joined(figure_line first, figure_line then) {
  for (figure& one : then) first.push_back(std::move(one));
  return first;
}

const figure& figure_of(const figure_line& line, std::string_view name) {
  const auto at = std::find_if(line.begin(), line.end(), [&](const figure& f) { return f.name == name; });
  PIVOTSCOPE_EXPECT(at != line.end());
  return *at;
}

std::string text_of_figure(const figure_line& line, std::string_view name) {
  const auto* text = std::get_if<std::string>(&figure_of(line, name).value);
  return text ? *text : std::string();
}

nlohmann::json json_value(const figure& f) {
  if (const auto* text = std::get_if<std::string>(&f.value)) return *text;
  if (const auto* count = std::get_if<u64>(&f.value)) return *count;
  const auto* value = std::get_if<double>(&f.value);
  if (!value) return nullptr;
  // Bytes are whole, and stand so.
  if (f.hint == figure_hint::bytes && *value >= 0 && *value < 0x1p53) return static_cast<u64>(*value);
  return *value;
}

std::string csv_of(const figure_line& names, std::span<const figure_line> lines) {
  std::string text;
  const auto add = [&](const figure_line& cells, auto&& cell) {
    for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : ",") + std::string(cell(cells[i]));
    text += '\n';
  };
  add(names, [](const figure& f) { return f.name; });
  for (const figure_line& line : lines) {
    PIVOTSCOPE_EXPECT(line.size() == names.size());
    add(line, csv_cell);
  }
  return text;
}

}  // namespace pivotscope
