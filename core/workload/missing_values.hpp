// What a key set lacks: the values of its width that are no row's key, numbered without a list of them.
#pragma once

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <span>
#include <vector>

#include "core/common/expect.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

template <class Key>
class missing_values {
 public:
  explicit missing_values(std::span<const Key> keys) : keys_(keys.begin(), keys.end()) {
    tbb::parallel_sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
  }

  // The last one's number. There is one, since a set has fewer than 2^32 keys.
  u64 greatest() const { return greatest_key<Key>() - keys_.size(); }

  // The i-th missing value in ascending order. Below keys_[r] lie keys_[r] - r of them, so the i-th is i and the number
  // of keys with at most i missing values below: a binary search.
  u64 operator()(u64 i) const {
    PIVOTSCOPE_EXPECT(i <= greatest());
    u64 first = 0, count = keys_.size();
    while (count > 0) {
      const u64 half = count / 2;
      if (keys_[first + half] - (first + half) <= i) {
        first += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return i + first;
  }

 private:
  std::vector<Key> keys_;  // sorted, each value once
};

}  // namespace pivotscope
