// probing: the probe sequence of a key. The key's hash selects the first window; the sequence then
// visits every other window once.
//
//   linear      to the next window                                     neighbours share a line; full runs grow
//   quadratic   by 1, 2, 3, ... windows: triangular numbers            sequences that begin apart do not share a run
//   double      by as many windows as a second hash says, each time    keys of one first window part at the next
//
// The number of windows is arbitrary. Quadratic and double walk over the next power of two, where triangular numbers
// and any odd step visit every place once, and skip the places beyond the last window.
#pragma once

#include "core/common/key_hash.hpp"
#include "core/families/open_addressing/config.hpp"

namespace pivotscope {

// Windows of a table, 1 to 2^32 - 1, and the next power of two as a mask.
struct window_count {
  u32 windows = 1, places = 0;

  static constexpr window_count of(u32 windows) {
    u32 places = windows - 1;
    for (u32 bits = 1; bits < 32; bits *= 2) places |= places >> bits;
    return {windows, places};
  }
};

template <class Key>
PIVOTSCOPE_FN constexpr u32 first_window(Key key, window_count of) {
  return place_of_key(key, of.windows);
}

template <class Config>
class window_walk {
 public:
  template <class Key>
  PIVOTSCOPE_FN window_walk(Config config, Key key, window_count of)
      : config_(config), of_(of), window_(first_window(key, of)) {
    if (config_.value.probing == probing_kind::twice) step_ = second_hash_of(key) | 1u;
  }
  // On from where another is.
  PIVOTSCOPE_FN window_walk(Config config, u32 window, u32 step, window_count of)
      : config_(config), of_(of), window_(window), step_(step) {}

  PIVOTSCOPE_FN u32 window() const { return window_; }
  PIVOTSCOPE_FN u32 step() const { return step_; }
  PIVOTSCOPE_FN void next() {
    if (config_.value.probing == probing_kind::linear) {
      if (++window_ == of_.windows) window_ = 0;
      return;
    }
    do {
      if (config_.value.probing == probing_kind::quadratic) ++step_;
      window_ = (window_ + step_) & of_.places;
    } while (window_ >= of_.windows);
  }

 private:
  Config config_;
  window_count of_;
  u32 window_, step_ = 0;
};

}  // namespace pivotscope
