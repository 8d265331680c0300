// What time it is: the steady clock, unless a test has set another.
#pragma once

#include <chrono>
#include <functional>

namespace pivotscope {

using time_source = std::function<std::chrono::steady_clock::time_point()>;

inline double seconds_between(std::chrono::steady_clock::time_point began,
                              std::chrono::steady_clock::time_point ended) {
  return std::chrono::duration<double>(ended - began).count();
}

}  // namespace pivotscope
