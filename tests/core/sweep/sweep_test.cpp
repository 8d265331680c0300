// Sweeps as data: that each can be measured, and what scaling makes of it.
#include "core/sweep/sweep.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/index/operations.hpp"

namespace pivotscope {
namespace {

TEST(sweeps, have_names_and_rows_that_can_be_measured) {
  std::set<std::string> names;
  for (const sweep& one : sweeps()) {
    EXPECT_TRUE(names.insert(one.name).second);
    EXPECT_FALSE(one.sentence.empty() || one.source.empty() || one.rows.empty()) << one.name;
    EXPECT_EQ(*find_sweep(one.name), &one);
    std::set<std::string> before;
    for (const sweep_row& row : one.rows) {
      SCOPED_TRACE(row.id);
      EXPECT_EQ((row.configs.empty() ? 0 : 1) + (row.configs_of.empty() ? 0 : 1) + (row.standard_search ? 1 : 0), 1);
      for (const u32 bits : {0u, 6u, 14u, 32u}) EXPECT_EQ(check(scaled(row, bits).load, row.width), std::nullopt);
      for (const std::string& line : row.configs) {
        outcome<index_config> config = config_from_line(line);
        ASSERT_TRUE(config) << line;
        config->keys = row.width;
        EXPECT_EQ(check(*config), std::nullopt) << line;
        EXPECT_EQ(check_serves(*config, operation_of(row.load)), std::nullopt) << line;
        EXPECT_EQ(to_line(*config_from_line(line)).substr(0, 3), line.substr(0, 3));
      }
      // What a row leans on comes before it.
      EXPECT_TRUE(row.configs_of.empty() || before.contains(row.configs_of));
      for (const want& wanted : row.wants) {
        EXPECT_EQ(wanted.in == wanted_in::rate_of_row, !wanted.row.empty());
        EXPECT_TRUE(wanted.row.empty() || before.contains(wanted.row));
        EXPECT_GT(wanted.value, 0);
      }
      EXPECT_TRUE(before.insert(row.id).second);
      EXPECT_EQ(one.row(row.id), &row);
    }
    EXPECT_EQ(one.row("nothing"), nullptr);
  }
  EXPECT_EQ(find_sweep("packd").error().words, "'packd' is not a sweep; did you mean 'packed'?");
}

// The table that the packed index is measured by, number by number.
TEST(sweeps, packed_wants_what_was_asked_of_it) {
  const sweep& packed = **find_sweep("packed");
  const std::pair<u32, double> table[] = {{16, 128}, {20, 105}, {22, 78}, {24, 48}, {26, 36}, {28, 30}};
  for (const auto& [bits, rate] : table) {
    const sweep_row* hits = packed.row("hits 2^" + std::to_string(bits));
    ASSERT_TRUE(hits);
    EXPECT_EQ(hits->load, (workload{.keys = 1ull << bits, .dist = distribution::uniform, .lookups = 1ull << 27}));
    EXPECT_EQ(hits->wants.at(0).value, rate * 1e9);
    const sweep_row* wide = packed.row("u64 hits 2^" + std::to_string(bits));
    ASSERT_TRUE(wide);
    EXPECT_EQ(wide->width, key_width::u64);
    EXPECT_DOUBLE_EQ(wide->wants.at(0).value, 0.6 * rate * 1e9);
    for (const char* where : {"inside", "outside"}) {
      const sweep_row* misses = packed.row(std::string("misses ") + where + " 2^" + std::to_string(bits));
      ASSERT_TRUE(misses);
      EXPECT_EQ(misses->load.hits, 0);
      EXPECT_EQ(misses->wants.at(0).value, 0.9);
      EXPECT_EQ(misses->wants.at(0).row, hits->id);
      EXPECT_EQ(misses->configs_of, hits->id) << "the same index";
    }
  }
  EXPECT_EQ(packed.row("sorted 2^28")->load.order, lookup_order::sorted);
  EXPECT_EQ(packed.row("sorted 2^28")->wants.at(0).value, 2);
  for (const char* skew : {"narrow", "gaps", "clusters", "half"})
    EXPECT_EQ(packed.row(std::string(skew) + " 2^28")->wants.at(0).value, 0.66);
  for (const char* worst : {"nested 2^16", "u64 nested 2^16", "nested 2^24", "u64 nested 2^24"}) {
    EXPECT_EQ(packed.row(worst)->wants.at(0).value, 1);
    EXPECT_EQ(packed.row(worst)->wants.at(0).row, std::string(worst) + " AO+BS");
  }
  EXPECT_EQ(packed.row("ranges of 2^6 at 2^26")->wants.at(0).value, 0.08);
  EXPECT_EQ(packed.row("ranges of 2^14 at 2^26")->wants.at(0).in, wanted_in::stream_of_all);
  for (const char* method : {"PACKED", "AO+BS", "AO+PB+KS", "EO+KS", "AO+PB+BS", "EO+BS"})
    EXPECT_EQ(packed.row(std::string("sort and build ") + method + " 2^28")->wants.at(0).value, 1.15);
  EXPECT_EQ(packed.row("cpu PACKED 2^24")->wants.size(), 2u);
  EXPECT_EQ(packed.row("cpu PACKED 2^24")->on, machine_kind::cpu);
}

TEST(sweeps, a_part_has_what_its_rows_lean_on) {
  const sweep& packed = **find_sweep("packed");
  const auto ids = [&](std::string_view part) {
    std::vector<std::string> list;
    const outcome<sweep> some = part_of(packed, part);
    for (const sweep_row& row : some->rows) list.push_back(row.id);
    return list;
  };
  using names = std::vector<std::string>;
  EXPECT_EQ(ids("sorted"), (names{"hits 2^28", "sorted 2^28"}));
  EXPECT_EQ(ids("cpu PACKED"), (names{"cpu std::lower_bound 2^24", "cpu AO+PB+KS 2^24", "cpu PACKED 2^24"}));
  EXPECT_EQ(ids("outside 2^20"), (names{"hits 2^20", "misses outside 2^20"}));
  EXPECT_EQ(ids("").size(), packed.rows.size());
  EXPECT_EQ(part_of(packed, "2^99").error().words, "no row of packed has '2^99' in its name");
}

TEST(sweeps, scaled_have_fewer_of_all) {
  const sweep_row row{.load = {.keys = 1 << 10, .dist = distribution::uniform, .lookups = 1 << 6, .ranges = 0}};
  EXPECT_EQ(scaled(row, 0).load, row.load);
  EXPECT_EQ(scaled(row, 3).load.keys, 128u);
  EXPECT_EQ(scaled(row, 3).load.lookups, 8u);
  EXPECT_EQ(scaled(row, 3).load.ranges, 0u) << "what is not there does not come";
  EXPECT_EQ(scaled(row, 32).load.keys, 1u);
  const sweep_row ranges{.load = {.keys = 1 << 20, .lookups = 0, .ranges = 64, .range_hits = 1 << 14}};
  EXPECT_EQ(scaled(ranges, 10).load.range_hits, 1u << 10) << "no more than there are keys";
}

}  // namespace
}  // namespace pivotscope
