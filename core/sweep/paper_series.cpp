#include "core/sweep/paper_series.hpp"

#include <fmt/format.h>

namespace pivotscope {

std::vector<grid_tick> papers_blocks() {
  return block_ticks({{1024, 1}, {512, 2}, {256, 4}, {128, 8}, {1024, 2}, {512, 4}, {256, 8}, {128, 16}});
}

std::vector<optimisation> pinning_and_reordering() {
  const std::string steps = fmt::format("pin=steps {}", papers_scratch),
                    full = fmt::format("pin=full {}", papers_scratch);
  return {{"none", ""},
          {"steps pinned", steps},
          {"fully pinned", full},
          {"lookups reordered", "reorder=lookup"},
          {"reordered twice", "reorder=double"},
          {"steps pinned, lookups reordered", steps + " reorder=lookup"},
          {"fully pinned, lookups reordered", full + " reorder=lookup"},
          {"steps pinned, reordered twice", steps + " reorder=double"},
          {"fully pinned, reordered twice", full + " reorder=double"}};
}

std::vector<grid_series> series_by_optimisation(const std::string& line) {
  std::vector<grid_series> series;
  for (const optimisation& one : pinning_and_reordering())
    series.push_back({one.name, {one.config.empty() ? line : line + " " + one.config}});
  return series;
}

std::vector<std::string> candidates_by_optimisation(const std::string& line) {
  std::vector<std::string> lines;
  for (const grid_series& one : series_by_optimisation(line)) lines.push_back(one.configs.front());
  return lines;
}

grid_series open_table(const std::string& name, const std::vector<u32>& loads) {
  grid_series series{.name = name, .configs = {}};
  for (const u32 load : loads)
    series.configs.push_back(fmt::format("HT+OA lanes=8 window=8 probing=double load={}", load));
  return series;
}

grid_series bucket_table(const std::string& name, const std::vector<u32>& loads) {
  grid_series series{.name = name, .configs = {}};
  for (const u32 load : loads) series.configs.push_back(fmt::format("HT+BUCKET lanes=16 slab=16 load={}", load));
  return series;
}

grid_series tree(const std::string& name, const std::vector<u32>& fills) {
  grid_series series{.name = name, .configs = {}};
  for (const u32 fill : fills) series.configs.push_back(fmt::format("BTREE lanes=16 node=16 fill={}", fill));
  return series;
}

std::vector<grid_series> both_trees() { return {tree("B+ half full", {50}), tree("B+ full", {100})}; }

grid_series as_level(grid_series series) {
  series.level = true;
  return series;
}

grid_series best_of(const std::string& method) {
  const auto with = [&](const char* rest) { return *rest == 0 ? method : method + " " + rest; };
  if (method.ends_with("+KS"))
    return {method,
            {with(""), with("threads=1024"), with("threads=512 per_thread=2"), with("fanout=5"), with("fanout=17"),
             with("fanout=33 layout=soa")}};
  grid_series series{method,
                     {with(""), with("threads=128 per_thread=16 reorder=double"),
                      with("threads=128 per_thread=16 reorder=double schedule=static blocks_per_sm=8"),
                      with("threads=128 per_thread=16 reorder=double pin=full scratch=96KiB schedule=static"),
                      with("threads=1024 pin=full scratch=96KiB schedule=static")}};
  if (method.find("+PB+") != method.npos)
    series.configs.push_back(with("pivots=24 threads=128 per_thread=16 reorder=double"));
  return series;
}

std::vector<grid_series> best_of_each() {
  std::vector<grid_series> series;
  for (const char* method : {"AO+BS", "EO+BS", "AO+PB+BS", "EO+KS", "AO+PB+KS"}) series.push_back(best_of(method));
  return series;
}

}  // namespace pivotscope
