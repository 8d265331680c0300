#include "app/cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pivotscope {
namespace {

std::string three_digits(double value) {
  if (value <= 0) return "0";
  const auto decimals = [](double v) { return std::clamp(2 - static_cast<int>(std::floor(std::log10(v))), 0, 5); };
  // 9.999 is rounded to 10.0: another digit before the point.
  const double scale = std::pow(10, decimals(value)), rounded = std::round(value * scale) / scale;
  return fmt::format("{:.{}f}", rounded, rounded > 0 ? decimals(rounded) : 5);
}

}  // namespace

std::string table_text(const std::vector<table_row>& rows, std::initializer_list<std::size_t> of_words) {
  if (rows.empty()) return {};
  std::vector<std::size_t> widths;
  for (const table_row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  const auto add = [&](const table_row& row) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool left = std::find(of_words.begin(), of_words.end(), c) != of_words.end();
      line += c == 0 ? "" : "  ";
      line += left ? fmt::format("{:<{}}", row[c], widths[c]) : fmt::format("{:>{}}", row[c], widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add(rows.front());
  table_row rule;
  for (const std::size_t width : widths) rule.emplace_back(width, '-');
  add(rule);
  for (std::size_t r = 1; r < rows.size(); ++r) add(rows[r]);
  return text;
}

std::string rate_text(double per_second) {
  // What would be rounded to 1000 is 1.00 of the next unit.
  if (per_second >= 999.5e6) return three_digits(per_second / 1e9) + " G/s";
  if (per_second >= 999.5e3) return three_digits(per_second / 1e6) + " M/s";
  if (per_second >= 999.5) return three_digits(per_second / 1e3) + " k/s";
  return three_digits(per_second) + " /s";
}

std::string throughput_text(double bytes_per_second) {
  return bytes_per_second >= 999.95e9 ? fmt::format("{:.2f} TB/s", bytes_per_second / 1e12)
                                      : fmt::format("{:.1f} GB/s", bytes_per_second / 1e9);
}

std::string milliseconds_text(double ms) { return three_digits(ms); }

}  // namespace pivotscope
