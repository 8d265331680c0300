// A pass of a build, one item per thread: the same code on every machine.
#pragma once

#include "core/simt/region.hpp"

namespace pivotscope {

template <class F>
PIVOTSCOPE_FN bool says_true(F&& f) {
  if constexpr (requires { bool{f()}; }) {
    return f();
  } else {
    f();
    return false;
  }
}

// True if a group of lanes does an item: at<Key>(config, lanes, memory, view, i). Its threads write the same cells.
template <class Pass, class Key, class Config, class Lanes, class Memory>
inline constexpr bool by_lanes = requires(Config c, Lanes& l, Memory& m, const build_view& v, u64 i) {
  Pass::template at<Key>(c, l, m, v, i);
};

// True if the pass counts items: if it returns a bool for each.
template <class Pass, class Key, class Config, class Lanes, class Memory>
inline constexpr bool counts_items = requires(Config c, Lanes& l, Memory& m, const build_view& v, u64 i) {
  bool{Pass::template at<Key>(c, l, m, v, i)};
}
|| requires(Config c, Memory& m, const build_view& v, u64 i) { bool{Pass::template at<Key>(c, m, v, i)}; }
|| requires(Config c, const build_view& v, u64 i) { bool{Pass::template at<Key>(c, v, i)}; };

// Returns the i-th item of a GPU. A pass may choose the order in which neighbouring threads take items, and return with
// an item what it then knows of it.
template <class Pass, class Config>
PIVOTSCOPE_FN auto item_in_turn(Config config, const build_view& view, u64 i) {
  if constexpr (requires { Pass::turn(config, view, i); }) {
    return Pass::turn(config, view, i);
  } else {
    return i;
  }
}

// Returns how many of a GPU's first turns are whole turns: all alike, so that the pass knows more of their items.
// Unless the pass says otherwise, all turns are.
template <class Pass, class Config>
PIVOTSCOPE_FN u64 whole_items(Config config, const build_view& view, u64 items) {
  if constexpr (requires { Pass::whole_turns(config, view); }) {
    const u64 whole = Pass::whole_turns(config, view);
    return whole < items ? whole : items;
  } else {
    return items;
  }
}
template <class Pass, class Config>
PIVOTSCOPE_FN auto whole_item_in_turn(Config config, const build_view& view, u64 i) {
  if constexpr (requires { Pass::whole_turn(config, view, i); }) {
    return Pass::whole_turn(config, view, i);
  } else {
    return item_in_turn<Pass>(config, view, i);
  }
}

// Returns true if a GPU's thread may take four neighbouring whole items at once, by at_four(). A
// pass does not count these.
template <class Pass, class Config>
PIVOTSCOPE_FN constexpr bool takes_fours(Config config) {
  if constexpr (requires { Pass::takes_fours(config); }) {
    return Pass::takes_fours(config);
  } else {
    return false;
  }
}

// Does item i. Returns true if the pass counts it.
template <class Pass, class Key, class Config, class Lanes, class Memory, class Item>
PIVOTSCOPE_FN bool do_item(Config config, [[maybe_unused]] Lanes& lanes, [[maybe_unused]] Memory& memory,
                           const build_view& view, Item i) {
  if constexpr (by_lanes<Pass, Key, Config, Lanes, Memory>) {
    return says_true([&] { return Pass::template at<Key>(config, lanes, memory, view, i); });
  } else if constexpr (requires { Pass::template at<Key>(config, memory, view, i); }) {
    return says_true([&] { return Pass::template at<Key>(config, memory, view, i); });
  } else {
    return says_true([&] { return Pass::template at<Key>(config, view, i); });
  }
}

}  // namespace pivotscope
