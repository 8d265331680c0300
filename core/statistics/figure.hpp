// A named value of what was measured. A run's record and a sweep's point are lists of these, and tables, CSV, JSON, the
// window and documents all render such a list.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/common/portable.hpp"

namespace pivotscope {

// How a value is shown to people; files have the plain number. A throughput is bytes a second. A share is a part of a whole: 0.003 is 0.3%.
enum class figure_hint : u8 { text, count, bytes, milliseconds, seconds, rate, throughput, ratio, share };

std::string_view hint_name(figure_hint hint);

struct figure {
  std::string_view name;  // of the JSON's field and the CSV's column; lives as long as the program
  figure_hint hint = figure_hint::text;
  std::variant<std::monostate, std::string, u64, double> value = {};  // nothing: not known, or not to be shown

  bool known() const { return value.index() != 0; }
  bool operator==(const figure&) const = default;
};

using figure_line = std::vector<figure>;

// Values by name, in order; those that are not set stay unknown.
class figure_builder {
 public:
  void text(std::string_view name, std::string value) { list_.push_back({name, figure_hint::text, std::move(value)}); }
  void count(std::string_view name, u64 value) { list_.push_back({name, figure_hint::count, value}); }
  void count(std::string_view name, std::optional<u64> value) {
    list_.push_back({name, figure_hint::count, {}});
    if (value) list_.back().value = *value;
  }
  void value(std::string_view name, figure_hint hint, std::optional<double> value) {
    list_.push_back({name, hint, {}});
    if (value) list_.back().value = *value;
  }
  figure_line take() { return std::move(list_); }

 private:
  figure_line list_;
};

figure_line joined(figure_line first, figure_line then);

// There is one of that name.
const figure& figure_of(const figure_line& line, std::string_view name);
std::string text_of_figure(const figure_line& line, std::string_view name);  // empty where it is unknown

nlohmann::json json_value(const figure& f);  // null where it is unknown

// The names, then a line for each; all have the same. What is not known is empty, and text stands in quotes where it
// must.
std::string csv_of(const figure_line& names, std::span<const figure_line> lines);

}  // namespace pivotscope
