#include "core/tuning/known_faster.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <tuple>

#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "tests/core/tuning/asked_machines.hpp"
#include "tests/support/places.hpp"

namespace pivotscope {
namespace {

std::string_view name_of(key_width width) { return width == key_width::u32 ? "u32" : "u64"; }

workload random_lookups(u64 keys, u64 lookups = 1 << 20) {
  return {.keys = keys, .dist = distribution::uniform, .lookups = lookups};
}

const known_row* known(const char* line, u64 keys, const workload& load, const machine_info& on = a_gpu()) {
  return known_faster(*config_from_line(line), keys, load, on);
}

const known_row* known(const char* line, u64 keys) { return known(line, keys, random_lookups(keys)); }

TEST(known_faster, each_row_is_another_config_of_its_method_worth_telling_and_stands_in_the_table) {
  std::ifstream file(testing::source_folder() / "docs/figures/h100/known_faster.csv");
  const std::string table(std::istreambuf_iterator<char>(file), {});
  std::set<std::tuple<std::string_view, key_width, u32>> seen;
  for (const known_row& row : known_rows()) {
    const std::string line = fmt::format("{} keys={} {}", row.method, name_of(row.width), row.knobs);
    SCOPED_TRACE(line);
    const outcome<index_config> config = config_from_line(line);
    ASSERT_TRUE(config.ok());
    EXPECT_EQ(check(*config), std::nullopt);
    EXPECT_EQ(method_name(*config), row.method);
    EXPECT_EQ(family_of(*config).source(), "lightweight") << "other families' names go with n";
    EXPECT_NE(*config, *config_from_line(fmt::format("{} keys={}", row.method, name_of(row.width))));
    EXPECT_GE(row.times, least_known_gain);
    EXPECT_TRUE(seen.emplace(row.method, row.width, row.log2_keys).second) << "twice";
    const std::string place = fmt::format("\n{},{},2^{},", row.method, name_of(row.width), row.log2_keys);
    const std::size_t begin = table.find(place), end = table.find('\n', begin + 1);
    ASSERT_NE(begin, std::string::npos);
    EXPECT_TRUE(table.substr(begin, end - begin).ends_with(fmt::format(",{:.2f},{}", row.times, row.knobs)));
  }
  EXPECT_EQ(seen.size(), 53u);
}

TEST(known_faster, is_of_the_nearest_number_of_keys_that_was_measured) {
  for (const known_row& row : known_rows()) {
    const std::string line = fmt::format("{} keys={}", row.method, name_of(row.width));
    EXPECT_EQ(known(line.c_str(), 1ull << row.log2_keys), &row) << line;
  }
  EXPECT_EQ(known("AO+BS", (1 << 21) - 1)->log2_keys, 20u);
  EXPECT_EQ(known("AO+BS", (1 << 21) + 1)->log2_keys, 22u);
  EXPECT_EQ(known("AO+BS", 1 << 15)->log2_keys, 16u);
  EXPECT_EQ(known("AO+BS", 1ull << 29)->log2_keys, 28u);
  EXPECT_EQ(known("AO+BS", (1 << 15) - 1), nullptr) << "further than any that was measured";
  EXPECT_EQ(known("AO+BS", (1ull << 29) + 1), nullptr);
  EXPECT_EQ(known("AO+BS keys=u64", 1 << 23), nullptr);
  EXPECT_EQ(known("EO+BS", 1 << 20), nullptr) << "1.16 times is not worth it";
  EXPECT_EQ(known("AO+BS", 0), nullptr);
}

TEST(known_faster, is_told_of_a_name_alone_on_a_gpu_for_a_batch_like_the_one_that_was_measured) {
  constexpr u64 keys = 1 << 26;
  ASSERT_NE(known("AO+BS", keys), nullptr);
  ASSERT_NE(known("AO+BS threads=256", keys), nullptr) << "the same config";
  for (const char* other : {"AO+BS threads=512", "AO+BS layout=soa", "PACKED", "HT+OA", "PLAIN"})
    EXPECT_EQ(known(other, keys), nullptr) << other;
  machine_info cpu = a_gpu();
  cpu.kind = machine_kind::cpu;
  EXPECT_EQ(known("AO+BS", keys, random_lookups(keys), cpu), nullptr);

  const workload right = random_lookups(keys);
  const auto with = [&](auto&& change) {
    workload load = right;
    change(load);
    return known("AO+BS", keys, load);
  };
  EXPECT_EQ(with([](workload& load) { load.hits = 0.99; }), nullptr) << "misses were not measured";
  EXPECT_EQ(with([](workload& load) { load.lookups = (1 << 20) - 1; }), nullptr);
  EXPECT_EQ(with([](workload& load) { load.order = lookup_order::sorted; }), nullptr);
  EXPECT_EQ(with([](workload& load) { load.order = lookup_order::nearly; }), nullptr);
  EXPECT_EQ(with([](workload& load) { load.popular = popularity::zipf; }), nullptr);
  EXPECT_EQ(with([](workload& load) { load.popular = popularity::hot; }), nullptr);
  EXPECT_EQ(with([](workload& load) { set_batch_size(load, operation::range, 1 << 20); }), nullptr);
  EXPECT_EQ(with([](workload& load) { set_batch_size(load, operation::successor, 1 << 20); }), nullptr);
  EXPECT_EQ(with([](workload& load) { load.own_batch.numbers.file = "lookups.txt"; }), nullptr);
  EXPECT_EQ(with([](workload& load) { load.recipe.inserts = 5; }), nullptr);
}

TEST(known_faster, says_a_config_to_copy_how_much_faster_and_where_it_was_seen) {
  EXPECT_EQ(words_of(*known("EO+KS", 1 << 20)),
            "EO+KS: --config \"EO+KS fanout=5 lanes=2\" is known to answer 2.5 times as many lookups over 2^20 keys "
            "(one H100; "
            "docs/adviser.md).");
  EXPECT_EQ(words_of(*known("AO+PB+BS keys=u64", 1 << 26)),
            "AO+PB+BS: --config \"AO+PB+BS keys=u64 pivots=22\" is known to answer 1.4 times as many lookups over 2^26 "
            "keys (one "
            "H100; docs/adviser.md).");
}

}  // namespace
}  // namespace pivotscope
