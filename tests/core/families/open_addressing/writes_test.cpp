// Inserts, erases and finds of a table: one after another as std::map does them, and several at once in every order that two
// switches between them can have.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "core/families/open_addressing/open_addressing.hpp"
#include "core/index/config_text.hpp"
#include "core/machine/interleaved/interleave.hpp"
#include "core/workload/generate/seeded_bijection.hpp"

namespace pivotscope {
namespace {

// A table on the host, whose memory tasks may share.
struct small_table {
  open_addressing_config config;
  table_view view;
  shared_regions regions;

  small_table(const open_addressing_config& c, u32 windows)
      : config(c), view{0, 0, window_count::of(windows)}, regions(2) {
    const std::size_t cells = u64{windows} * c.window, key = key_bytes(c.keys);
    // Every byte of an empty cell is 0xFF: the greatest key, and not_found.
    regions[0].resize(cells * (c.layout == cell_layout::aos ? 2 * key : key), std::byte{0xFF});
    regions[1].resize(c.layout == cell_layout::aos ? 0 : cells * sizeof(u32), std::byte{0xFF});
  }
  u64 cells() const { return u64{view.size.windows} * config.window; }
};

struct write {
  enum class kind { insert, erase, find } what;
  u64 key;
  u32 row = 0;
};

// What a write came to; of a find 100 + a row id, or 99.
template <class Key, class Memory>
u32 perform_as(const small_table& t, Memory& memory, const write& w) {
  const dynamic_config config{t.config};
  const Key key = static_cast<Key>(w.key);
  state_view view;
  std::memcpy(view.state, &t.view, sizeof(t.view));
  no_recorder nobody;
  host_lanes<no_recorder> lanes(t.config.lanes, nobody);
  switch (w.what) {
    case write::kind::insert:
      return static_cast<u32>(open_addressing::insert(config, lanes, memory, view, key, w.row));
    case write::kind::erase:
      return static_cast<u32>(open_addressing::erase(config, lanes, memory, view, key));
    case write::kind::find: {
      auto one = wave_of(lanes, memory, key);
      const u32 row = open_addressing::find(config, one, view)[0];
      return row == not_found ? 99 : 100 + row;
    }
  }
  return 0;
}
constexpr u32 number(write_done done) { return static_cast<u32>(done); }
template <class Memory>
u32 perform_any(const small_table& t, Memory& memory, const write& w) {
  return t.config.keys == key_width::u32 ? perform_as<u32>(t, memory, w) : perform_as<u64>(t, memory, w);
}

// What is done alone.
u32 perform_alone(small_table& t, const write& w) {
  u32 answer = 0;
  const interleaved_task task = [&](interleaved_memory& memory) { answer = perform_any(t, memory, w); };
  interleaved_end end = interleave(t.regions, std::span(&task, 1), {});
  EXPECT_TRUE(end.ended);
  t.regions = std::move(end.memory);
  return answer;
}

std::vector<open_addressing_config> table_configs() {
  std::vector<open_addressing_config> list;
  for (const key_width keys : {key_width::u32, key_width::u64})
    for (const cell_layout layout : {cell_layout::aos, cell_layout::soa})
      for (const probing_kind probing : {probing_kind::linear, probing_kind::quadratic, probing_kind::twice})
        for (const auto& [lanes, window] : {std::pair{1u, 2u}, {1u, 4u}, {1u, 8u}, {2u, 2u}, {2u, 8u}})
          list.push_back({keys, lanes, window, probing, 80, layout});
  return list;
}
std::string to_words(const open_addressing_config& c) { return to_line(index_config(c)); }

TEST(window_walks, come_to_every_window_once) {
  for (const probing_kind probing : {probing_kind::linear, probing_kind::quadratic, probing_kind::twice}) {
    for (u32 windows = 1; windows <= 70; ++windows) {
      for (u64 key = 0; key < 40; ++key) {
        std::vector<u32> seen(windows, 0);
        window_walk walk(dynamic_config{open_addressing_config{.probing = probing}}, u64{key * 0x9E3779B97F4A7C15ull},
                         window_count::of(windows));
        for (u32 i = 0; i < windows; ++i, walk.next()) {
          ASSERT_LT(walk.window(), windows);
          ++seen[walk.window()];
        }
        ASSERT_EQ(seen, std::vector<u32>(windows, 1)) << windows << " windows, key " << key;
      }
    }
  }
}

// Numbers of windows about each power of two, far beyond 16 bits.
std::vector<u32> windows_about_powers(u32 least_bits, u32 most_bits) {
  std::vector<u32> list;
  for (u32 bits = least_bits; bits <= most_bits; ++bits)
    for (const u32 more : {0u, 1u, 2u}) list.push_back((1u << bits) - 1 + more);
  return list;
}

TEST(window_walks, come_to_every_window_of_a_large_table_once) {
  for (const probing_kind probing : {probing_kind::linear, probing_kind::quadratic, probing_kind::twice}) {
    for (const u32 windows : windows_about_powers(16, 17)) {
      std::vector<bool> seen(windows, false);
      window_walk walk(dynamic_config{open_addressing_config{.probing = probing}}, u64{windows} * 77,
                       window_count::of(windows));
      for (u32 i = 0; i < windows; ++i, walk.next()) {
        ASSERT_LT(walk.window(), windows);
        ASSERT_FALSE(seen[walk.window()]) << windows << " windows, " << i << " on";
        seen[walk.window()] = true;
      }
    }
  }
}

TEST(window_walks, are_over_the_next_power_of_two) {
  std::vector<u32> all = windows_about_powers(0, 31);
  for (u64 i = 0; i < 1000; ++i) all.push_back(static_cast<u32>(random_bits(4, i) >> (32 + i % 32)));
  all.push_back(~0u);
  for (const u32 windows : all) {
    if (windows == 0) continue;
    EXPECT_EQ(window_count::of(windows).places, std::bit_ceil(u64{windows}) - 1) << windows;
  }
}

// However many windows there are, as many keys begin in each: of four a window, hardly two in a hundred windows have none.
TEST(window_walks, begin_in_each_window_alike) {
  for (const u32 windows : windows_about_powers(16, 17)) {
    const window_count size = window_count::of(windows);
    for (const bool wide : {false, true}) {
      std::vector<u32> begins(windows, 0);
      for (u64 i = 0; i < 4 * u64{windows}; ++i) {
        const u64 key = wide ? i * 0x10000001 : i;
        const u32 first = wide ? first_window(key, size) : first_window(static_cast<u32>(key), size);
        ASSERT_LT(first, windows);
        ++begins[first];
      }
      const auto none = static_cast<double>(std::count(begins.begin(), begins.end(), 0u)) / windows;
      EXPECT_NEAR(none, std::exp(-4.0), 0.003) << windows << " windows";
      EXPECT_LT(*std::max_element(begins.begin(), begins.end()), 24u) << windows << " windows";
    }
  }
}

// What the family's header says of cost, counted: windows of eight, four fifths full.
TEST(window_walks, come_to_an_empty_cell_as_soon_as_the_header_says) {
  struct cost {
    probing_kind probing;
    double hit, miss;
  };
  for (const cost& right : {cost{probing_kind::linear, 1.15, 2.3}, cost{probing_kind::twice, 1.1, 1.7}}) {
    constexpr u32 keys = 1 << 17, cells = 8, windows = keys * 5 / 4 / cells;
    const dynamic_config config{open_addressing_config{.probing = right.probing}};
    std::vector<u32> taken(windows, 0);
    const auto walk = [&](u64 seed, u32 i, bool take) {
      window_walk at(config, static_cast<u32>(random_bits(seed, i)), window_count::of(windows));
      u64 looked_at = 1;
      for (; taken[at.window()] == cells; at.next()) ++looked_at;
      if (take) ++taken[at.window()];
      return looked_at;
    };
    u64 hits = 0, misses = 0;
    for (u32 i = 0; i < keys; ++i) hits += walk(1, i, true);
    for (u32 i = 0; i < keys; ++i) misses += walk(2, i, false);
    EXPECT_NEAR(static_cast<double>(hits) / keys, right.hit, 0.02);
    EXPECT_NEAR(static_cast<double>(misses) / keys, right.miss, 0.08);
  }
}

// Few keys, the greatest and the least among them, more than the table holds now and then, and every cell in use: a key that was
// once there keeps its cell, so a table is full when it has seen as many as it has cells.
TEST(open_addressing_writes, one_after_another_are_those_of_a_map) {
  for (const open_addressing_config& config : table_configs()) {
    for (const u32 windows : {1u, 2u, 3u, 5u}) {
      SCOPED_TRACE(to_words(config) + fmt::format(", {} windows", windows));
      small_table t(config, windows);
      const u64 greatest = config.keys == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
      std::map<u64, u32> truth;
      std::map<u64, bool> once_there;
      const u64 seed = windows + 7 * config.window;
      for (u32 i = 0; i < 200 + 20 * t.cells(); ++i) {
        const u64 drawn = random_bits(seed, 2 * u64{i}), kind = random_bits(seed, 2 * u64{i} + 1) % 4;
        const u64 of = drawn % (t.cells() + 3), key = of == 0 ? greatest : of == 1 ? 0 : of * 0x10001;
        if (kind < 2) {
          const bool has_cell = once_there.contains(key), full = !has_cell && once_there.size() == t.cells();
          const write_done right = full                  ? write_done::full
                                   : truth.contains(key) ? write_done::replaced
                                   : has_cell            ? write_done::revived
                                                         : write_done::added;
          ASSERT_EQ(perform_alone(t, {write::kind::insert, key, i}), number(right)) << i;
          if (!full) truth[key] = i, once_there[key] = true;
        } else if (kind == 2) {
          const write_done right = truth.erase(key) == 1 ? write_done::erased : write_done::absent;
          ASSERT_EQ(perform_alone(t, {write::kind::erase, key}), number(right)) << i;
        } else {
          const auto there = truth.find(key);
          ASSERT_EQ(perform_alone(t, {write::kind::find, key}), there == truth.end() ? 99 : 100 + there->second) << i;
        }
      }
      EXPECT_EQ(once_there.size(), t.cells()) << "load 1 was reached";
    }
  }
}

// Every result that the writes can have in some order, one after another, as answers and rows left of the keys.
using result = std::vector<u32>;
result rows_left(small_table t, const std::vector<u64>& keys) {
  result rows;
  for (const u64 key : keys) rows.push_back(perform_alone(t, {write::kind::find, key}));
  return rows;
}
std::vector<result> right_results(const small_table& begin, const std::vector<write>& writes,
                                  const std::vector<u64>& keys) {
  std::vector<u32> order(writes.size());
  for (u32 i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<result> all;
  do {
    small_table t = begin;
    result r(writes.size());
    for (const u32 i : order) r[i] = perform_alone(t, writes[i]);
    const result left = rows_left(t, keys);
    r.insert(r.end(), left.begin(), left.end());
    all.push_back(std::move(r));
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

// Keys of a table of three windows: two of one window, one of the next, whichever the hashes make them.
std::vector<u64> telling_keys(const small_table& t) {
  const auto window_of = [&](u64 key) {
    return t.config.keys == key_width::u32 ? first_window(static_cast<u32>(key), t.view.size)
                                           : first_window(key, t.view.size);
  };
  std::vector<u64> keys{1};
  for (u64 key = 2; keys.size() < 2; ++key)
    if (window_of(key) == window_of(1)) keys.push_back(key);
  for (u64 key = 2; keys.size() < 3; ++key)
    if (window_of(key) == (window_of(1) + 1) % t.view.size.windows) keys.push_back(key);
  return keys;
}

TEST(open_addressing_writes, at_once_come_to_what_some_order_of_them_does) {
  u64 schedules = 0, pairs = 0;
  for (const open_addressing_config& config : table_configs()) {
    if (config.window != 2 && config.probing != probing_kind::linear) continue;
    small_table empty(config, 3);
    const std::vector<u64> keys = telling_keys(empty);
    // Fresh; with the key in it; with the key erased.
    std::vector<small_table> begins{empty, empty, empty};
    perform_alone(begins[1], {write::kind::insert, keys[0], 50});
    perform_alone(begins[2], {write::kind::insert, keys[0], 50});
    perform_alone(begins[2], {write::kind::erase, keys[0]});
    for (const small_table& begin : begins) {
      for (const auto first : {write::kind::insert, write::kind::erase, write::kind::find}) {
        for (const auto second : {write::kind::insert, write::kind::erase, write::kind::find}) {
          for (const u64 other : keys) {
            const std::vector<write> writes{{first, keys[0], 1}, {second, other, 2}};
            const std::vector<result> right = right_results(begin, writes, keys);
            result answers(writes.size());
            std::vector<interleaved_task> tasks;
            for (std::size_t i = 0; i < writes.size(); ++i)
              tasks.push_back(
                  [&, i](interleaved_memory& memory) { answers[i] = perform_any(begin, memory, writes[i]); });
            const interleaving_judge judge = [&](const interleaved_end& end) {
              small_table after = begin;
              after.regions = end.memory;
              result r = answers;
              const result left = rows_left(after, keys);
              r.insert(r.end(), left.begin(), left.end());
              if (std::find(right.begin(), right.end(), r) != right.end()) return std::string();
              return fmt::format("answers and rows {}, as no order has them", fmt::join(r, " "));
            };
            const interleaving_report report = try_two_switches(begin.regions, tasks, judge);
            schedules += report.schedules, ++pairs;
            ASSERT_GE(report.schedules, 4u) << "each may be first, under both orders of stores";
            ASSERT_FALSE(report.failing) << to_words(config) << ", keys " << keys[0] << " and " << other << ", kinds "
                                         << static_cast<int>(first) << static_cast<int>(second) << ": " << report.words
                                         << "; schedule " << to_text(*report.failing);
          }
        }
      }
    }
  }
  EXPECT_EQ(pairs, 36u * 3 * 9 * 3);
  EXPECT_GT(schedules, 8'000u);
  RecordProperty("schedules", std::to_string(schedules));
}

}  // namespace
}  // namespace pivotscope
