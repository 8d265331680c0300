// The knobs of `open_addressing` as its algorithms read them.
#pragma once

#include "core/config/index_config.hpp"
#include "core/index/row_cells.hpp"

namespace pivotscope {

enum class probing_kind : u8 { linear, quadratic, twice };  // "double": by a second hash of the key
enum class growth : u8 { off, on };                         // of a table that finds no room

inline constexpr u32 most_window = 64;  // cells of a window
inline constexpr u32 least_load = 30;

inline constexpr family_id open_addressing_id = family_named("open_addressing");

struct open_addressing_config {
  key_width keys = key_width::u32;
  u32 lanes = 4;   // that look at a window together, 1 to 32, a power of two
  u32 window = 8;  // cells of a window, a power of two; 1 to 8 a lane
  probing_kind probing = probing_kind::twice;
  u32 load = 80;  // keys of a hundred cells, 30 to 100
  cell_layout layout = cell_layout::aos;
  u32 room = 0;  // keys that there are cells for, where it is built from fewer
  growth grow = growth::on;
  launch_config launch = {};

  constexpr bool operator==(const open_addressing_config&) const = default;
  PIVOTSCOPE_FN static constexpr open_addressing_config of(const index_config& c) {
    return {c.keys,     c.knobs[0],
            c.knobs[1], static_cast<probing_kind>(c.knobs[2]),
            c.knobs[3], static_cast<cell_layout>(c.knobs[4]),
            c.knobs[5], static_cast<growth>(c.knobs[6]),
            c.launch};
  }
  PIVOTSCOPE_FN constexpr operator index_config() const {
    return {open_addressing_id,
            keys,
            launch,
            {lanes, window, static_cast<u32>(probing), load, static_cast<u32>(layout), room, static_cast<u32>(grow)}};
  }
};

// What row_cells asks of them.
PIVOTSCOPE_FN constexpr u32 node_cells(const open_addressing_config& c) { return c.window; }
PIVOTSCOPE_FN constexpr u32 node_slots(const open_addressing_config& c) { return c.window; }
PIVOTSCOPE_FN constexpr bool reuses_erased(const open_addressing_config&) { return false; }

}  // namespace pivotscope
