// A pass of a build, one item a thread: the same on every machine.
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

// Does the pass count any items?
template <class Pass, class Key, class Config, class Memory>
inline constexpr bool counts_items = requires(Config c, Memory& m, const build_view& v, u64 i) {
  bool{Pass::template at<Key>(c, m, v, i)};
}
|| requires(Config c, const build_view& v, u64 i) { bool{Pass::template at<Key>(c, v, i)}; };

// The item that is a GPU's i-th: a pass may say in which order neighbouring threads take them, and with it what it
// knows of the item then.
template <class Pass, class Config>
PIVOTSCOPE_FN auto item_in_turn(Config config, const build_view& view, u64 i) {
  if constexpr (requires { Pass::turn(config, view, i); }) {
    return Pass::turn(config, view, i);
  } else {
    return i;
  }
}

// As many of a GPU's first turns are alike: a pass may have fewer such than items, and know more of what these take.
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

// May a GPU's thread take four neighbours of the whole items together, at_four()? A pass counts none of these.
template <class Pass, class Config>
PIVOTSCOPE_FN constexpr bool takes_fours(Config config) {
  if constexpr (requires { Pass::takes_fours(config); }) {
    return Pass::takes_fours(config);
  } else {
    return false;
  }
}

// Item i: does the pass count it?
template <class Pass, class Key, class Config, class Memory, class Item>
PIVOTSCOPE_FN bool do_item(Config config, [[maybe_unused]] Memory& memory, const build_view& view, Item i) {
  if constexpr (requires { Pass::template at<Key>(config, memory, view, i); }) {
    return says_true([&] { return Pass::template at<Key>(config, memory, view, i); });
  } else {
    return says_true([&] { return Pass::template at<Key>(config, view, i); });
  }
}

}  // namespace pivotscope
