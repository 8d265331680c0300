// Successors on the cpu and the trace machine against std::upper_bound: every config over small sets, any config over
// any.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/any_keys.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/small_configs.hpp"
#include "tests/support/small_keys.hpp"
#include "tests/support/whole_space.hpp"

namespace pivotscope {
namespace {

using testing::key_pattern;

// What is wrong with an answer, by the keys alone.
template <class Key>
std::string wrong_next(const std::vector<Key>& keys, const std::vector<Key>& sorted, Key key,
                       const successor_answer& said) {
  const auto next = std::upper_bound(sorted.begin(), sorted.end(), key);
  const std::string told =
      "after " + std::to_string(key) + " said " + std::to_string(said.key) + ", row id " + std::to_string(said.row);
  if (next == sorted.end()) return said == successor_answer{} ? "" : told + ", and there is none";
  if (said.row < keys.size() && said.key == *next && keys[said.row] == *next) return "";
  return told + ", right is " + std::to_string(*next);
}

template <class Key>
std::string judge_batch(machine& on, const built_index& index, const std::vector<Key>& keys,
                        const std::vector<Key>& asked) {
  const auto result = on.run(index, testing::successors_of(key_array(asked)), {}, job_control{});
  if (!result) return result.error().words;
  if (result->answers.successors.size() != asked.size()) return "answers are missing";
  std::vector<Key> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const std::string wrong = wrong_next(keys, sorted, asked[i], result->answers.successors[i]);
    if (!wrong.empty()) return "\"" + to_line(index.config()) + "\" n=" + std::to_string(keys.size()) + " " + wrong;
  }
  return "";
}

constexpr key_pattern next_patterns[] = {key_pattern::spaced, key_pattern::with_extremes, key_pattern::pairs,
                                         key_pattern::all_equal, key_pattern::all_greatest};

// Every order, K, number of lanes and layout; keys of every pattern; asked of every key, each neighbour and the ends of
// the width. On the trace machine every `every_trace`-th index answers as well.
template <class Key>
void every_config_and_successor(key_width width, u64 most, u64 every_trace) {
  const std::vector<ordered_config> configs = testing::lookup_configs(width);
  std::atomic<u64> indexes{0}, asked_of{0}, traced{0};
  std::mutex mutex;
  std::string first_wrong;
  tbb::parallel_for(u64{0}, most + 1, [&](u64 n) {
    const auto cpu = detail::open_cpu();
    for (const key_pattern pattern : next_patterns) {
      const std::vector<Key> keys = testing::pattern_keys<Key>(pattern, n), asked = testing::telling_lookups(keys);
      const auto resident = *cpu->load(key_array(keys), {});
      for (std::size_t i = 0; i < configs.size(); ++i) {
        const auto index = cpu->build(configs[i], resident, {});
        std::string wrong = index ? judge_batch(*cpu, **index, keys, asked) : index.error().words;
        if (wrong.empty() && (i + n) % every_trace == 0) {
          std::vector<Key> sorted = keys;
          std::sort(sorted.begin(), sorted.end());
          for (const Key key : asked) {
            const auto trace = trace_next(**index, operation::successor, key);
            wrong = trace ? wrong_next(keys, sorted, key, *trace->successor) : trace.error().words;
            if (!wrong.empty()) break;
            ++traced;
          }
        }
        ++indexes, asked_of += asked.size();
        if (wrong.empty()) continue;
        const std::scoped_lock lock(mutex);
        if (first_wrong.empty()) first_wrong = wrong + " (" + testing::pattern_name(pattern) + ")";
        return;
      }
    }
  });
  EXPECT_EQ(first_wrong, "");
  EXPECT_EQ(indexes, (most + 1) * std::size(next_patterns) * configs.size());
  EXPECT_GT(asked_of, indexes * 4);
  EXPECT_GT(traced, indexes / every_trace);
}

TEST(SuccessorExhaustive, EveryConfigSizeTo100AndKeyWith32BitKeys) {
  every_config_and_successor<u32>(key_width::u32, 100, 97);
}
TEST(SuccessorExhaustive, EveryConfigSizeTo100AndKeyWith64BitKeys) {
  every_config_and_successor<u64>(key_width::u64, 100, 97);
}

template <class Key>
void expect_next_of_any(const ordered_config& c) {
  const auto keys = *testing::any_keys<Key>();
  std::vector<Key> asked = *testing::any_keys<Key>();
  asked.resize(std::min<std::size_t>(asked.size(), 200));
  asked.insert(asked.end(), {Key{0}, greatest_key<Key>(), static_cast<Key>(greatest_key<Key>() - 1)});
  if (!keys.empty()) {
    for (int i = 0; i < 50; ++i) {
      const Key key = keys[*rc::gen::inRange<std::size_t>(0, keys.size())];
      asked.insert(asked.end(), {key, static_cast<Key>(key - 1), static_cast<Key>(key + 1)});
    }
  }
  const auto cpu = detail::open_cpu();
  const auto index = *cpu->build(c, *cpu->load(key_array(keys), {}), {});
  const std::string wrong = judge_batch(*cpu, *index, keys, asked);
  if (!wrong.empty()) RC_FAIL(wrong);
  std::vector<Key> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < asked.size(); i += 1 + asked.size() / 4) {
    const auto trace = trace_next(*index, operation::successor, asked[i]);
    RC_ASSERT(trace.ok());
    const std::string told = wrong_next(keys, sorted, asked[i], *trace->successor);
    if (!told.empty()) RC_FAIL(to_line(index->config()) + ", traced, " + told);
  }
}

class SuccessorProperty : public ::testing::TestWithParam<int> {};

TEST_P(SuccessorProperty, AnyConfigAnyKeys) {
  testing::check_any_config(GetParam(), []<class Key>(const ordered_config& c, Key) { expect_next_of_any<Key>(c); });
}
INSTANTIATE_TEST_SUITE_P(Share, SuccessorProperty, ::testing::Range(0, testing::whole_space_shares));

}  // namespace
}  // namespace pivotscope
