#include "core/run/stored_entries.hpp"

#include "core/index/index_reader.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {

outcome<std::vector<stored_entry>> stored_entries(const stored_index& index, const job_control& control) {
  const std::shared_ptr<const index_model> model = model_of(index);
  if (status enough = check_host_memory(model->entries() * sizeof(stored_entry), "an index's entries"); !enough)
    return enough.error();
  index_reader reader(index);
  std::vector<stored_entry> all;
  all.reserve(model->entries());
  const auto take = [&](std::span<const stored_entry> some, double done) {
    control.progress("reading the index", done);
    all.insert(all.end(), some.begin(), some.end());
    return !control.cancelled();
  };
  if (!model->held(std::ref(reader), take)) {
    if (control.cancelled()) return job_control::cancelled_problem();
    return reader.failure().error();
  }
  return all;
}

}  // namespace pivotscope
