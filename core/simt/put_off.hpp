// The one lookup of a GPU thread that goes on later than its others (simt/wave.hpp, again()). A few of a warp's lookups
// go on beyond what all of them read, and a step of one takes the warp as long as a step of 32. So a thread puts its own
// off, and the warp goes on with all that wait when a thread would keep a second one, or the tile ends. The answer is
// then written over what was stored in its place, by the thread that stored it.
#pragma once

#include "core/common/answers.hpp"
#include "core/simt/run.hpp"

namespace pivotscope {

template <class Key>
class put_off {
 public:
  // Of a tile of `size` lookups: one at a place behind them is none.
  PIVOTSCOPE_FN put_off(u32* answers, u32 size) : answers_(answers), size_(size) {}

  PIVOTSCOPE_FN bool waits() const { return place_ != nowhere; }
  PIVOTSCOPE_FN void put(Key its_key, u32 its_start, u32 place) { key = its_key, start = its_start, place_ = place; }
  PIVOTSCOPE_FN void answer(u32 row) {
    if (place_ < size_) answers_[place_] = row;
    place_ = nowhere;
  }

  Key key = {};
  u32 start = 0;  // what the family says of where it goes on

 private:
  static constexpr u32 nowhere = ~0u;

  u32* answers_;
  u32 size_, place_ = nowhere;
};

}  // namespace pivotscope
