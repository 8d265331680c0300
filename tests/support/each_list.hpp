// Every short list of some things: for inputs that are tried exhaustively.
#pragma once

#include <vector>

namespace pivotscope::testing {

// Calls f(list) for every list of up to `most` of these.
template <class T, class F>
void each_list(const std::vector<T>& of, std::size_t most, F&& f) {
  std::vector<std::size_t> at;
  for (std::size_t length = 0; length <= most; ++length) {
    at.assign(length, 0);
    for (bool more = true; more;) {
      std::vector<T> list;
      for (const std::size_t i : at) list.push_back(of[i]);
      f(list);
      more = false;
      for (std::size_t d = 0; d < length && !more; ++d) {
        if (++at[d] < of.size())
          more = true;
        else
          at[d] = 0;
      }
    }
  }
}

}  // namespace pivotscope::testing
