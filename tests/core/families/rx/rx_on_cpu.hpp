// An RX index on the cpu machine beside a multimap: batches are done to both, and after each the entries, the boxes and
// the holes are compared.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/families/rx/rx_model.hpp"
#include "core/index/index_reader.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/run/stored_entries.hpp"
#include "core/workload/script.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::testing {

class rx_on_cpu {
 public:
  rx_on_cpu(const index_config& config, const std::vector<u64>& keys) : config_(config) {
    index_ = *cpu_->build(config, *cpu_->load(keys_of(keys), {}), {});
    for (u32 row = 0; row < keys.size(); ++row) entries_.emplace(keys[row], row), asked_.insert(keys[row]);
    next_row_ = static_cast<u32>(keys.size());
  }

  const built_index& index() const { return *index_; }
  const rx_view& state() const { return index_->state_as<rx_view>(); }
  const update_result& last() const { return last_; }

  // Does a batch of inserts and erases to both.
  void update(const std::vector<question>& writes) {
    script s(config_.keys);
    s.begin_mixed();
    for (const question& w : writes) s.add(w);
    s.end_mixed();
    outcome<update_result> result = cpu_->update(*index_, s, 0, {}, {});
    ASSERT_TRUE(result.ok()) << result.error().words;
    for (const question& w : writes) asked_.insert(w.key);
    for (const question& w : writes)
      if (w.kind == operation::erase) entries_.erase(w.key);
    for (const question& w : writes)
      if (w.kind == operation::insert) entries_.emplace(w.key, next_row_++);
    index_ = result->index;
    last_ = std::move(*result);
    expect_scene();
  }
  void insert(const std::vector<u64>& keys) { update(all(operation::insert, keys)); }
  void erase(const std::vector<u64>& keys) { update(all(operation::erase, keys)); }
  void maintain(maintenance what) {
    script s(config_.keys);
    s.add(what);
    index_ = cpu_->update(*index_, s, 0, {}, {})->index;
    if (what == maintenance::clear) entries_.clear();
    expect_scene();
  }

  // It is what a build over its entries gives, bit for bit. A build numbers keys as they come, so entries come in the order
  // of their row ids here, and the numbers of the build lead to these.
  void expect_as_built() const {
    std::vector<std::pair<u32, u64>> by_row;
    for (const auto& [key, row] : entries_) by_row.emplace_back(row, key);
    std::sort(by_row.begin(), by_row.end());
    std::vector<u64> keys;
    for (const auto& [row, key] : by_row) keys.push_back(key);
    const rx_on_cpu built(config_, keys);
    const rx_view &is = state(), &should = built.state();
    EXPECT_EQ(is.greatest, should.greatest);
    EXPECT_EQ(is.grid, should.grid);
    EXPECT_EQ(std::tuple(is.holes, is.refitted), std::tuple(0u, false));
    ASSERT_EQ(std::tuple(is.tree.triangles, is.tree.levels), std::tuple(should.tree.triangles, should.tree.levels));
    for (u32 level = 0; level < is.tree.levels; ++level)
      ASSERT_EQ(std::tuple(is.tree.first[level], is.tree.count[level]),
                std::tuple(should.tree.first[level], should.tree.count[level]));
    std::vector<triangle_cell> cells = built.triangles();
    for (triangle_cell& t : cells) t.mark = by_row[t.mark].first;
    EXPECT_EQ(bits_of(triangles()), bits_of(cells));
    EXPECT_EQ(bits_of(boxes()), bits_of(built.boxes()));
  }

  // The triangles' keys, cell by cell: "2 7 - 6", with a line for a hole.
  std::string cells() const {
    std::vector<std::string> list;
    for (const triangle_cell& t : triangles())
      list.push_back(t.is_hole() ? "-" : std::to_string(rx_key_at(state().grid, t)));
    return fmt::format("{}", fmt::join(list, " "));
  }
  u64 steps_of(u64 key) const { return trace_lookup(*index_, key)->steps.size(); }
  std::vector<std::string> told(const question& what) const {
    const auto trace = trace_of(*index_, what);
    EXPECT_TRUE(trace.ok()) << trace.error().words;
    std::vector<std::string> list = {trace->start};
    for (const trace_step& step : trace->steps) list.push_back(step.where + ": " + step.words + " " + step.next);
    list.push_back(trace->verdict);
    return list;
  }

  // Lookups and ranges of all keys that ever were there or were written, and of their neighbours. A lookup goes through
  // the boxes; what it should find is looked for in the multimap.
  void expect_answers() const {
    std::set<u64> some{0, 1, greatest() - 1, greatest()};
    for (const u64 key : asked_) {
      some.insert(key);
      if (key > 0) some.insert(key - 1);
      if (key < greatest()) some.insert(key + 1);
    }
    const std::vector<u64> asked(some.begin(), some.end());
    const auto found = cpu_->run(*index_, batch{operation::find, keys_of(asked)}, {}, {});
    ASSERT_TRUE(found.ok()) << found.error().words;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto [first, end] = entries_.equal_range(asked[i]);
      const u32 row = found->answers.found[i];
      const bool right = first == end ? row == not_found
                                      : std::any_of(first, end, [&](const auto& entry) { return entry.second == row; });
      ASSERT_TRUE(right) << "find " << asked[i] << " answered " << row;
    }
    std::vector<u64> lows, highs;
    const std::size_t every = std::max<std::size_t>(1, asked.size() / 20);
    for (std::size_t i = 0; i < asked.size(); i += every)
      for (std::size_t j = i; j < asked.size(); j += every) lows.push_back(asked[i]), highs.push_back(asked[j]);
    const auto ranges = cpu_->run(*index_, ranges_of(keys_of(lows), keys_of(highs)), {.rows = true}, {});
    ASSERT_TRUE(ranges.ok()) << ranges.error().words;
    for (std::size_t i = 0; i < lows.size(); ++i) {
      range_answer right;
      for (auto at = entries_.lower_bound(lows[i]); at != entries_.end() && at->first <= highs[i]; ++at)
        ++right.count, right.row_sum += at->second;
      ASSERT_EQ(ranges->answers.ranges[i], right) << lows[i] << " to " << highs[i];
    }
  }

 private:
  u64 greatest() const { return config_.keys == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>(); }
  key_array keys_of(const std::vector<u64>& of) const {
    if (config_.keys == key_width::u64) return key_array(of);
    return key_array(std::vector<u32>(of.begin(), of.end()));
  }
  static std::vector<question> all(operation kind, const std::vector<u64>& keys) {
    std::vector<question> writes;
    for (const u64 key : keys) writes.push_back({kind, key});
    return writes;
  }
  template <class Cell>
  std::vector<Cell> read(region_id region, u64 cells) const {
    std::vector<Cell> list(cells);
    EXPECT_TRUE(index_->read(region, 0, std::as_writable_bytes(std::span(list))));
    return list;
  }
  std::vector<triangle_cell> triangles() const {
    return read<triangle_cell>(rx::scene.triangles, state().tree.triangles);
  }
  std::vector<box> boxes() const { return read<box>(rx::scene.boxes, state().tree.boxes()); }
  template <class Cell>
  static std::string bits_of(const std::vector<Cell>& cells) {
    return {reinterpret_cast<const char*>(cells.data()), cells.size() * sizeof(Cell)};
  }

  // The entries; each box the least that holds what is below it; holes counted; regions as large as the tree.
  void expect_scene() const {
    const rx_view& view = state();
    ASSERT_EQ(index_->regions()[0].cells, view.tree.triangles);
    ASSERT_EQ(index_->regions()[1].cells, view.tree.boxes());
    std::vector<stored_entry> held;
    for (const auto& [key, row] : entries_) held.push_back({key, row});
    outcome<std::vector<stored_entry>> are = stored_entries(*index_);
    ASSERT_TRUE(are.ok()) << are.error().words;
    for (auto* list : {&held, &*are})
      std::sort(list->begin(), list->end(), [](const stored_entry& a, const stored_entry& b) {
        return a.key != b.key ? a.key < b.key : a.row < b.row;
      });
    ASSERT_EQ(*are, held);
    const std::vector<triangle_cell> cells = triangles();
    ASSERT_EQ(std::count_if(cells.begin(), cells.end(), [](const triangle_cell& t) { return t.is_hole(); }),
              static_cast<std::ptrdiff_t>(view.holes));
    ASSERT_EQ(view.entries(), held.size());
    const std::vector<box> bounds = boxes();
    u64 below = 1;  // triangles below a box of the level
    for (u32 level = view.tree.levels; level-- > 0;) {
      below *= rx_config::of(config_).wide;
      for (u32 i = 0; i < view.tree.count[level]; ++i) {
        box least = empty_box();
        for (u64 t = i * below; t < std::min<u64>((i + 1) * below, cells.size()); ++t)
          if (!cells[t].is_hole()) least.take(box_of(cells[t], half_units::of(view.grid)));
        const box& is = bounds[view.tree.first[level] + i];
        for (u32 a = 0; a < box_axes; ++a)
          ASSERT_TRUE(is.axes[a].low == least.axes[a].low && is.axes[a].high == least.axes[a].high)
              << "box " << i << " of level " << level;
      }
    }
  }

  std::unique_ptr<machine> cpu_ = detail::open_cpu();
  index_config config_;
  std::shared_ptr<const built_index> index_;
  std::multimap<u64, u32> entries_;
  std::set<u64> asked_;
  u32 next_row_ = 0;
  update_result last_;
};

}  // namespace pivotscope::testing
