#include "core/sweep/sweep_grid.hpp"

#include <fmt/format.h>

#include "core/common/expect.hpp"

namespace pivotscope {
namespace {

std::string with_tick(const std::string& line, const std::string& tick) {
  const std::size_t at = line.find("{}");
  return at == line.npos ? line : line.substr(0, at) + tick + line.substr(at + 2);
}

sweep_row row_of(const sweep_grid& grid, const grid_series& series, const grid_tick& tick) {
  const outcome<workload> load = workload_from_line(tick.load.empty() ? grid.load : grid.load + " " + tick.load);
  PIVOTSCOPE_EXPECT(load.ok());
  sweep_row row{.load = *load, .advised = false, .series = series.name};
  for (const std::string& line : series.configs) row.configs.push_back(with_tick(line, tick.config));
  return row;
}

}  // namespace

std::vector<sweep_row> rows_of(const sweep_grid& grid) {
  std::vector<sweep_row> rows;
  for (u32 i = 0; i < grid.ticks.size(); ++i) {
    for (const grid_series& series : grid.series) {
      if (series.level) continue;
      sweep_row& row = rows.emplace_back(row_of(grid, series, grid.ticks[i]));
      row.id = fmt::format("{} at {}", series.name, grid.ticks[i].words), row.tick = i;
    }
  }
  for (const grid_series& series : grid.series)
    if (series.level) rows.emplace_back(row_of(grid, series, {})).id = series.name;
  return rows;
}

std::vector<std::string> words_of(const std::vector<grid_tick>& ticks) {
  std::vector<std::string> words;
  words.reserve(ticks.size());
  for (const grid_tick& tick : ticks) words.push_back(tick.words);
  return words;
}

std::vector<grid_tick> keys_ticks(u32 least_bits, u32 most_bits) {
  std::vector<grid_tick> ticks;
  for (u32 bits = least_bits; bits <= most_bits; ++bits)
    ticks.push_back({.words = fmt::format("2^{}", bits), .load = fmt::format("keys=2^{}", bits)});
  return ticks;
}

std::string block_words(const block_shape& shape) {
  return fmt::format("threads={} per_thread={}", shape.threads, shape.per_thread);
}

std::vector<grid_tick> block_ticks(const std::vector<block_shape>& shapes) {
  std::vector<grid_tick> ticks;
  ticks.reserve(shapes.size());
  for (const block_shape& shape : shapes)
    ticks.push_back({.words = fmt::format("{}/{}", shape.threads, shape.per_thread), .config = block_words(shape)});
  return ticks;
}

}  // namespace pivotscope
