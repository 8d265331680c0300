#include "viz/cells/path_ways.hpp"

#include <algorithm>

namespace pivotscope::viz {
namespace {

// What a step read one after the other, region by region.
struct read_run {
  cell_run cells;
  u32 step = 0;
};

void add(std::vector<read_run>& runs, const memory_access& a, u32 step) {
  const u64 end = a.slot + a.slots;
  if (!runs.empty() && runs.back().step == step && runs.back().cells.region == a.array) {
    cell_run& run = runs.back().cells;
    const u64 behind = std::max(run.first + run.count, end);
    run.first = std::min(run.first, a.slot), run.count = behind - run.first;
    return;
  }
  runs.push_back({{a.array, a.slot, a.slots}, step});
}

}  // namespace

std::vector<path_way> ways_of(const index_model& model, const lookup_trace& trace, u32 current) {
  std::vector<read_run> runs;
  for (u32 i = 0; i <= current && i < trace.steps.size(); ++i)
    for (const memory_access& a : trace.steps[i].accesses)
      if (!model.region(a.array).beside) add(runs, a, i);
  std::vector<path_way> ways;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const read_run &from = runs[i - 1], &to = runs[i];
    const bool begins_again = to.step != from.step && trace.steps[to.step].level == 0;
    if (from.cells.region != to.cells.region && !begins_again) ways.push_back({from.cells, to.cells, to.step});
  }
  return ways;
}

std::vector<cell_ref> changed_between(const lookup_trace& trace, u32 from, u32 to) {
  std::vector<cell_ref> cells;
  const u32 first = std::min(from, to), last = std::max(from, to);
  for (u32 i = first + 1; i <= last && i < trace.steps.size(); ++i) {
    for (const changed_word& c : trace.steps[i].changed) {
      const cell_ref at{c.array, c.slot};
      if (c.done && c.before != c.after && std::find(cells.begin(), cells.end(), at) == cells.end())
        cells.push_back(at);
    }
  }
  return cells;
}

}  // namespace pivotscope::viz
