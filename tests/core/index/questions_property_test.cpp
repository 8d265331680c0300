// Matches and lower bounds of every method at every size to 100, with duplicates, on the cpu and the trace machine: against
// std::lower_bound over the sorted keys, and a scan.
#include <gtest/gtest.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <mutex>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/reference/reference.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

constexpr u64 most_keys = 100, every_trace = 7;
constexpr testing::key_pattern patterns[] = {testing::key_pattern::spaced, testing::key_pattern::with_extremes,
                                             testing::key_pattern::pairs, testing::key_pattern::all_equal,
                                             testing::key_pattern::all_greatest};

template <class Key>
class questions_over {
 public:
  questions_over(machine& on, const index_config& config, const std::vector<Key>& keys)
      : keys_(keys), sorted_(keys), asked_(testing::telling_lookups(keys)), on_(on) {
    std::sort(sorted_.begin(), sorted_.end());
    index_ = *on.build(config, *on.load(key_array(keys), {}), {});
  }

  // What is wrong; empty: nothing.
  std::string lower_bounds(u64& checked) {
    const auto done = on_.run(*index_, {operation::lower_bound, key_array(asked_)}, {}, {});
    if (!done) return done.error().words;
    for (std::size_t i = 0; i < asked_.size(); ++i, ++checked) {
      const successor_answer& said = done->answers.successors[i];
      const auto right = std::lower_bound(sorted_.begin(), sorted_.end(), asked_[i]);
      const bool ok = right == sorted_.end()
                          ? said == successor_answer{}
                          : said.key == *right && said.row < keys_.size() && keys_[said.row] == *right;
      if (!ok) return told(asked_[i], said.key, said.row);
      if (i % every_trace != 0) continue;
      const auto trace = trace_next(*index_, operation::lower_bound, asked_[i]);
      if (!trace) return trace.error().words;
      if (*trace->successor != said)
        return "its trace: " + told(asked_[i], trace->successor->key, trace->successor->row);
    }
    return "";
  }
  std::string matches(u64& checked) {
    const bool one_a_key = !family_of(index_->config()).keeps_duplicates(index_->config());
    const auto done = on_.run(*index_, {operation::matches, key_array(asked_)}, {.rows = true}, {});
    if (!done) return done.error().words;
    const batch_answers& a = done->answers;
    for (std::size_t i = 0; i < asked_.size(); ++i, ++checked) {
      std::vector<u32> right, said(a.rows.begin() + static_cast<std::ptrdiff_t>(a.begins[i]),
                                   a.rows.begin() + static_cast<std::ptrdiff_t>(a.begins[i + 1]));
      for (u32 row = 0; row < keys_.size(); ++row)
        if (keys_[row] == asked_[i]) right.push_back(row);
      std::sort(said.begin(), said.end());
      u64 sum = 0;
      for (const u32 row : said) sum += row;
      const bool one = said.size() == std::min<std::size_t>(right.size(), 1) &&
                       std::includes(right.begin(), right.end(), said.begin(), said.end());
      if (!(one_a_key ? one : said == right) || a.ranges[i] != range_answer{said.size(), sum})
        return told(asked_[i], a.ranges[i].count, a.ranges[i].row_sum);
      if (i % every_trace != 0) continue;
      const auto trace = trace_matches(*index_, asked_[i]);
      if (!trace) return trace.error().words;
      const range_answer traced = trace->range              ? trace->range->answer
                                  : trace->row == not_found ? range_answer{}
                                                            : range_answer{1, trace->row};
      if (traced != a.ranges[i]) return "its trace: " + told(asked_[i], traced.count, traced.row_sum);
    }
    return "";
  }

 private:
  static std::string told(Key asked, u64 first, u64 second) {
    return std::to_string(asked) + " answered " + std::to_string(first) + ", " + std::to_string(second);
  }

  const std::vector<Key>& keys_;
  std::vector<Key> sorted_, asked_;
  machine& on_;
  std::shared_ptr<const built_index> index_;
};

template <class Key>
void every_size(const std::string& method) {
  index_config config = *config_from_line(method);
  config.keys = sizeof(Key) == 4 ? key_width::u32 : key_width::u64;
  std::mutex mutex;
  std::string first_wrong;
  std::atomic<u64> bounds{0}, matches{0};
  tbb::parallel_for(u64{0}, most_keys + 1, [&](u64 n) {
    const auto cpu = detail::open_cpu();
    for (const testing::key_pattern pattern : patterns) {
      const std::vector<Key> keys = testing::pattern_keys<Key>(pattern, n);
      questions_over<Key> over(*cpu, config, keys);
      u64 of_bounds = 0, of_matches = 0;
      std::string wrong = over.matches(of_matches);
      if (wrong.empty() && family_of(config).serves(operation::lower_bound)) wrong = over.lower_bounds(of_bounds);
      bounds += of_bounds, matches += of_matches;
      if (wrong.empty()) continue;
      const std::scoped_lock lock(mutex);
      if (first_wrong.empty())
        first_wrong = "n=" + std::to_string(n) + " (" + testing::pattern_name(pattern) + "): " + wrong;
    }
  });
  EXPECT_EQ(first_wrong, "") << method;
  EXPECT_GT(matches, most_keys * std::size(patterns) * 4);
  EXPECT_EQ(bounds, family_of(config).serves(operation::lower_bound) ? matches.load() : 0u);
}

class QuestionsExhaustive : public ::testing::TestWithParam<std::string> {};

TEST_P(QuestionsExhaustive, EverySizeTo100) {
  every_size<u32>(GetParam());
  every_size<u64>(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Method, QuestionsExhaustive, ::testing::ValuesIn(method_names()), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace pivotscope
