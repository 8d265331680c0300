// Key sets that are hard to cut into buckets of equal width, or to tell apart by a few of their bits.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/reference/reference.hpp"
#include "core/workload/generate/crowds.hpp"
#include "core/workload/generate/one_span.hpp"
#include "tests/support/batches.hpp"

namespace pivotscope::testing {

template <class Key>
struct hard_keys {
  std::string name;
  std::vector<Key> keys;  // in no order
};

template <class Key>
std::vector<hard_keys<Key>> all_hard_keys(u64 n, u64 seed) {
  constexpr u32 bits = sizeof(Key) * 8;
  constexpr Key top = greatest_key<Key>();
  std::mt19937_64 random(seed);
  std::vector<hard_keys<Key>> list;
  const auto add = [&](const char* name, auto&& key) {
    hard_keys<Key> set{name, {}};
    for (u64 i = 0; i < n; ++i) set.keys.push_back(static_cast<Key>(key(i)));
    std::shuffle(set.keys.begin(), set.keys.end(), random);
    list.push_back(std::move(set));
  };
  add("uniform", [&](u64) { return random(); });
  add("dense from zero", [&](u64 i) { return i; });
  add("dense to the greatest", [&](u64 i) { return static_cast<Key>(top - static_cast<Key>(i)); });
  add("all equal", [&](u64) { return 77; });
  add("half of them equal", [&](u64 i) { return i % 2 == 0 ? 12345678 : random(); });
  add("one narrow range, and both ends", [&](u64 i) {
    return i == 0 ? Key{0} : i == 1 ? top : 1000 + random() % (n / 2 + 1);
  });
  add("powers of two", [&](u64) { return (Key{1} << random() % bits) + random() % 3; });
  add("exponential gaps", [&](u64 i) {
    return static_cast<Key>(
        std::exp2l(static_cast<long double>(bits) * static_cast<long double>(i) / static_cast<long double>(n)) - 1);
  });
  add("clusters", [&](u64) { return (random() % 13) * 0x9E3779B97F4A7C15ull + random() % (n / 7 + 1); });
  add("two runs side by side", [&](u64 i) { return 0x70000000u + i % 2; });
  add("five runs", [&](u64) { return random() % 5 * 3; });
  add("every prefix", [&](u64) { return static_cast<Key>(random()) >> random() % bits; });
  add("every prefix from above",
      [&](u64) { return static_cast<Key>(~(static_cast<Key>(random()) >> random() % bits)); });
  add("equal steps", [&](u64 i) { return i * (top / std::max<u64>(n, 1)); });
  add("dense runs far apart", [&](u64 i) { return top / 16 * (i % 16) + i / 16; });
  for (const u64 which : {0u, 1u}) {
    const crowds made(2 * seed + which, n, top);
    add("crowds", [&](u64 i) { return made.key(i); });
  }
  const one_span range(seed, top);
  add("one range of any width", [&](u64 i) { return range.key(i); });
  return list;
}

// The keys, their neighbours, what differs from them in one bit, and anything.
template <class Key>
std::vector<Key> asked_of(const std::vector<Key>& keys, u64 most, u64 seed) {
  std::mt19937_64 random(seed);
  std::vector<Key> asked = {0, 1, greatest_key<Key>(), static_cast<Key>(greatest_key<Key>() - 1)};
  const u64 every = std::max<u64>(1, keys.size() / most);
  for (u64 i = 0; i < keys.size(); i += every) {
    const Key key = keys[i];
    for (const Key other : {key, static_cast<Key>(key + 1), static_cast<Key>(key - 1),
                            static_cast<Key>(key ^ Key{1} << random() % (sizeof(Key) * 8)),
                            static_cast<Key>(key + (Key{1} << (sizeof(Key) * 8 - 1 - random() % 24)))})
      asked.push_back(other);
  }
  for (u64 i = 0; i < 200; ++i) asked.push_back(static_cast<Key>(random()));
  return asked;
}

struct hard_counts {
  u64 lookups = 0, found = 0, ranges = 0, successors = 0;
};

// Every answer of an index over the keys against the reference.
template <class Key>
std::shared_ptr<const built_index> expect_right(machine& on, const index_config& config, const std::vector<Key>& keys,
                                                const std::vector<Key>& asked, hard_counts& counts) {
  const reference truth{key_array(keys)};
  const auto resident = on.load(key_array(keys), {});
  EXPECT_TRUE(resident.ok()) << resident.error().words;
  const auto built = on.build(config, *resident, {});
  EXPECT_TRUE(built.ok()) << built.error().words;
  if (!built.ok()) return nullptr;
  const auto found = look_up(on, **built, key_array(asked));
  EXPECT_TRUE(found.ok()) << found.error().words;
  u64 wrong = 0;
  for (u64 i = 0; i < asked.size(); ++i, ++counts.lookups) {
    const u32 row = found->answers.found[i];
    counts.found += row != not_found;
    if (!truth.accepts(asked[i], row) && wrong++ < 5) ADD_FAILURE() << asked[i] << " answered " << row;
  }
  std::vector<Key> lows, highs;
  for (u64 i = 0; i + 7 < asked.size(); i += 7) {
    lows.push_back(std::min(asked[i], asked[i + 3])), highs.push_back(std::max(asked[i], asked[i + 3]));
    if (i % 5 == 0) std::swap(lows.back(), highs.back());
  }
  const auto ranges = on.run(**built, ranges_of(key_array(lows), key_array(highs)), {.rows = keys.size() < 5000}, {});
  EXPECT_TRUE(ranges.ok()) << ranges.error().words;
  for (u64 i = 0; i < lows.size(); ++i, ++counts.ranges) {
    if (!(ranges->answers.ranges[i] == truth.range(lows[i], highs[i])) && wrong++ < 5)
      ADD_FAILURE() << lows[i] << " to " << highs[i] << ": " << ranges->answers.ranges[i].count;
    if (keys.size() >= 5000) continue;
    std::vector<u32> rows(ranges->answers.rows.begin() + static_cast<std::ptrdiff_t>(ranges->answers.begins[i]),
                          ranges->answers.rows.begin() + static_cast<std::ptrdiff_t>(ranges->answers.begins[i + 1]));
    std::sort(rows.begin(), rows.end());
    if (rows != truth.range_rows(lows[i], highs[i]) && wrong++ < 5) ADD_FAILURE() << "rows of " << lows[i];
  }
  const auto next = on.run(**built, successors_of(key_array(asked)), {}, {});
  EXPECT_TRUE(next.ok()) << next.error().words;
  for (u64 i = 0; i < asked.size(); ++i, ++counts.successors) {
    const successor_answer& answer = next->answers.successors[i];
    if (!truth.accepts_next_key(asked[i], false, answer) && wrong++ < 5)
      ADD_FAILURE() << "after " << asked[i] << ": " << answer.key << ", row " << answer.row;
  }
  return *built;
}

}  // namespace pivotscope::testing
