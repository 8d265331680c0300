#include "app/cli/schedule_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/verify/access_words.hpp"
#include "core/workload/operation_table.hpp"

namespace pivotscope {

std::string schedule_text(const interleaved_case& c, const interleaving& of, const interleaved_run& run) {
  std::vector<std::vector<std::string>> lines(1);  // a cell an operation
  for (std::size_t i = 0; i < c.operations.size(); ++i)
    lines[0].push_back(fmt::format("{}: {}", i, operation_text(c.operations[i], of.row_of(i))));
  for (const shared_access& a : run.accesses) {
    lines.emplace_back(c.operations.size());
    lines.back()[a.task] = access_text(*of.model(), a);
  }
  lines.emplace_back();
  for (std::size_t i = 0; i < c.operations.size(); ++i)
    lines.back().push_back("= " + end_text(c.operations[i], run.done[i], run.answers[i]));

  std::vector<std::size_t> widths(c.operations.size());
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string text = to_text(c) + "\n";
  for (std::size_t l = 0; l < lines.size(); ++l) {
    const bool access = l > 0 && l + 1 < lines.size();
    std::string line = access ? fmt::format("{:>4} ", l) : std::string(5, ' ');
    for (std::size_t i = 0; i < lines[l].size(); ++i) line += fmt::format(" {:<{}} ", lines[l][i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text + (run.fault.empty() ? "All right.\n" : "");
}

std::string counts_text(const interleaving_counts& counts) {
  std::string kinds;
  for (const operation kind : all_operations) {
    const u64 count = counts.operations[static_cast<std::size_t>(kind)];
    if (count > 0) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", count, operation_verb(kind));
  }
  const u64 all = std::accumulate(std::begin(counts.operations), std::end(counts.operations), u64{0});
  return fmt::format("{} batches of {} operations ({}), {} schedules", counts.cases, all, kinds, counts.schedules);
}

}  // namespace pivotscope
