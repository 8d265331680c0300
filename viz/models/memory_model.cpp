#include "viz/models/memory_model.hpp"

#include <algorithm>

namespace pivotscope::viz {

std::vector<sector_read> sectors_read(const lookup_trace& trace, u32 current) {
  std::vector<sector_read> all;
  const auto end = std::min<std::size_t>(std::size_t{current} + 1, trace.steps.size());
  for (std::size_t i = 0; i < end; ++i) {
    for (const memory_access& a : trace.steps[i].accesses) {
      each_block(a, 32, [&](memory_block sector) {
        all.push_back({sector, i == current ? read_mark::now : read_mark::before, static_cast<u32>(i)});
      });
    }
  }
  // The last step that read a sector speaks for it.
  std::stable_sort(all.begin(), all.end(),
                   [](const sector_read& a, const sector_read& b) { return a.sector < b.sector; });
  std::vector<sector_read> last;
  for (const sector_read& read : all) {
    if (!last.empty() && last.back().sector == read.sector)
      last.back() = read;
    else
      last.push_back(read);
  }
  return last;
}

const sector_read* find_read(std::span<const sector_read> reads, memory_block sector) {
  const auto at = std::lower_bound(reads.begin(), reads.end(), sector,
                                   [](const sector_read& read, const memory_block& s) { return read.sector < s; });
  return at != reads.end() && at->sector == sector ? &*at : nullptr;
}

u32 most_lookups(std::span<const sector_heat> heat, region_id array, u64 first, u64 end) {
  auto at = std::lower_bound(heat.begin(), heat.end(), memory_block{array, first},
                             [](const sector_heat& h, const memory_block& s) { return h.sector < s; });
  u32 most = 0;
  for (; at != heat.end() && at->sector < memory_block{array, end}; ++at) most = std::max(most, at->lookups);
  return most;
}

// Part i is [floor(i sectors / parts), floor((i + 1) sectors / parts)): sectors < 2^42 and parts are few.
u64 first_of_part(u64 i, u64 sectors, u64 parts) { return i * sectors / parts; }
u64 part_of_sector(u64 sector, u64 sectors, u64 parts) { return ((sector + 1) * parts - 1) / sectors; }

u64 rows_of(const region_info& region, u32 row_bytes) { return ceil_div<u64>(region.bytes(), row_bytes); }

std::vector<cell_part> cells_of_row(const region_info& region, u64 row, u32 row_bytes) {
  std::vector<cell_part> parts;
  const u64 begin = row * row_bytes, end = begin + row_bytes;
  const auto add = [&](u64 cell, u64 first, u64 last, bool shared) {
    const u64 from = std::max(first, begin), to = std::min(last, end);
    if (from < to)
      parts.push_back(
          {cell, static_cast<u32>(from - begin), static_cast<u32>(to - begin), to - from == last - first, shared});
  };
  for (u64 pack = begin / region.cell_bytes; pack < region.packs() && pack * region.cell_bytes < end; ++pack) {
    const u64 cell = pack * region.cells_a_pack;
    u64 at = pack * region.cell_bytes;
    for (u64 i = cell; i < std::min(cell + region.cells_a_pack, region.cells); ++i) {
      const auto [first, last] = region.own_bytes(i);
      add(i, first, last, false);
      at = last;
    }
    add(cell, at, (pack + 1) * region.cell_bytes, true);
  }
  return parts;
}

}  // namespace pivotscope::viz
