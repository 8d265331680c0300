// Where a key is looked for: a window by its hash, and from there on every other window once.
//
//   linear      the next one                                            neighbours share a line, and runs of full ones grow
//   quadratic   1, 2, 3, ... further on: triangular numbers             runs do not grow where they begin apart
//   double      as far on as a second hash says, each time              keys of one window part at the next
//
// Any number of windows: the last two walk over the next power of two, where triangular numbers and any odd step come to every
// place once, and pass over places beyond the last window.
#pragma once

#include "core/index/open_addressing/config.hpp"

namespace pivotscope {

// Finalisers of MurmurHash3: bijections, every bit of the key in every bit of the hash.
PIVOTSCOPE_FN constexpr u32 hash_of(u32 key) {
  key ^= key >> 16, key *= 0x85EBCA6Bu;
  key ^= key >> 13, key *= 0xC2B2AE35u;
  return key ^ key >> 16;
}
PIVOTSCOPE_FN constexpr u32 hash_of(u64 key) {
  key ^= key >> 33, key *= 0xFF51AFD7ED558CCDull;
  key ^= key >> 33, key *= 0xC4CEB9FE1A85EC53ull;
  return static_cast<u32>((key ^ key >> 33) >> 32);
}
// Another, which keys with one hash do not share.
PIVOTSCOPE_FN constexpr u32 second_hash_of(u64 key) {
  key *= 0x9E3779B97F4A7C15ull;
  key ^= key >> 32, key *= 0xD6E8FEB86659FD93ull;
  return static_cast<u32>(key >> 32);
}

template <class Key>
PIVOTSCOPE_FN constexpr u32 first_window(Key key, u32 windows) {
  return static_cast<u32>((u64{hash_of(key)} * windows) >> 32);
}

// windows >= 1, < 2^32.
template <class Config>
class window_walk {
 public:
  template <class Key>
  PIVOTSCOPE_FN window_walk(Config config, Key key, u32 windows)
      : config_(config), windows_(windows), window_(first_window(key, windows)) {
    if (config_.value.probing == probing_kind::twice) step_ = second_hash_of(key) | 1u;
  }
  // On from where another is.
  PIVOTSCOPE_FN window_walk(Config config, u32 window, u32 step, u32 windows)
      : config_(config), windows_(windows), window_(window), step_(step) {}

  PIVOTSCOPE_FN u32 window() const { return window_; }
  PIVOTSCOPE_FN u32 step() const { return step_; }
  PIVOTSCOPE_FN void next() {
    if (config_.value.probing == probing_kind::linear) {
      if (++window_ == windows_) window_ = 0;
      return;
    }
    const u32 places = ceil_pow2(windows_) - 1;  // as a mask
    do {
      if (config_.value.probing == probing_kind::quadratic) ++step_;
      window_ = (window_ + step_) & places;
    } while (window_ >= windows_);
  }

 private:
  Config config_;
  u32 windows_, window_, step_ = 0;
};

}  // namespace pivotscope
