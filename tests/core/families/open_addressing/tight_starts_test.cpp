// Each tight start of a table is what its name says, whatever the knobs are.
#include "core/families/open_addressing/tight_starts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "core/families/open_addressing/open_addressing.hpp"
#include "core/index/config_text.hpp"
#include "core/verify/interleaving.hpp"

namespace pivotscope {
namespace {

// The rows and the home windows of the cells of a table as a start leaves it.
struct tight_table {
  std::vector<u32> rows;
  std::vector<u64> keys;
  std::shared_ptr<const index_model> model;
  u32 window;
  write_done next_done;  // what an insert of the first of the next keys comes to, alone

  bool is_full(u64 w) const {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(w * window);
    return std::find(first, first + window, not_found) == first + window;
  }
  auto free() const { return std::count(rows.begin(), rows.end(), not_found); }
  auto erased() const { return std::count(rows.begin(), rows.end(), erased_row); }
};

tight_table table_at(machine& cpu, const open_addressing_config& config, const tight_start& start) {
  const auto made = interleaving::make(
      cpu, config, {.keys = start.keys, .before = start.before, .operations = {{operation::insert, start.next[0]}}});
  EXPECT_TRUE(made);
  const u64 key = key_bytes(config.keys), stride = config.layout == cell_layout::aos ? 2 * key : key;
  const shared_regions& memory = (*made)->begin();
  tight_table table{{}, {}, (*made)->model(), config.window, (*made)->run({}).done[0]};
  for (u64 i = 0; i < memory[0].size() / stride; ++i) {
    table.keys.emplace_back();
    std::memcpy(&table.keys.back(), memory[0].data() + i * stride, key);
    table.rows.emplace_back();
    std::memcpy(&table.rows.back(),
                config.layout == cell_layout::aos ? memory[0].data() + i * stride + key : memory[1].data() + i * 4, 4);
  }
  return table;
}

void expect_full_window(const tight_table& t, const tight_start& start) {
  const std::vector<u64> path = t.model->probe_path(start.next[0], 2);
  ASSERT_TRUE(t.is_full(path[0]));
  for (u32 i = 0; i < t.window; ++i) EXPECT_EQ(t.model->part_of(t.keys[path[0] * t.window + i], {}), path[0]);
  EXPECT_EQ(t.model->part_of(start.next[1], {}), path[0]);
  EXPECT_GT(t.free(), 0);
  EXPECT_EQ(t.next_done, write_done::added);
  const bool wraps = start.name == "the home window is full, and the next one lies before it";
  EXPECT_TRUE(!wraps || path[1] < path[0]);
}
void expect_one_free_cell(const tight_table& t) {
  EXPECT_EQ(t.free(), 1);
  EXPECT_EQ(t.erased(), 0);
  EXPECT_EQ(t.next_done, write_done::added);
}
void expect_one_erased_cell(const tight_table& t, const tight_start& start) {
  EXPECT_EQ(t.free(), 0);
  ASSERT_EQ(t.erased(), 1);
  EXPECT_EQ(t.keys[static_cast<std::size_t>(std::ranges::find(t.rows, erased_row) - t.rows.begin())], start.next[1]);
  EXPECT_EQ(t.next_done, write_done::full);
}

std::vector<open_addressing_config> configs_of_tight_tables() {
  std::vector<open_addressing_config> list;
  for (const key_width keys : {key_width::u32, key_width::u64})
    for (const cell_layout layout : {cell_layout::aos, cell_layout::soa})
      for (const probing_kind probing : {probing_kind::linear, probing_kind::quadratic, probing_kind::twice})
        for (const u32 window : {1u, 4u, 64u})
          for (const u32 load : {30u, 80u, 100u})
            for (const u32 room : {0u, 64u})
              list.push_back({keys, std::max(1u, window / most_cells_a_lane), window, probing, load, layout, room});
  return list;
}

TEST(tight_tables, are_what_their_names_say) {
  const auto cpu = detail::open_cpu();
  std::map<std::string, u64> seen;
  for (const open_addressing_config& config : configs_of_tight_tables()) {
    for (const tight_start& start : tight_tables(config)) {
      SCOPED_TRACE(to_line(index_config(config)) + ": " + start.name);
      const tight_table t = table_at(*cpu, config, start);
      ++seen[start.name];
      if (start.name == "one cell is free")
        expect_one_free_cell(t);
      else if (start.name == "no cell is free, one is erased")
        expect_one_erased_cell(t, start);
      else
        expect_full_window(t, start);
    }
  }
  EXPECT_EQ(seen.size(), 4u);
  for (const auto& [name, count] : seen) EXPECT_GT(count, 100u) << name;
}

TEST(tight_tables, are_small) {
  EXPECT_EQ(tight_tables({}).size(), 4u);
  EXPECT_TRUE(tight_tables({.room = 1 << 20}).empty()) << "each schedule would copy a large table";
  // Load 100 and windows of one cell: a table is full as soon as it is built.
  EXPECT_TRUE(tight_tables({.lanes = 1, .window = 1, .load = 100}).empty());
}

}  // namespace
}  // namespace pivotscope
