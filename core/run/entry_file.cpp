#include "core/run/entry_file.hpp"

#include <tbb/parallel_sort.h>

#include "core/run/stored_entries.hpp"
#include "core/workload/files/line_writer.hpp"

namespace pivotscope {

status write_entries(const std::filesystem::path& path, const stored_index& index, const job_control& control) {
  outcome<std::vector<stored_entry>> all = stored_entries(index, control);
  if (!all) return all.error();
  tbb::parallel_sort(all->begin(), all->end());
  const auto put_line = [&](text_writer& writer, u64 i) {
    writer.put((*all)[i].key);
    writer.put(' ');
    writer.put(u64{(*all)[i].row});
    writer.put('\n');
  };
  return write_lines(path, all->size(), put_line, control);
}

}  // namespace pivotscope
