// Range lookups on the cpu and the trace machine against the reference: every config over small sets, any config over
// any.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <span>

#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/reference/reference.hpp"
#include "tests/support/any_keys.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/small_configs.hpp"
#include "tests/support/small_keys.hpp"
#include "tests/support/whole_space.hpp"

namespace pivotscope {
namespace {

using testing::key_pattern;

// A batch and its right answers, row ids and all: made once, compared with many configs' answers.
class judged_ranges {
 public:
  template <class Key>
  judged_ranges(const std::vector<Key>& keys, const std::vector<Key>& low, const std::vector<Key>& high)
      : n_(keys.size()), ranges_{operation::range, key_array(low), key_array(high)} {
    const reference truth{key_array(keys)};
    for (std::size_t i = 0; i < low.size(); ++i) {
      answers_.push_back(truth.range(low[i], high[i]));
      const auto rows = truth.range_rows(low[i], high[i]);
      begins_.push_back(rows_.size());
      rows_.insert(rows_.end(), rows.begin(), rows.end());
    }
    begins_.push_back(rows_.size());
  }

  // Words for the first wrong answer; empty: all are right.
  std::string judge(machine& on, const built_index& index, bool rows) const {
    auto result = on.run(index, ranges_, {.rows = rows}, job_control{});
    if (!result) return result.error().words;
    if (result->answers.ranges.size() != ranges_.size()) return "answers are missing";
    for (u64 i = 0; i < ranges_.size(); ++i) {
      const range_answer& said = result->answers.ranges[i];
      if (said != answers_[i]) {
        return words(index, i) + " counted " + std::to_string(said.count) + " with row sum " +
               std::to_string(said.row_sum) + ", right is " + std::to_string(answers_[i].count) + " with " +
               std::to_string(answers_[i].row_sum);
      }
    }
    if (!rows) return {};
    if (result->answers.begins != begins_) return words(index, 0) + ": the row ids are cut elsewhere";
    for (u64 i = 0; i < ranges_.size(); ++i) {
      const auto at = [&](u64 n) { return result->answers.rows.begin() + static_cast<std::ptrdiff_t>(n); };
      std::sort(at(begins_[i]), at(begins_[i + 1]));
      if (!std::equal(at(begins_[i]), at(begins_[i + 1]), rows_.begin() + static_cast<std::ptrdiff_t>(begins_[i]))) {
        return words(index, i) + " listed other row ids";
      }
    }
    return {};
  }

  u64 size() const { return ranges_.size(); }

 private:
  // As one line that `pivotscope trace` accepts, but for the keys.
  std::string words(const built_index& index, u64 i) const {
    return "--config \"" + to_line(index.config()) + "\" n=" + std::to_string(n_) + " --lookup " +
           std::to_string(ranges_.keys[i]) + " --range-to " + std::to_string(ranges_.highs[i]);
  }

  u64 n_;
  batch ranges_;
  std::vector<range_answer> answers_;
  std::vector<u64> begins_;
  std::vector<u32> rows_;  // of each range ascending
};

std::vector<ordered_config> range_configs(key_width width) {
  std::vector<ordered_config> list;
  for (ordered_config c : testing::lookup_configs(width)) {
    for (const scan_kind scan : {scan_kind::alone, scan_kind::cooperative}) {
      c.scan = scan;
      if (!check(c)) list.push_back(c);
    }
  }
  return list;
}

// All low <= high over the keys, a gap behind each, and the ends of the width; and a few with low > high.
template <class Key>
judged_ranges all_pairs(const std::vector<Key>& keys) {
  std::vector<Key> ends{0, greatest_key<Key>()};
  for (const Key k : keys) ends.insert(ends.end(), {k, static_cast<Key>(k + 1)});
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<Key> low, high;
  for (std::size_t a = 0; a < ends.size(); ++a) {
    for (std::size_t b = a; b < ends.size(); ++b) low.push_back(ends[a]), high.push_back(ends[b]);
    low.push_back(ends[a]), high.push_back(ends[a / 2]);
    low.push_back(ends.back()), high.push_back(ends[a]);
  }
  return {keys, low, high};
}

// Of about as many entries as a lookup scans before the warp takes over (32), and twice and three times that; with the
// warp's first step (128) and its first full one (256).
constexpr u64 about_the_hand_over[] = {1, 2, 16, 31, 32, 33, 34, 63, 64, 65, 95, 96, 97, 128, 129, 300};
constexpr u64 about_the_warps_steps[] = {158, 159, 160, 161, 162, 414, 415, 416, 417, 418, 671, 672, 673};

// Ranges of so many entries from keys and gaps all over, and to both ends of the width.
template <class Key>
judged_ranges sampled(std::vector<Key> keys, std::span<const u64> numbers = about_the_hand_over) {
  const std::vector<Key> in_rows = keys;
  std::sort(keys.begin(), keys.end());
  std::vector<Key> low, high;
  for (const u64 entries : numbers) {
    const u64 hits = std::min<u64>(entries, keys.size());
    for (u64 rank = 0; rank + hits <= keys.size(); rank += 1 + keys.size() / 24) {
      low.push_back(keys[rank]), high.push_back(keys[rank + hits - 1]);
      low.push_back(static_cast<Key>(keys[rank] + 1)), high.push_back(static_cast<Key>(keys[rank + hits - 1] + 1));
    }
    low.push_back(keys[keys.size() - hits]), high.push_back(greatest_key<Key>());
    low.push_back(0), high.push_back(keys[hits - 1]);
  }
  return {in_rows, low, high};
}

struct range_tally {
  std::atomic<u64> indexes{0}, ranges{0};
};

// Every config over keys of a pattern.
template <class Key>
std::string judge_configs(const std::vector<ordered_config>& configs, const std::vector<Key>& keys,
                          const judged_ranges& ranges, const std::atomic<bool>& stop, range_tally& counts) {
  const auto cpu = open_machine(machine_kind::cpu);
  const auto resident = (*cpu)->load(key_array(keys), job_control{});
  if (!resident) return resident.error().words;
  for (std::size_t i = 0; i < configs.size() && !stop; ++i) {
    auto index = (*cpu)->build(configs[i], *resident, job_control{});
    if (!index) return index.error().words;
    if (std::string said = ranges.judge(**cpu, **index, (i / 2 + keys.size()) % 4 == 0); !said.empty()) return said;
    ++counts.indexes;
    counts.ranges += ranges.size();
  }
  return {};
}

// judge_n(n, stop) for many n in parallel, until one of them has words.
template <class JudgeN>
std::string first_words(u64 first, u64 last, const JudgeN& judge_n) {
  std::mutex mutex;
  std::string wrong;
  std::atomic<bool> stop{false};
  tbb::parallel_for(first, last + 1, [&](u64 n) {
    const std::string said = judge_n(n, stop);
    if (said.empty()) return;
    const std::scoped_lock lock(mutex);
    if (!stop.exchange(true)) wrong = said;
  });
  return wrong;
}

constexpr key_pattern patterns[] = {key_pattern::spaced, key_pattern::with_extremes, key_pattern::pairs,
                                    key_pattern::all_equal, key_pattern::all_greatest};

// Spaced keys at every size; the other patterns take turns.
template <class Key>
void every_config_and_range(key_width width, range_tally& counts) {
  const auto configs = range_configs(width);
  EXPECT_EQ(first_words(0, 40,
                        [&](u64 n, const std::atomic<bool>& stop) {
                          for (const key_pattern pattern : {patterns[0], patterns[1 + n % 4]}) {
                            const auto keys = testing::pattern_keys<Key>(pattern, n);
                            std::string said = judge_configs(configs, keys, all_pairs(keys), stop, counts);
                            if (!said.empty()) return said + " (" + testing::pattern_name(pattern) + ")";
                          }
                          return std::string();
                        }),
            "");
  EXPECT_EQ(counts.indexes, 41 * 2 * configs.size());
}

TEST(RangeExhaustive, EveryConfigSizeTo40AndRangeWith32BitKeys) {
  range_tally counts;
  every_config_and_range<u32>(key_width::u32, counts);
  EXPECT_GT(counts.ranges, 10'000'000u);
}

TEST(RangeExhaustive, EveryConfigSizeTo40AndRangeWith64BitKeys) {
  range_tally counts;
  every_config_and_range<u64>(key_width::u64, counts);
}

// Where scanning turns cooperative, and where a run of slots ends on one level and goes on on another. The configs take
// turns: a fourth of them, every scan among these, at each size.
TEST(RangeExhaustive, RangesOf32EntriesMoreAndLessTo300Keys) {
  const auto configs = range_configs(key_width::u32);
  const auto turn = [&](u64 n) {
    std::vector<ordered_config> some;
    for (std::size_t i = 0; i < configs.size(); ++i) {
      if (i / 2 % 4 == n % 4) some.push_back(configs[i]);
    }
    return some;
  };
  range_tally counts;
  EXPECT_EQ(first_words(41, 300,
                        [&](u64 n, const std::atomic<bool>& stop) {
                          const key_pattern pattern = n % 3 == 0 ? patterns[1 + n / 3 % 4] : patterns[0];
                          const auto keys = testing::pattern_keys<u32>(pattern, n);
                          std::string said = judge_configs(turn(n), keys, sampled(keys), stop, counts);
                          return said.empty() ? said : said + " (" + testing::pattern_name(pattern) + ")";
                        }),
            "");
  EXPECT_EQ(counts.indexes, 65 * configs.size());
}

template <class Key>
void expect_reference_answers(const ordered_config& c) {
  const auto keys = *testing::any_keys<Key>();
  // Ranges between any two values, backwards too; and from any key on over so many.
  auto low = *testing::any_keys<Key>(), high = *testing::any_keys<Key>();
  low.resize(std::min({low.size(), high.size(), std::size_t{200}}));
  high.resize(low.size());
  auto sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.empty()) {
    const auto spots = *rc::gen::container<std::vector<std::pair<u32, u32>>>(rc::gen::pair(
        rc::gen::arbitrary<u32>(),
        rc::gen::oneOf(rc::gen::inRange<u32>(1, 130), rc::gen::element<u32>(1, 31, 32, 33, 64, 65, 4000))));
    for (const auto& [rank, entries] : spots) {
      const std::size_t first = rank % sorted.size();
      low.push_back(sorted[first]);
      high.push_back(sorted[std::min(sorted.size() - 1, first + entries - 1)]);
    }
  }
  const auto rows = *rc::gen::arbitrary<bool>();
  auto cpu = open_machine(machine_kind::cpu);
  const auto resident = (*cpu)->load(key_array(keys), job_control{});
  RC_ASSERT(resident.ok());
  const auto index = (*cpu)->build(c, *resident, job_control{});
  RC_ASSERT(index.ok());
  const std::string wrong = judged_ranges(keys, low, high).judge(**cpu, **index, rows);
  if (!wrong.empty()) RC_FAIL(wrong);
  const reference truth{key_array(keys)};
  for (std::size_t i = 0; i < low.size(); i += 1 + low.size() / 4) {
    RC_LOG() << "--config \"" << to_line(c) << "\" --lookup " << low[i] << " --range-to " << high[i] << "\n";
    const auto trace = trace_range(**index, low[i], high[i]);
    RC_ASSERT(trace.ok());
    RC_ASSERT(trace->range->answer == truth.range(low[i], high[i]));
  }
}

// Longer ones: the warp's first step, its full ones and what is left behind them, on one level and on several.
template <class Key>
void ranges_of_the_warps_steps(key_width width) {
  std::vector<ordered_config> configs = range_configs(width);
  std::erase_if(configs, [](const ordered_config& c) { return c.scan == scan_kind::alone; });
  range_tally counts;
  const u64 sizes[] = {416, 450, 1500};
  EXPECT_EQ(first_words(0, std::size(sizes) - 1,
                        [&](u64 i, const std::atomic<bool>& stop) {
                          const auto keys = testing::pattern_keys<Key>(key_pattern::spaced, sizes[i]);
                          return judge_configs(configs, keys, sampled(keys, about_the_warps_steps), stop, counts);
                        }),
            "");
  EXPECT_EQ(counts.indexes, std::size(sizes) * configs.size());
}
TEST(RangeExhaustive, RangesOfTheWarpsStepsWith32BitKeys) { ranges_of_the_warps_steps<u32>(key_width::u32); }
TEST(RangeExhaustive, RangesOfTheWarpsStepsWith64BitKeys) { ranges_of_the_warps_steps<u64>(key_width::u64); }

class RangeProperty : public ::testing::TestWithParam<int> {};

TEST_P(RangeProperty, AnyConfigAnyKeysAnyRanges) {
  testing::check_any_config(GetParam(),
                            []<class Key>(const ordered_config& c, Key) { expect_reference_answers<Key>(c); });
}
INSTANTIATE_TEST_SUITE_P(Share, RangeProperty, ::testing::Range(0, testing::whole_space_shares));

}  // namespace
}  // namespace pivotscope
