#include "core/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/sweep/packed_sweep.hpp"
#include "core/workload/nearest_word.hpp"

namespace pivotscope {

const sweep_row* sweep::row(std::string_view id) const {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const sweep_row& r) { return r.id == id; });
  return at == rows.end() ? nullptr : &*at;
}

std::span<const sweep> sweeps() {
  static const std::array all = {packed_sweep()};
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

sweep_row scaled(const sweep_row& row, u32 bits) {
  const auto less = [&](u64 count) { return count == 0 ? 0 : std::max<u64>(1, bits < 64 ? count >> bits : 0); };
  sweep_row out = row;
  workload& w = out.load;
  w.keys = less(w.keys), w.lookups = less(w.lookups), w.ranges = less(w.ranges), w.successors = less(w.successors);
  w.range_hits = std::min(w.range_hits, w.keys);
  return out;
}

}  // namespace pivotscope
