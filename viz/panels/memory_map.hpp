// Memory's map: a whole array from afar, by how many of the tile's lookups read each part of it.
#pragma once

#include <memory>
#include <span>

#include "viz/models/reads.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/parts/key_label.hpp"
#include "viz/parts/marks.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

inline constexpr u32 sector_size = 32;  // bytes

// What is drawn in this frame.
struct shown_memory {
  const region_info& region;
  region_id array;
  u32 row_bytes;
  u64 rows;
  std::span<const sector_heat> heat;  // none until it is counted
  std::span<const u32> map;           // ... of parts of the array
  u32 hottest;                        // lookups of the sector that most touch
  u64 tile_lookups;
  key_labels labels = {};  // of its keys, or where it has none of its row ids
  bool row_words = false;  // "row 5" has room below each key

  u64 sectors() const { return ceil_div<u64>(region.bytes(), sector_size); }
  u32 sectors_a_row() const { return row_bytes / sector_size; }
  u32 lookups(memory_block sector) const { return most_lookups(heat, array, sector.number, sector.number + 1); }
};

// Returns text's ink, from faint to full by how many lookups read a sector.
ImU32 heat_ink(u32 lookups, u32 hottest);
// Returns how many boxes the map has, `height` pixels high.
u64 map_boxes(u64 sectors, float height);
// Counts the map's heat anew if the tile, the array or the number of boxes is another one.
void count_heat(memory_state& state, const std::shared_ptr<const tile_study>& tile, const region_info& region,
                u64 boxes);
void draw_map(frame& f, const shown_memory& m, const box& area, float rows_in_view);

}  // namespace pivotscope::viz
