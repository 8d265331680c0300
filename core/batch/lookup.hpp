// A batch of point lookups, tile by tile: the same code on every machine and for every family (lightweight-short,
// Listing 2). The machine says what a block is and which tiles it serves (simt/).
#pragma once

#include "core/config/index_config.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

// Fills a block's scratch, if the family can pin keys or whole cells and the config asks for it: the values of
// `pinned_key`, side by side. A search loads them as they are, or in parts of equal size.
template <class Family, class Key, class Config, class Block>
PIVOTSCOPE_FN void pin_keys(Config config, Block& block, const index_view& view) {
  if constexpr (requires { Family::pinned_keys(view); }) {
    if (Family::pinned_bytes(config.value) == 0) return;
    block.fill_scratch(Family::pinned_keys(view),
                       [&](auto& memory, u32 i) { return Family::template pinned_key<Key>(config, memory, view, i); });
  }
}

// Serves the keys of a tile, one after another by a lookup's lanes: calls serve(lanes, memory, place in the tile,
// key, is it a lookup?). Answers go straight to the places of their keys, with "double" as without it: an answer of
// 16 bytes is half a sector.
template <class Config, class Block, class Key, class F>
PIVOTSCOPE_FN void serve_tile(Config config, Block& block, const index_view& view, const Key* keys, u32 size,
                              F&& serve) {
  if (config.value.launch.reorder == reorder_kind::none) {
    block.each_as_it_comes(keys, size, serve);
  } else {
    block.each_sorted(keys, size, view.sort_begin, view.sort_end, serve);
  }
}

// True if a family tells where an operation on a key begins, and what it reads there.
template <class Family>
concept tells_where_it_begins = requires(const state_view& view) {
  Family::begins_at(view, u32{});
};

// A family's lookup of a wave; and where it will begin, if the family tells.
template <class Family, class Config>
struct find_in_index {
  Config config;
  const index_view& view;

  template <class Wave>
  PIVOTSCOPE_FN auto operator()(Wave& wave) const {
    return Family::find(config, wave, view);
  }
  static constexpr bool tells_begin = tells_where_it_begins<Family>;
  template <class Key>
  PIVOTSCOPE_FN u32 begins_at(Key key) const {
    return Family::begins_at(view, key);
  }
  template <class Key, class Memory>
  PIVOTSCOPE_FN void will_begin(Memory& memory, u32 place) const {
    Family::template will_begin<Key>(config, memory, place);
  }
};

// A lookup that goes only as far as an operation of a batch begins (simt/looked_ahead.hpp).
template <class Family, class Config>
struct look_in_index {
  Config config;
  const index_view& view;

  template <class Wave>
  PIVOTSCOPE_FN auto operator()(Wave& wave) const {
    return Family::look_ahead(config, wave, view);
  }
  static constexpr bool tells_begin = false;
};

// Sets begins[i] to where an operation on keys[i] begins, which is the family's to say; i < count.
template <class Family, class Config, class Block, class Key>
PIVOTSCOPE_FN void look_batch(Config config, Block& block, const index_view& view, const Key* keys, u32* begins,
                              u64 count) {
  const look_in_index<Family, Config> look{config, view};
  block.each_tile(count, [&](u64 first, u32 size) { block.map_as_it_comes(keys + first, begins + first, size, look); });
}

// Sets answers[i] to a row id of lookups[i], or to not_found; i < count.
template <class Family, class Config, class Block, class Key>
PIVOTSCOPE_FN void lookup_batch(Config config, Block& block, const index_view& view, const Key* lookups, u32* answers,
                                u64 count) {
  pin_keys<Family, Key>(config, block, view);
  const find_in_index<Family, Config> find{config, view};
  block.each_tile(count, [&](u64 first, u32 size) {
    if (config.value.launch.reorder == reorder_kind::none) {
      block.map_as_it_comes(lookups + first, answers + first, size, find);
    } else {
      block.map_sorted(lookups + first, answers + first, size, view.sort_begin, view.sort_end, find);
    }
  });
}

}  // namespace pivotscope
