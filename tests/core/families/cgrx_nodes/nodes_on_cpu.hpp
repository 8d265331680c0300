// An index of nodes on the cpu machine beside a multimap: batches are done to both, and after each every invariant that
// cgrx_nodes.hpp names is checked, cell by cell.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/families/cgrx_nodes/cgrx_nodes_model.hpp"
#include "core/index/index_reader.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/run/stored_entries.hpp"
#include "core/workload/script.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::testing {

class nodes_on_cpu {
 public:
  // A node of a chain: its greatest key and its entries.
  struct told_node {
    u32 number = 0;
    u64 greatest = 0;
    std::vector<std::pair<u64, u32>> entries;
  };

  nodes_on_cpu(const index_config& config, const std::vector<u64>& keys) : config_(config) {
    const auto resident = cpu_->load(as_keys(keys), {});
    EXPECT_TRUE(resident);
    auto built = cpu_->build(config, *resident, {});
    EXPECT_TRUE(built) << (built ? "" : built.error().words);
    index_ = *built;
    for (u32 row = 0; row < keys.size(); ++row) entries_.emplace(keys[row], row);
    next_row_ = static_cast<u32>(keys.size());
    expect_invariants();
  }
  nodes_on_cpu(const std::string& line, const std::vector<u64>& keys) : nodes_on_cpu(config_of(line), keys) {}

  const built_index& index() const { return *index_; }
  const cgrx_nodes_view& state() const { return index_->state_as<cgrx_nodes_view>(); }
  cgrx_nodes_model model() const { return {cgrx_nodes_config::of(config_), state()}; }
  machine& cpu() const { return *cpu_; }
  const std::multimap<u64, u32>& entries() const { return entries_; }

  // Does a batch of inserts and erases to both. What its erases are said to have come to is checked.
  void update(const std::vector<question>& writes) {
    script s(config_.keys);
    s.begin_mixed();
    for (const question& w : writes) s.add(w);
    s.end_mixed();
    auto result = cpu_->update(*index_, s, 0, {}, {});
    ASSERT_TRUE(result) << result.error().words;
    const std::set<u64> were = keys_there();
    std::set<u64> erased, inserted;
    for (const question& w : writes) (w.kind == operation::erase ? erased : inserted).insert(w.key);
    std::map<u64, u32> said;  // how many erases of a key found something
    for (std::size_t i = 0; i < writes.size(); ++i) {
      if (writes[i].kind == operation::insert) {
        ASSERT_EQ(result->done[i], write_done::added) << i;
        continue;
      }
      ASSERT_TRUE(result->done[i] == write_done::erased || result->done[i] == write_done::absent) << i;
      said[writes[i].key] += result->done[i] == write_done::erased;
    }
    for (const u64 key : erased)
      ASSERT_EQ(said[key], were.contains(key) || inserted.contains(key) ? 1u : 0u) << "erases of " << key;
    for (const u64 key : erased) entries_.erase(key);
    for (const question& w : writes) {
      if (w.kind != operation::insert) continue;
      if (!erased.contains(w.key)) entries_.emplace(w.key, next_row_);  // else it is cancelled
      ++next_row_;
    }
    index_ = result->index;
    expect_invariants();
  }
  void insert(const std::vector<u64>& keys) { update(all(operation::insert, keys)); }
  void erase(const std::vector<u64>& keys) { update(all(operation::erase, keys)); }
  void maintain(maintenance what) {
    script s(config_.keys);
    s.add(what);
    auto result = cpu_->update(*index_, s, 0, {}, {});
    ASSERT_TRUE(result) << result.error().words;
    index_ = result->index;
    if (what == maintenance::clear) entries_.clear();
    expect_invariants();
  }

  // The chain of a bucket, from its first node on.
  std::vector<told_node> chain(u32 bucket) const {
    std::vector<told_node> list;
    const cgrx_nodes_model all = model();
    index_reader reader(*index_);
    const u32 size = cgrx_nodes_config::of(config_).node;
    for (u32 node = bucket; node < state().nodes && list.size() <= state().nodes;) {
      const auto head = all.head_of(node, std::ref(reader));
      EXPECT_TRUE(head);
      told_node& told = list.emplace_back(told_node{node, head->greatest, {}});
      std::vector<cell_value> cells(size);
      EXPECT_TRUE(all.values_of({main_region, u64{node} * size, size}, std::ref(reader), cells));
      for (u32 slot = 0; slot < size; ++slot) {
        EXPECT_EQ(is_live_row(cells[slot].row.value_or(not_found)), slot < head->size)
            << "node " << node << ", " << slot;
        if (slot < head->size) told.entries.emplace_back(*cells[slot].key, *cells[slot].row);
      }
      if (head->next == next_node::none) return list;
      EXPECT_GE(head->next, state().buckets) << "only linked nodes follow";
      node = head->next;
    }
    ADD_FAILURE() << "the chain of bucket " << bucket << " has no end";
    return list;
  }
  // "1: 8 10 <= 10, 4: 12 13 17 <= 17"
  std::string chain_text(u32 bucket) const {
    std::vector<std::string> list;
    for (const told_node& node : chain(bucket)) {
      std::string keys;
      for (const auto& entry : node.entries) keys += fmt::format("{} ", entry.first);
      list.push_back(fmt::format("{}: {}<= {}", node.number, keys,
                                 node.greatest == greatest() ? "all" : std::to_string(node.greatest)));
    }
    return fmt::format("{}", fmt::join(list, ", "));
  }
  std::vector<u64> bounds() const {
    std::vector<u64> list(state().buckets);
    const u32 bytes = key_bytes(config_.keys);
    for (u64 i = 0; i < list.size(); ++i)
      EXPECT_TRUE(
          index_->read(node_region::bounds, i * bytes, std::as_writable_bytes(std::span(&list[i], 1)).first(bytes)));
    return list;
  }
  u64 greatest() const { return config_.keys == key_width::u32 ? u64{greatest_key<u32>()} : greatest_key<u64>(); }

  void expect_invariants() const {
    if (::testing::Test::HasFailure()) return;
    const std::vector<u64> ends = bounds();
    std::set<u32> in_chains;
    std::multimap<u64, u32> held;
    u64 least = 0;
    ASSERT_TRUE(std::ranges::is_sorted(ends));
    ASSERT_EQ(ends.back(), greatest()) << "the last bucket has no end";
    for (u32 bucket = 0; bucket < state().buckets; ++bucket) {
      const std::vector<told_node> nodes = chain(bucket);
      if (::testing::Test::HasFailure()) return;
      ASSERT_EQ(nodes.back().greatest, ends[bucket]) << "bucket " << bucket;
      std::set<u64> seen;
      for (const told_node& node : nodes) {
        ASSERT_TRUE(in_chains.insert(node.number).second) << "node " << node.number << " twice";
        ASSERT_TRUE(!node.entries.empty() || node.number == bucket) << "linked node " << node.number << " is empty";
        for (const auto& [key, row] : node.entries) {
          ASSERT_GE(key, least) << "node " << node.number;
          ASSERT_LE(key, node.greatest) << "node " << node.number;
          // Lookups come to the first bucket whose bound is not smaller: it has the key, if any has.
          const auto owner = static_cast<u32>(std::ranges::lower_bound(ends, key) - ends.begin());
          ASSERT_TRUE(owner == bucket || held.contains(key)) << key << " in bucket " << bucket << " alone";
          held.emplace(key, row);
          least = key;
          // And then to the first node whose greatest key is not smaller.
          const auto first = std::ranges::find_if(nodes, [&](const told_node& n) { return n.greatest >= key; });
          ASSERT_TRUE(seen.contains(key) || first->number == node.number) << key << " in node " << node.number;
          seen.insert(key);
        }
        least = std::max(least, node.greatest == greatest() ? least : node.greatest);
      }
    }
    ASSERT_EQ(sorted(held), sorted(entries_));
    ASSERT_EQ(state().entries, entries_.size());
    expect_free_nodes(in_chains);
  }

  // Finds, ranges, successors, lower bounds and matches about every key that is there.
  void expect_answers() const {
    std::set<u64> some{0, 1, greatest() - 1, greatest()};
    for (const u64 key : keys_there()) {
      some.insert(key);
      if (key > 0) some.insert(key - 1);
      if (key < greatest()) some.insert(key + 1);
    }
    const std::vector<u64> asked(some.begin(), some.end());
    const key_array keys = as_keys(asked);
    const auto found = answers({operation::find, keys}).found;
    const auto next = answers({operation::successor, keys}).successors;
    const auto from = answers({operation::lower_bound, keys}).successors;
    const auto matches = answers({operation::matches, keys}).ranges;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto [first, end] = entries_.equal_range(asked[i]);
      ASSERT_TRUE(first == end ? found[i] == not_found : has(asked[i], found[i])) << "find " << asked[i];
      ASSERT_EQ(matches[i].count, static_cast<u64>(std::distance(first, end))) << "matches of " << asked[i];
      expect_next(next[i], end, "successor", asked[i]);
      expect_next(from[i], first, "lower bound", asked[i]);
    }
    std::vector<u64> lows, highs;
    const std::size_t every = std::max<std::size_t>(1, asked.size() / 30);
    for (std::size_t i = 0; i < asked.size(); i += every)
      for (std::size_t j = 0; j < asked.size(); j += every) lows.push_back(asked[i]), highs.push_back(asked[j]);
    const auto ranges = answers({operation::range, as_keys(lows), as_keys(highs)}).ranges;
    for (std::size_t i = 0; i < lows.size(); ++i) {
      range_answer right;
      for (auto at = entries_.lower_bound(lows[i]); lows[i] <= highs[i] && at != entries_.upper_bound(highs[i]); ++at)
        ++right.count, right.row_sum += at->second;
      ASSERT_EQ(ranges[i], right) << lows[i] << " to " << highs[i];
    }
  }

 private:
  static std::vector<question> all(operation kind, const std::vector<u64>& keys) {
    std::vector<question> writes;
    for (const u64 key : keys) writes.push_back({kind, key});
    return writes;
  }
  static std::vector<std::pair<u64, u32>> sorted(const std::multimap<u64, u32>& of) {
    std::vector<std::pair<u64, u32>> list(of.begin(), of.end());
    std::ranges::sort(list);
    return list;
  }
  key_array as_keys(const std::vector<u64>& of) const {
    if (config_.keys == key_width::u64) return key_array(of);
    return key_array(std::vector<u32>(of.begin(), of.end()));
  }
  std::set<u64> keys_there() const {
    std::set<u64> keys;
    for (const auto& [key, row] : entries_) keys.insert(key);
    return keys;
  }
  bool has(u64 key, u32 row) const {
    const auto [first, end] = entries_.equal_range(key);
    return std::any_of(first, end, [&](const auto& e) { return e.second == row; });
  }
  void expect_next(const successor_answer& answer, std::multimap<u64, u32>::const_iterator right, const char* what,
                   u64 key) const {
    ASSERT_EQ(answer.row == not_found, right == entries_.end()) << what << " of " << key;
    if (right == entries_.end()) return;
    ASSERT_EQ(answer.key, right->first) << what << " of " << key;
    ASSERT_TRUE(has(answer.key, answer.row)) << what << " of " << key;
  }
  batch_answers answers(const batch& asked) const {
    auto result = cpu_->run(*index_, asked, {}, {});
    EXPECT_TRUE(result.ok()) << result.error().words;
    return std::move(result->answers);
  }

  // All nodes are in a chain, or free and without an entry; those that were never taken, too.
  void expect_free_nodes(const std::set<u32>& in_chains) const {
    const cgrx_nodes_model all = model();
    index_reader reader(*index_);
    const u32 size = cgrx_nodes_config::of(config_).node;
    ASSERT_LE(state().nodes, state().room);
    ASSERT_EQ(index_->regions()[0].cells, u64{state().room} * size);
    ASSERT_EQ(in_chains.size() + state().free, state().nodes);
    for (u32 node = 0; node < state().room; ++node) {
      if (in_chains.contains(node)) continue;
      const auto head = all.head_of(node, std::ref(reader));
      ASSERT_TRUE(head);
      ASSERT_EQ(head->next, next_node::free) << "node " << node;
      ASSERT_EQ(head->size, 0u) << "node " << node;
      std::vector<cell_value> cells(size);
      ASSERT_TRUE(all.values_of({main_region, u64{node} * size, size}, std::ref(reader), cells));
      for (const cell_value& cell : cells) ASSERT_EQ(cell.row, not_found) << "node " << node;
    }
  }

  std::unique_ptr<machine> cpu_ = detail::open_cpu();
  index_config config_;
  std::shared_ptr<const built_index> index_;
  std::multimap<u64, u32> entries_;
  u32 next_row_ = 0;
};

}  // namespace pivotscope::testing
