// An LSM on the cpu machine beside a simple one of maps: batches are done to both, and every level is compared.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/families/lsm/lsm_model.hpp"
#include "core/index/cell_state.hpp"
#include "core/index/index_reader.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/run/stored_entries.hpp"
#include "core/workload/script.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::testing {

inline key_array keys_of_width(key_width width, const std::vector<u64>& of) {
  if (width == key_width::u64) return key_array(of);
  return key_array(std::vector<u32>(of.begin(), of.end()));
}
// `count` keys from `first` on.
inline std::vector<u64> numbers(u64 count, u64 first = 0, u64 apart = 1) {
  std::vector<u64> keys(count);
  for (u64 i = 0; i < count; ++i) keys[i] = first + i * apart;
  return keys;
}
inline u64 greatest_of(key_width width) { return width == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>(); }

class lsm_on_cpu {
 public:
  using run = std::map<u64, u32>;  // row ids by key; erased_row: a tombstone

  lsm_on_cpu(key_width width, u32 level0, const std::vector<u64>& keys) : width_(width), level0_(level0) {
    const index_config config = lsm_config{.keys = width, .level0 = level0};
    index_ = *cpu_->build(config, *cpu_->load(keys_of_width(width, keys), {}), {});
    levels_.resize(lsm_most_levels);
    run& built = levels_[lsm_level_for(keys.size(), level0)];
    for (u32 row = 0; row < keys.size(); ++row) built[keys[row]] = row;
    next_row_ = static_cast<u32>(keys.size());
  }

  const built_index& index() const { return *index_; }
  const lsm_view& state() const { return index_->state_as<lsm_view>(); }
  const std::vector<run>& levels() const { return levels_; }
  machine& cpu() const { return *cpu_; }
  // Entries of each level, up to the oldest that has some: "0 4 8".
  std::string counts() const {
    return fmt::format("{}", fmt::join(state().counts, state().counts + state().levels, " "));
  }
  // What is in the index.
  run contents() const {
    run all;
    for (const run& level : levels_) all.insert(level.begin(), level.end());  // the newest version stays
    std::erase_if(all, [](const auto& entry) { return entry.second == erased_row; });
    return all;
  }

  // Does a batch of inserts and erases to both. Compares all levels.
  void update(const std::vector<question>& writes) {
    script s(width_);
    s.begin_mixed();
    for (const question& w : writes) s.add(w);
    s.end_mixed();
    update_result result = *cpu_->update(*index_, s, 0, {}, {});
    for (std::size_t i = 0; i < writes.size(); ++i)
      ASSERT_EQ(result.done[i], writes[i].kind == operation::erase ? write_done::noted : write_done::added) << i;
    before_ = index_;
    index_ = result.index;
    take(writes);
    expect_levels();
    last_ = std::move(result);
  }
  void insert(const std::vector<u64>& keys) { update(all(operation::insert, keys)); }
  void erase(const std::vector<u64>& keys) { update(all(operation::erase, keys)); }
  void maintain(maintenance what) {
    script s(width_);
    s.add(what);
    index_ = cpu_->update(*index_, s, 0, {}, {})->index;
    run rest = what == maintenance::clear ? run() : contents();
    levels_.assign(lsm_most_levels, {});
    levels_[lsm_level_for(rest.size(), level0_)] = std::move(rest);
    expect_levels();
  }
  const update_result& last() const { return last_; }

  // Every lookup about each key that was ever written, and about the ends of the width.
  void expect_answers(std::vector<u64> asked = {}) const {
    std::set<u64> some{0, 1, greatest_of(width_) - 1, greatest_of(width_)};
    for (const run& level : levels_) {
      for (const auto& [key, row] : level) {
        some.insert(key);
        if (key > 0) some.insert(key - 1);
        if (key < greatest_of(width_)) some.insert(key + 1);
      }
    }
    if (asked.empty()) asked.assign(some.begin(), some.end());
    const run all = contents();
    const key_array keys = keys_of_width(width_, asked);
    const auto found = answers({operation::find, keys}).found;
    const auto next = answers({operation::successor, keys}).successors;
    const auto bounds = answers({operation::lower_bound, keys}).successors;
    const auto matches = answers({operation::matches, keys}).ranges;
    const auto answer_at = [&](run::const_iterator at) {
      return at == all.end() ? successor_answer{} : successor_answer{at->first, at->second};
    };
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto at = all.find(asked[i]);
      const u32 row = at == all.end() ? not_found : at->second;
      ASSERT_EQ(found[i], row) << "find " << asked[i];
      ASSERT_EQ(matches[i], row == not_found ? range_answer{} : (range_answer{1, row})) << "matches of " << asked[i];
      ASSERT_EQ(next[i], answer_at(all.upper_bound(asked[i]))) << "successor of " << asked[i];
      ASSERT_EQ(bounds[i], answer_at(all.lower_bound(asked[i]))) << "lower bound of " << asked[i];
    }
    ASSERT_NO_FATAL_FAILURE(expect_ranges(asked, all));
  }

  // The path of every operation, for some keys: its answer, and words for each step.
  void expect_traces(const std::vector<u64>& asked) const {
    const run all = contents();
    for (const u64 key : asked) {
      SCOPED_TRACE(fmt::format("key {}", key));
      const auto find = trace_lookup(*index_, key);
      const auto at = all.find(key);
      ASSERT_EQ(find->row, at == all.end() ? not_found : at->second);
      ASSERT_NO_FATAL_FAILURE(expect_told(*find));
      for (const operation kind : {operation::successor, operation::lower_bound}) {
        const auto next = trace_next(*index_, kind, key);
        const auto right = kind == operation::successor ? all.upper_bound(key) : all.lower_bound(key);
        ASSERT_EQ(next->row, right == all.end() ? not_found : right->second);
        ASSERT_NO_FATAL_FAILURE(expect_told(*next));
      }
      const auto range = trace_range(*index_, key, greatest_of(width_));
      ASSERT_EQ(range->range->answer.count, static_cast<u64>(std::distance(all.lower_bound(key), all.end())));
      ASSERT_NO_FATAL_FAILURE(expect_told(*range));
    }
  }

  // Each level's run and count, the order of keys, the room, and no tombstone on the oldest level.
  void expect_levels() const {
    const lsm_view& state = this->state();
    const lsm_model model(lsm_config::of(index_->config()), state);
    index_reader reader(*index_);
    std::vector<std::vector<std::pair<u64, u32>>> are, right;
    for (u32 level = 0; level < lsm_most_levels; ++level) {
      auto& those = right.emplace_back(levels_[level].begin(), levels_[level].end());
      auto& these = are.emplace_back();
      if (level >= state.levels) {
        ASSERT_EQ(state.counts[level], 0u) << "level " << level;
        ASSERT_TRUE(those.empty()) << "level " << level << " should have " << those.size();
        continue;
      }
      ASSERT_LE(state.counts[level], state.room(level));
      ASSERT_LE(state.first_cell(level) + state.counts[level], index_->regions()[0].cells);
      std::vector<cell_value> values(state.counts[level]);
      ASSERT_TRUE(model.values_of({main_region, state.first_cell(level), values.size()}, std::ref(reader), values));
      for (const cell_value& value : values) these.emplace_back(*value.key, *value.row);
      for (std::size_t i = 1; i < these.size(); ++i) ASSERT_LT(these[i - 1].first, these[i].first) << "level " << level;
    }
    ASSERT_EQ(are, right);
    ASSERT_EQ(index_->regions()[0].cells, state.cells);
    if (state.levels > 0) {
      ASSERT_GT(state.counts[state.levels - 1], 0u);
      for (const auto& [key, row] : are[state.levels - 1]) ASSERT_TRUE(is_live_row(row)) << key;
    }
    std::vector<stored_entry> held;
    for (const auto& [key, row] : contents()) held.push_back({key, row});
    ASSERT_EQ(*stored_entries(*index_), held);
    ASSERT_LE(held.size(), model.entries());
    ASSERT_TRUE(!model.counts_entries() || held.size() == model.entries());
  }

 private:
  static std::vector<question> all(operation kind, const std::vector<u64>& keys) {
    std::vector<question> writes;
    for (const u64 key : keys) writes.push_back({kind, key});
    return writes;
  }

  // A batch on the levels of maps, in the words of the papers: the newest version of a key stays.
  void take(const std::vector<question>& writes) {
    run made;
    for (const question& w : writes)
      if (w.kind == operation::erase) made[w.key] = erased_row;
    for (const question& w : writes)
      if (w.kind == operation::insert) made[w.key] = next_row_++;
    u32 into = 0;
    u64 entries = writes.size() + levels_[0].size();
    while (entries > u64{level0_} << into) entries += levels_[++into].size();
    for (u32 level = 0; level <= into; ++level) {
      made.insert(levels_[level].begin(), levels_[level].end());
      levels_[level].clear();
    }
    const bool oldest = std::all_of(levels_.begin() + into + 1, levels_.end(), [](const run& r) { return r.empty(); });
    if (oldest) std::erase_if(made, [](const auto& entry) { return entry.second == erased_row; });
    levels_[into] = std::move(made);
  }

  batch_answers answers(const batch& asked) const {
    auto result = cpu_->run(*index_, asked, {}, {});
    EXPECT_TRUE(result.ok()) << result.error().words;
    return std::move(result->answers);
  }
  void expect_ranges(const std::vector<u64>& asked, const run& all) const {
    std::vector<u64> lows, highs;
    const std::size_t every = std::max<std::size_t>(1, asked.size() / 40);
    for (std::size_t i = 0; i < asked.size(); i += every)
      for (std::size_t j = 0; j < asked.size(); j += every) lows.push_back(asked[i]), highs.push_back(asked[j]);
    auto ranges =
        cpu_->run(*index_, ranges_of(keys_of_width(width_, lows), keys_of_width(width_, highs)), {.rows = true}, {});
    ASSERT_TRUE(ranges.ok()) << ranges.error().words;
    const batch_answers& given = ranges->answers;
    for (std::size_t i = 0; i < lows.size(); ++i) {
      range_answer right;
      std::vector<u32> rows;
      for (auto at = all.lower_bound(lows[i]); lows[i] <= highs[i] && at != all.end() && at->first <= highs[i]; ++at)
        ++right.count, right.row_sum += at->second, rows.push_back(at->second);
      ASSERT_EQ(given.ranges[i], right) << lows[i] << " to " << highs[i];
      const auto at = [&](u64 n) { return given.rows.begin() + static_cast<std::ptrdiff_t>(n); };
      ASSERT_EQ(std::vector<u32>(at(given.begins[i]), at(given.begins[i + 1])), rows)
          << lows[i] << " to " << highs[i] << ": in the order of the keys";
    }
  }
  void expect_told(const lookup_trace& trace) const {
    ASSERT_FALSE(trace.verdict.empty());
    if (trace.row != not_found) {
      ASSERT_EQ(lsm_model(lsm_config::of(index_->config()), state())
                    .value_of({main_region, trace.slot}, index_reader(*index_))
                    ->row,
                trace.row);
    }
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
      const trace_step& step = trace.steps[i];
      ASSERT_FALSE(step.words.empty() || step.where.empty() || step.left.empty()) << i;
      ASSERT_EQ(step.next.empty(), i + 1 == trace.steps.size()) << i;
      ASSERT_LE(step.left_first, step.left_end);
      ASSERT_LE(step.left_end, state().cells);
    }
  }

  std::unique_ptr<machine> cpu_ = detail::open_cpu();
  key_width width_;
  u32 level0_;
  std::shared_ptr<const built_index> index_, before_;
  std::vector<run> levels_;
  u32 next_row_ = 0;
  update_result last_;
};

}  // namespace pivotscope::testing
