// Was a run's time one of a processor that was held back?
#pragma once

#include <algorithm>

#include "core/common/portable.hpp"

namespace pivotscope {

struct clock_reading {
  u32 mhz = 0;             // 0: not known
  bool throttled = false;  // for heat, or by what feeds it
};

// Readings of one measurement, in their order. A clock that lies lower from the first on was set so, and is not held
// back; one that falls by a quarter is.
class clock_watch {
 public:
  // A run between these two.
  bool held_back(const clock_reading& before, const clock_reading& after) {
    most_ = std::max({most_, before.mhz, after.mhz});
    return before.throttled || after.throttled || low(after);
  }

 private:
  // Before a run a device may rest; behind it, it does not yet.
  bool low(const clock_reading& reading) const { return reading.mhz != 0 && u64{reading.mhz} * 4 < u64{most_} * 3; }
  u32 most_ = 0;
};

}  // namespace pivotscope
