// What a key set lacks: the values of its width that are no row's key, numbered without a list of them.
#pragma once

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <span>
#include <vector>

#include "core/common/expect.hpp"
#include "core/common/parallel.hpp"
#include "core/common/portable.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

template <class Key>
class missing_values_at;

template <class Key>
class missing_values {
 public:
  explicit missing_values(std::span<const Key> keys) : keys_(keys.begin(), keys.end()) {
    tbb::parallel_sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    if (keys_.empty()) return;
    const u64 runs = keys_.size() / 8 + 1;
    step_ = greatest() / runs + 1;
    below_.resize(runs + 1);
    parallel_parts(runs + 1, 1 << 12, [&](const index_part& part) {
      for (u64 b = part.begin(); b < part.end(); ++b)
        below_[b] = static_cast<u32>(b == runs ? keys_.size() : keys_below(b * step_, 0, keys_.size()));
    });
  }

  // The last one's number. There is one, since a set has fewer than 2^32 keys.
  u64 greatest() const { return greatest_key<Key>() - keys_.size(); }

  // The i-th missing value in ascending order: i and the number of keys with at most i missing values below.
  u64 operator()(u64 i) const {
    PIVOTSCOPE_EXPECT(i <= greatest());
    if (keys_.empty()) return i;
    const u64 run = i / step_;
    return i + keys_below(i, below_[run], below_[run + 1]);
  }

 private:
  // Below keys_[r] lie keys_[r] - r missing values, which ascends with r: a binary search for the first r, from `first`
  // to `end`, that has more than i of them.
  u64 keys_below(u64 i, u64 first, u64 end) const {
    u64 count = end - first;
    while (count > 0) {
      const u64 half = count / 2;
      if (keys_[first + half] - (first + half) <= i) {
        first += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return first;
  }

  friend class missing_values_at<Key>;
  std::vector<Key> keys_;  // sorted, each value once
  // keys_below() of every step_-th number, so that most searches are a few steps in one place.
  u64 step_ = 1;
  std::vector<u32> below_;
};

// Those of them that lie where misses are wanted, numbered from 0 again.
template <class Key>
class missing_values_at {
 public:
  missing_values_at(const missing_values<Key>& all, miss_place where) : all_(all), last_(all.greatest()) {
    if (all.keys_.empty() || where == miss_place::anywhere) return;
    const u64 below = all.keys_.front(), above = greatest_key<Key>() - all.keys_.back();
    const u64 inside = all.greatest() + 1 - below - above;
    const u64 count = where == miss_place::inside ? inside : below + above;
    some_ = count != 0;
    last_ = some_ ? count - 1 : 0;
    skip_from_ = where == miss_place::inside ? 0 : below;
    skip_ = where == miss_place::inside ? below : inside;
  }

  bool some() const { return some_; }
  u64 greatest() const { return last_; }
  u64 operator()(u64 i) const { return all_(i < skip_from_ ? i : i + skip_); }

 private:
  const missing_values<Key>& all_;
  bool some_ = true;
  u64 last_;
  u64 skip_from_ = 0, skip_ = 0;  // numbers of `all` that are left out: so many, from that one on
};

// Words for a key set that has none of them.
inline problem no_such_misses(miss_place where) {
  if (where == miss_place::inside)
    return {"misses=inside: every value between the least and the greatest key is a key; take misses=anywhere"};
  return {"misses=outside: the least and the greatest value are keys; take misses=anywhere"};
}

}  // namespace pivotscope
