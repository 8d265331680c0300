#include "core/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/sweep/packed_sweep.hpp"
#include "core/sweep/paper_sweeps.hpp"
#include "core/workload/nearest_word.hpp"

namespace pivotscope {

const sweep_row* sweep::row(std::string_view id) const {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const sweep_row& r) { return r.id == id; });
  return at == rows.end() ? nullptr : &*at;
}

std::string_view plot_y_words(plot_y y) {
  switch (y) {
    case plot_y::batch_ms:
      return "ms of the batch";
    case plot_y::build_ms:
      return "ms of sort and build";
    case plot_y::build_rate:
      return "entries sorted and built a second";
    case plot_y::bytes:
      return "bytes of the index";
    case plot_y::rate:
      return "a second";
    case plot_y::rate_per_byte:
      return "a second and byte of the index";
    case plot_y::sectors:
      return "sectors a lookup, counted";
  }
  return "";
}

std::vector<std::string> series_of(const sweep& of) {
  std::vector<std::string> names;
  for (const sweep_row& row : of.rows)
    if (!row.series.empty() && std::find(names.begin(), names.end(), row.series) == names.end())
      names.push_back(row.series);
  return names;
}

std::span<const sweep> sweeps() {
  static const std::vector<sweep> all = [] {
    std::vector<sweep> list = lightweight_sweeps();
    for (sweep& one : short_sweeps()) list.push_back(std::move(one));
    for (sweep& one : gph_sweeps()) list.push_back(std::move(one));
    list.push_back(packed_sweep());
    return list;
  }();
  return all;
}

outcome<const sweep*> find_sweep(std::string_view name) {
  std::vector<std::string> names;
  for (const sweep& one : sweeps()) {
    if (one.name == name) return &one;
    names.push_back(one.name);
  }
  return problem{fmt::format("'{}' is not a sweep{}", name, suggestion(name, names))};
}

outcome<sweep> part_of(const sweep& whole, std::string_view part) {
  std::vector<bool> taken(whole.rows.size());
  // What a row leans on comes before it: from the last one on, each is known when it is come to.
  std::vector<std::string_view> wanted;
  for (std::size_t i = whole.rows.size(); i-- > 0;) {
    const sweep_row& row = whole.rows[i];
    taken[i] = row.id.find(part) != row.id.npos || std::find(wanted.begin(), wanted.end(), row.id) != wanted.end();
    if (!taken[i]) continue;
    wanted.push_back(row.configs_of);
    for (const want& one : row.wants) wanted.push_back(one.row);
  }
  sweep out = whole;
  out.rows.clear();
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (taken[i]) out.rows.push_back(whole.rows[i]);
  if (out.rows.empty()) return problem{fmt::format("no row of {} has '{}' in its name", whole.name, part)};
  return out;
}

sweep_row scaled(const sweep_row& row, u32 bits) {
  const auto less = [&](u64 count) { return count == 0 ? 0 : std::max<u64>(1, bits < 64 ? count >> bits : 0); };
  sweep_row out = row;
  workload& w = out.load;
  w.keys = less(w.keys), w.lookups = less(w.lookups), w.ranges = less(w.ranges), w.successors = less(w.successors);
  w.range_hits = std::min(w.range_hits, w.keys);
  return out;
}

}  // namespace pivotscope
