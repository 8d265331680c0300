#include "core/sweep/measured_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "core/index/config_text.hpp"
#include "core/sweep/timed_part.hpp"
#include "core/workload/files/csv.hpp"

namespace pivotscope {
namespace {

// A row by the names of its columns.
class named_row {
 public:
  named_row(const std::map<std::string, std::size_t>& columns, const std::vector<std::string>& fields)
      : columns_(columns), fields_(fields) {}

  std::string_view text(const char* name) const {
    const auto at = columns_.find(name);
    return at == columns_.end() || at->second >= fields_.size() ? std::string_view() : fields_[at->second];
  }
  double number(const char* name) const {
    const std::string_view word = text(name);
    double value = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    return fault == std::errc() && end == word.data() + word.size() ? value : 0;
  }

 private:
  const std::map<std::string, std::size_t>& columns_;
  const std::vector<std::string>& fields_;
};

// Nothing of a row without figures, and of one that this program's sweep does not have.
std::optional<sweep_point> point_of_row(const sweep& of, const named_row& row) {
  const sweep_row* const known = of.row(row.text("row"));
  const double rate = row.number("per_second"), slow = row.number("lower_quartile"),
               fast = row.number("upper_quartile"), operations = row.number("operations");
  if (!known || rate <= 0 || slow <= 0 || fast <= 0 || operations <= 0) return std::nullopt;
  const outcome<workload> load = workload_from_line(row.text("workload"));
  if (!load) return std::nullopt;
  sweep_point point{.row = *known};
  point.row.load = *load;
  point.machine.kind = machine_kind::cuda;
  tuned_config best{.index_bytes = static_cast<u64>(row.number("index_bytes")),
                    .build_ms = row.number("build_ms"),
                    .operations = static_cast<u64>(operations),
                    .samples_ms = {operations / fast * 1e3, operations / rate * 1e3, operations / slow * 1e3},
                    .finalist = true};
  if (auto stages = named_times_from_text(row.text("build_stages"))) best.build_stages = std::move(*stages);
  if (const double last = row.number("last_batch_ms"); last > 0) best.last_batch_ms = last;
  // Another program's config may be none of this one's; its figures are figures all the same.
  if (const outcome<index_config> config = config_from_line(row.text("config"))) best.config = *config;
  point.sort_ms = row.number("sort_ms");
  point.sectors = row.number("sectors");
  if (const double rays = row.number("rays_ms"); rays > 0) point.rays_ms = rays;
  point.ranking.push_back(std::move(best));
  return point;
}

std::string short_device(std::string_view name) {
  for (const char* one : {"H100", "H200"})
    if (name.find(one) != name.npos) return one;
  return std::string(name);
}

}  // namespace

outcome<measured_curves> curves_from_csv(const sweep& of, std::string_view text, std::string device) {
  const std::vector<std::vector<std::string>> rows = first_csv_rows(text, ',', std::numeric_limits<std::size_t>::max());
  if (rows.empty()) return problem{"it is empty"};
  std::map<std::string, std::size_t> columns;
  for (std::size_t i = 0; i < rows.front().size(); ++i) columns[rows.front()[i]] = i;
  for (const char* needed : {"row", "workload", "operations", "config", "per_second", "index_bytes"})
    if (!columns.contains(needed)) return problem{fmt::format("it has no column {}", needed)};
  measured_curves curves{.device = std::move(device)};
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const named_row row(columns, rows[i]);
    if (const std::string_view named = row.text("device"); !named.empty()) curves.device = short_device(named);
    if (std::optional<sweep_point> point = point_of_row(of, row)) curves.points.push_back(std::move(*point));
  }
  return curves;
}

std::vector<sweep_point> for_as_many(const measured_curves& curves, const sweep& of, u32 scale) {
  std::vector<sweep_point> points = curves.points;
  for (sweep_point& point : points) {
    const sweep_row* const row = of.row(point.row.id);
    if (!row) continue;
    tuned_config& best = point.ranking.front();
    const u64 wanted = std::max<u64>(1, timed_part_of(scaled(*row, scale).load).operations);
    const double longer = static_cast<double>(wanted) / static_cast<double>(best.operations);
    for (double& ms : best.samples_ms) ms *= longer;
    if (point.rays_ms) *point.rays_ms *= longer;
    best.operations = wanted;
  }
  return points;
}

}  // namespace pivotscope
