// A sweep's rows by its axes: each series at each tick. Configs and workloads are lines, and a tick is a part of them.
#pragma once

#include <string>
#include <vector>

#include "core/sweep/sweep.hpp"

namespace pivotscope {

struct grid_tick {
  std::string words;        // "512/2"
  std::string config = {};  // in the place of the {} of each config: "threads=512 per_thread=2"
  std::string load = {};    // behind the workload: "keys=2^20"
};

struct grid_series {
  std::string name = {};
  std::vector<std::string> configs = {};  // lines with a {}; the best of them is the point
  bool level = false;                     // without a {}: measured once, drawn all along the axis
};

struct sweep_grid {
  std::string load;  // a workload's line, or the rest of one
  std::vector<grid_tick> ticks = {};
  std::vector<grid_series> series = {};
};

// Tick by tick, so that rows over the same keys lie together; level series behind them. "AO+BS at 2^20".
std::vector<sweep_row> rows_of(const sweep_grid& grid);
std::vector<std::string> words_of(const std::vector<grid_tick>& ticks);

std::vector<grid_tick> keys_ticks(u32 least_bits, u32 most_bits);

// A block of so many threads of so many lookups each: "1024/1".
struct block_shape {
  u32 threads, per_thread;
};
std::vector<grid_tick> block_ticks(const std::vector<block_shape>& shapes);
std::string block_words(const block_shape& shape);  // "threads=1024 per_thread=1"

}  // namespace pivotscope
