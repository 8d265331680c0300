// Memory as rows of bytes: which sectors a path and a tile's lookups touch, and how often. Pure.
#pragma once

#include <span>
#include <vector>

#include "core/index/model.hpp"
#include "core/traffic/warp_step.hpp"
#include "viz/models/reads.hpp"

namespace pivotscope::viz {

// A sector that a path has read, up to one of its steps.
struct sector_read {
  memory_block sector;
  read_mark mark = read_mark::none;
  u32 step = 0;  // the last one that did
};
// Ascending. What is read from scratch is none.
std::vector<sector_read> sectors_read(const lookup_trace& trace, u32 current);
const sector_read* find_read(std::span<const sector_read> reads, memory_block sector);

// How many lookups touch a sector of [first, end) of an array, at most of all: its heat from afar.
struct sector_heat {
  memory_block sector;
  u32 lookups = 0;
};
u32 most_lookups(std::span<const sector_heat> heat, region_id array, u64 first, u64 end);  // `heat` ascending

// Part i of `parts` of an array's sectors begins with this one; part `parts` begins behind the last.
u64 first_of_part(u64 i, u64 sectors, u64 parts);
u64 part_of_sector(u64 sector, u64 sectors, u64 parts);  // parts <= sectors, sector < sectors

// A cell's part that lies in a row of bytes: of its own bytes, or of those that it shares with its pack.
struct cell_part {
  u64 cell = 0;            // of shared ones the pack's first
  u32 begin = 0, end = 0;  // bytes of the row
  bool whole = true;
  bool shared = false;
};
std::vector<cell_part> cells_of_row(const region_info& region, u64 row, u32 row_bytes);
u64 rows_of(const region_info& region, u32 row_bytes);

}  // namespace pivotscope::viz
