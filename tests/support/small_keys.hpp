// Small key sets with what goes wrong in them, and the lookups that would show it.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "core/workload/workload.hpp"

namespace pivotscope::testing {

enum class key_pattern { spaced, with_extremes, pairs, all_equal, all_greatest, far_up };

inline const char* pattern_name(key_pattern p) {
  switch (p) {
    case key_pattern::spaced:
      return "spaced";
    case key_pattern::with_extremes:
      return "with extremes";
    case key_pattern::pairs:
      return "pairs";
    case key_pattern::all_equal:
      return "all equal";
    case key_pattern::all_greatest:
      return "all greatest";
    case key_pattern::far_up:
      return "far up";
  }
  return "";
}

// n keys in a shuffled input order.
template <class Key>
std::vector<Key> pattern_keys(key_pattern pattern, u64 n) {
  std::vector<Key> keys(n);
  for (u64 i = 0; i < n; ++i) {
    switch (pattern) {
      case key_pattern::spaced:
        keys[i] = static_cast<Key>(3 * i + 1);  // a miss before, between and after
        break;
      case key_pattern::with_extremes:
        keys[i] = i == 0 ? Key{0} : i + 1 == n ? greatest_key<Key>() : static_cast<Key>(greatest_key<Key>() / n * i);
        break;
      case key_pattern::pairs:
        keys[i] = static_cast<Key>(5 + 2 * (i / 2));
        break;
      case key_pattern::all_equal:
        keys[i] = 7;
        break;
      case key_pattern::all_greatest:
        keys[i] = greatest_key<Key>();
        break;
      case key_pattern::far_up:  // steps that are no powers of two, and a third of all values below them
        keys[i] = static_cast<Key>(greatest_key<Key>() / 3 + i * (greatest_key<Key>() / 7777));
        break;
    }
  }
  std::mt19937_64 random(n);
  std::shuffle(keys.begin(), keys.end(), random);
  return keys;
}

// Row ids in the order of their keys; of equal keys the smaller first.
template <class Key>
std::vector<u32> rows_in_order(const std::vector<Key>& keys) {
  std::vector<u32> rows(keys.size());
  std::iota(rows.begin(), rows.end(), 0u);
  std::stable_sort(rows.begin(), rows.end(), [&](u32 a, u32 b) { return keys[a] < keys[b]; });
  return rows;
}

inline key_array spaced_keys(u64 n) { return key_array(pattern_keys<u32>(key_pattern::spaced, n)); }

// Every key, its neighbours, and the ends of the width, each once.
template <class Key>
std::vector<Key> telling_lookups(const std::vector<Key>& keys) {
  std::vector<Key> lookups{0, greatest_key<Key>()};
  for (const Key k : keys) {
    lookups.push_back(k);
    lookups.push_back(static_cast<Key>(k - 1));
    lookups.push_back(static_cast<Key>(k + 1));
  }
  std::sort(lookups.begin(), lookups.end());
  lookups.erase(std::unique(lookups.begin(), lookups.end()), lookups.end());
  return lookups;
}

}  // namespace pivotscope::testing
