// The knobs of `open_addressing` as its algorithms read them.
#pragma once

#include "core/config/index_config.hpp"

namespace pivotscope {

enum class probing_kind : u8 { linear, quadratic, twice };  // "double": by a second hash of the key
enum class cell_layout : u8 { aos, soa };

struct open_addressing_config {
  key_width keys = key_width::u32;
  u32 lanes = 4;  // that look at a window together, 1 to 32, a power of two
  probing_kind probing = probing_kind::twice;
  u32 load = 80;  // keys of a hundred cells, 30 to 100
  cell_layout layout = cell_layout::aos;
  launch_config launch = {};

  constexpr bool operator==(const open_addressing_config&) const = default;
};

// Cells that one load of 16 bytes brings a lane: entries, or of two arrays keys.
PIVOTSCOPE_FN constexpr u32 cells_a_lane(const open_addressing_config& c) {
  return 16 / (key_bytes(c.keys) * (c.layout == cell_layout::aos ? 2 : 1));
}
PIVOTSCOPE_FN constexpr u32 window_cells(const open_addressing_config& c) { return c.lanes * cells_a_lane(c); }
// A key and its row id in one word, which is compared and swapped as a whole.
PIVOTSCOPE_FN constexpr bool in_one_word(const open_addressing_config& c) {
  return c.layout == cell_layout::aos && c.keys == key_width::u32;
}

}  // namespace pivotscope
