// Lookups, ranges and next keys of `merged` against a sorted vector: all sizes to 40, powers of two and their
// neighbours, and ranges about the sizes at which another part of the scan begins.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "core/families/merged/merged.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

using testing::key_pattern;

constexpr key_pattern patterns[] = {key_pattern::spaced,    key_pattern::with_extremes, key_pattern::pairs,
                                    key_pattern::all_equal, key_pattern::all_greatest,  key_pattern::far_up};

// An index over some keys, and what it must answer.
template <class Key>
class merged_case {
 public:
  using entry = std::pair<Key, u32>;

  explicit merged_case(const std::vector<Key>& keys) : cpu_(detail::open_cpu()) {
    const index_config config = merged_config{.keys = sizeof(Key) == 4 ? key_width::u32 : key_width::u64};
    index_ = *cpu_->build(config, *cpu_->load(key_array(keys), {}), {});
    for (const u32 row : testing::rows_in_order(keys)) sorted_.push_back({keys[row], row});
  }

  void expect_points(const std::vector<Key>& asked) const {
    const auto found = run({operation::find, key_array(asked)}).found;
    const auto next = run({operation::successor, key_array(asked)}).successors;
    const auto bounds = run({operation::lower_bound, key_array(asked)}).successors;
    ASSERT_TRUE(found.size() == asked.size() && next.size() == asked.size() && bounds.size() == asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      SCOPED_TRACE(asked[i]);
      const auto at = first_from(asked[i]), behind = first_behind(asked[i]);
      EXPECT_EQ(found[i], at != sorted_.end() && at->first == asked[i] ? at->second : not_found);
      EXPECT_EQ(bounds[i], answer_at(at));
      EXPECT_EQ(next[i], answer_at(behind));
      if (::testing::Test::HasFailure()) return;
    }
  }

  void expect_ranges(const std::vector<Key>& lows, const std::vector<Key>& highs) const {
    const batch_answers a = run(testing::ranges_of(key_array(lows), key_array(highs)), {.rows = true});
    ASSERT_EQ(a.ranges.size(), lows.size());
    for (std::size_t i = 0; i < lows.size(); ++i) {
      SCOPED_TRACE(std::to_string(lows[i]) + " to " + std::to_string(highs[i]));
      range_answer right;
      std::vector<u32> rows;
      if (lows[i] <= highs[i])
        for (auto at = first_from(lows[i]), end = first_behind(highs[i]); at != end; ++at)
          ++right.count, right.row_sum += at->second, rows.push_back(at->second);
      EXPECT_EQ(a.ranges[i], right);
      EXPECT_EQ(std::vector<u32>(a.rows.begin() + static_cast<std::ptrdiff_t>(a.begins[i]),
                                 a.rows.begin() + static_cast<std::ptrdiff_t>(a.begins[i + 1])),
                rows)
          << "in the order of the entries";
      if (::testing::Test::HasFailure()) return;
    }
  }

  const std::vector<entry>& sorted() const { return sorted_; }
  const built_index& index() const { return *index_; }

 private:
  using place = typename std::vector<entry>::const_iterator;

  batch_answers run(const batch& asked, const batch_options& options = {}) const {
    auto result = cpu_->run(*index_, asked, options, {});
    EXPECT_TRUE(result.ok()) << result.error().words;
    return std::move(result->answers);
  }
  place first_from(Key key) const { return std::lower_bound(sorted_.begin(), sorted_.end(), entry{key, 0}); }
  place first_behind(Key key) const { return std::upper_bound(sorted_.begin(), sorted_.end(), entry{key, not_found}); }
  successor_answer answer_at(place at) const {
    return at == sorted_.end() ? successor_answer{} : successor_answer{at->first, at->second};
  }

  std::unique_ptr<machine> cpu_;
  std::shared_ptr<const built_index> index_;
  std::vector<entry> sorted_;
};

template <class Key>
void expect_small_sets_hold() {
  for (u64 n = 0; n <= 40; ++n) {
    for (const key_pattern pattern : patterns) {
      SCOPED_TRACE(std::string(testing::pattern_name(pattern)) + ", n = " + std::to_string(n));
      const merged_case<Key> here(testing::pattern_keys<Key>(pattern, n));
      std::vector<Key> keys, lows, highs;
      for (const auto& [key, row] : here.sorted()) keys.push_back(key);
      const std::vector<Key> asked = testing::telling_lookups(keys);
      here.expect_points(asked);
      for (const Key low : asked)
        for (const Key high : asked) lows.push_back(low), highs.push_back(high);
      here.expect_ranges(lows, highs);
      if (::testing::Test::HasFailure()) return;
    }
  }
}
TEST(MergedSearch, AnswersEveryKeyAndRangeOfSmallSets32) { expect_small_sets_hold<u32>(); }
TEST(MergedSearch, AnswersEveryKeyAndRangeOfSmallSets64) { expect_small_sets_hold<u64>(); }

template <class Key>
void expect_powers_hold() {
  for (const u64 power : {64u, 128u, 1024u, 4096u}) {
    for (const u64 n : {power - 1, power, power + 1}) {
      SCOPED_TRACE(n);
      const std::vector<Key> keys = testing::pattern_keys<Key>(key_pattern::with_extremes, n);
      merged_case<Key>(keys).expect_points(testing::telling_lookups(keys));
    }
  }
}
TEST(MergedSearch, AnswersPowersOfTwoAndTheirNeighbours32) { expect_powers_hold<u32>(); }
TEST(MergedSearch, AnswersPowersOfTwoAndTheirNeighbours64) { expect_powers_hold<u64>(); }

// Up to 32 entries by the lookup's lane, then 128 by the warp's lanes at a time; the array ends before, at or behind
// such a part's end.
TEST(MergedSearch, ARangeOfAnyLengthIsReadWhole) {
  for (const u64 n : {31, 32, 33, 34, 159, 160, 161, 289, 400}) {
    SCOPED_TRACE(n);
    std::vector<u32> keys(n);
    for (u32 i = 0; i < n; ++i) keys[i] = 2 * (static_cast<u32>(n) - i);
    const merged_case<u32> here(keys);
    std::vector<u32> lows, highs;
    for (const u32 low : {0u, 2u, 3u, 10u})
      for (u32 high = low; high <= 2 * n + 2; ++high) lows.push_back(low), highs.push_back(high);
    here.expect_ranges(lows, highs);
    for (std::size_t i = 0; i < lows.size(); i += 7) {
      const auto trace = trace_range(here.index(), lows[i], highs[i]);
      ASSERT_TRUE(trace.ok()) << trace.error().words;
      const u64 count = trace->range->answer.count;
      EXPECT_EQ(count, std::min<u64>(highs[i] / 2, n) - std::max<u64>((lows[i] + 1) / 2, 1) + 1);
      // The warp goes on where the lane is not at the array's end.
      const bool more = count >= merged_alone && trace->steps.back().left_first + merged_alone < n;
      EXPECT_EQ(trace->steps.back().kind == step_kind::warp_scan, more);
    }
  }
}

TEST(MergedSearch, TheFirstStepIsTheGreatestPowerOfTwoUpToN) {
  EXPECT_EQ(merged_first_step(0), 0u);
  EXPECT_EQ(merged_levels(0), 0u);
  for (u32 bit = 0; bit < 32; ++bit) {
    const u32 power = 1u << bit;
    for (const u32 n : {power, power + (power - 1) / 2, power + (power - 1)}) {
      EXPECT_EQ(merged_first_step(n), power) << n;
      EXPECT_EQ(merged_levels(n), bit + 1) << n;
    }
  }
}

}  // namespace
}  // namespace pivotscope
