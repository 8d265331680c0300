#include "core/run/stored_entries.hpp"

#include <algorithm>

#include "core/common/answers.hpp"
#include "core/index/index_reader.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {

outcome<std::vector<stored_entry>> stored_entries(const stored_index& index, const job_control& control) {
  constexpr u64 at_once = 1 << 16;
  const std::shared_ptr<const index_model> model = model_of(index);
  const u64 cells = model->region(main_region).cells;  // of a region that has room for more, those in use
  if (status enough = check_host_memory(cells * sizeof(stored_entry), "an index's entries"); !enough)
    return enough.error();
  index_reader reader(index);
  std::vector<cell_value> values;
  std::vector<stored_entry> held;
  for (u64 first = 0; first < cells; first += at_once) {
    if (control.cancelled()) return job_control::cancelled_problem();
    control.progress("reading the index", static_cast<double>(first) / static_cast<double>(cells));
    const u64 count = std::min(at_once, cells - first);
    values.resize(count);
    if (!model->values_of({main_region, first, count}, std::ref(reader), values)) return reader.failure().error();
    for (const cell_value& value : values)
      if (value.key && value.row && is_live_row(*value.row)) held.push_back({*value.key, *value.row});
  }
  return held;
}

}  // namespace pivotscope
