// The limits of RX that "cgRX" begins with: Figure 1, its three panels. The text names what each shows, not its axes. So the
// workloads are those of the paper's other experiments: 2^26 keys of 32 bits, dense for ranges, uniform otherwise.
#include <fmt/format.h>

#include "core/sweep/paper_series.hpp"
#include "core/sweep/paper_sweeps.hpp"
#include "core/sweep/sweep_grid.hpp"

namespace pivotscope {
namespace {

sweep panel(std::string name, std::string sentence, const char* source, sweep_plot plot, const sweep_grid& grid,
            std::string saw) {
  plot.ticks = words_of(grid.ticks);
  return {.name = std::move(name),
          .sentence = std::move(sentence),
          .source = fmt::format("cgrx, Section 1, {}", source),
          .rows = rows_of(grid),
          .plot = std::move(plot),
          .saw = std::move(saw)};
}

// Section 6: the baselines. cgRX with the bucket that the paper recommends is beside them.
grid_series rays() { return {"RX", {"RX"}}; }
grid_series buckets_by_rays() { return {"cgRX, 16", {"CGRX bucket=16 layout=packed"}}; }
grid_series sorted_array() { return {"SA", {"SA"}}; }
grid_series trees() { return tree("B+", {50, 100}); }
grid_series table() { return open_table("HT", {80}); }

sweep footprint() {
  const sweep_grid grid{.load = "distribution=uniform lookups=2^20",
                        .ticks = keys_ticks(20, 26),
                        .series = {rays(), buckets_by_rays(), table(), trees(), sorted_array()}};
  return panel("cgrx-1a", "bytes of RX and of its rivals, by n", "Figure 1a",
               {.x_words = "keys", .x = plot_x::keys, .y = plot_y::bytes, .log_y = true}, grid,
               "RX is far larger than all others: nine floats of a triangle stand for a key, so 78% of what represents "
               "it is overhead.");
}

sweep ranges() {
  sweep_grid grid{.load = "keys=2^26 distribution=dense lookups=0 ranges=2^18",
                  .series = {rays(), buckets_by_rays(), trees(), sorted_array()}};
  for (u32 bits = 0; bits <= 10; ++bits)
    grid.ticks.push_back({.words = fmt::format("2^{}", bits), .load = fmt::format("range_hits=2^{}", bits)});
  return panel(
      "cgrx-1b", "ranges of RX and of its rivals, by their entries", "Figure 1b",
      {.x_words = "entries of a range", .x = plot_x::range_entries, .y = plot_y::batch_ms, .log_y = true}, grid,
      "The B+-tree is clearly ahead of RX for all sizes of a range: it goes down once and reads its leaves on, "
      "where RX tests triangle by triangle.");
}

// Half of a batch's operations erase, and as many insert: the index hardly changes its size.
sweep updates() {
  sweep_grid grid{
      .load = "keys=2^26 distribution=uniform lookups=2^22",
      .series = {{"RX, refit", {"RX updates=refit"}}, {"RX, rebuilt", {"RX"}}, table(), trees(), sorted_array()}};
  for (u32 bits = 2; bits <= 16; bits += 2)
    grid.ticks.push_back({.words = fmt::format("2^{}", bits),
                          .load = fmt::format("inserts=2^{} erases=2^{} mix=1 batch=2^{}", bits - 1, bits - 1, bits)});
  return panel(
      "cgrx-1c", "lookups after a batch of updates: RX by refit and by rebuild, and its rivals", "Figure 1c",
      {.x_words = "updates of the batch", .x = plot_x::script_batch, .y = plot_y::batch_ms, .log_y = true}, grid,
      "The more updates RX has applied by refit, the slower its lookups are: up to 78 times. A refit only makes "
      "boxes larger, so a ray meets many more.");
}

}  // namespace

std::vector<sweep> rx_sweeps() {
  std::vector<sweep> all;
  all.push_back(footprint());
  all.push_back(ranges());
  all.push_back(updates());
  return all;
}

}  // namespace pivotscope
