// Theorem 6.1 of gph: its formulas against enumeration, simulation and the paper's own number; what is counted of a table against
// what inserts do.
#include "core/sweep/theorem_6_1.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "core/machine/trace/trace.hpp"
#include "core/workload/generate/seeded_bijection.hpp"
#include "tests/support/table_on_cpu.hpp"

namespace pivotscope {
namespace {

// One in so many of the sets of R buckets is vacant.
TEST(theorem_6_1, has_the_mean_that_all_sets_of_buckets_give) {
  for (const u32 buckets : {8u, 13u}) {
    for (const u32 virtuals : {1u, 2u, 4u}) {
      for (u32 full = 0; full + virtuals < buckets; ++full) {
        u64 all = 0, vacant = 0;
        for (u32 set = 0; set < (1u << buckets); ++set) {
          if (std::popcount(set) != static_cast<int>(virtuals)) continue;
          ++all, vacant += (set & ((1u << full) - 1)) == 0;
        }
        const theorem_case of{buckets, full, virtuals};
        EXPECT_NEAR(mean_tries(of), static_cast<double>(all) / static_cast<double>(vacant), 1e-9);
        EXPECT_LE(mean_tries(of), tries_bound(of) * (1 + 1e-12));
      }
    }
  }
}

TEST(theorem_6_1, comes_near_a_power_of_vacant_buckets) {
  for (const u32 virtuals : {2u, 4u, 8u}) {
    for (const u32 percent : {10u, 50u, 70u, 95u}) {
      const theorem_case of{100'000'000, u64{1'000'000} * percent, virtuals};
      const double limit = std::pow(1 / (1 - percent / 100.0), virtuals);
      EXPECT_NEAR(mean_tries(of) / limit, 1, 1e-4);
      EXPECT_NEAR(tries_bound(of) / limit, 1, 1e-4);
    }
  }
  EXPECT_NEAR(mean_tries({1'000'000, 700'000, 8}), 15'240, 10);
}

TEST(theorem_6_1, is_what_a_simulation_gives) {
  for (const theorem_case& of : {theorem_case{1000, 500, 8}, theorem_case{1000, 900, 2}, theorem_case{40, 20, 4}}) {
    const double simulated = simulated_tries(of, 20'000, 7);
    EXPECT_NEAR(simulated / mean_tries(of), 1, 0.04) << of.virtuals;
  }
}

// Section 6.2: "with a 1.5GB table size and 70% load factor, the theoretical probability of insertion failure on a cell is only
// 0.00539%", where M = 16 and R = 8.
TEST(theorem_6_1, has_the_papers_chance_of_failure) {
  const u64 buckets = 1'500'000'000 / 8 / 16;
  EXPECT_NEAR(100 * failure_chance(buckets, buckets * 16 * 7 / 10, 8, 16), 0.00539, 0.00003);
  // Few keys, by hand: more than two of three in one of two buckets is (1/2)^3.
  EXPECT_NEAR(failure_chance(2, 3, 1, 2), 0.125, 1e-12);
  EXPECT_NEAR(failure_chance(4, 3, 2, 1), 0.125, 1e-12);
  EXPECT_EQ(failure_chance(10, 8, 2, 4), 0.0);
}

// As many inserts find their bucket full, try so many mappings, and find no value, as their traces say.
TEST(theorem_6_1, counts_what_inserts_do) {
  const auto cpu = detail::open_cpu();
  constexpr u64 n = 700, inserts = 150;
  for (const char* line : {"GPH load=85", "GPH bucket=4 load=75", "GPH virtuals=4 load=90", "GPH load=40"}) {
    SCOPED_TRACE(line);
    const auto counted = count_inserts(*cpu, line, n, inserts, {});
    ASSERT_TRUE(counted) << counted.error().words;
    const seeded_bijection key_at(greatest_key<u32>(), 1);
    std::vector<u64> keys(n);
    for (u64 i = 0; i < n; ++i) keys[i] = key_at(i);
    const auto index = testing::table_on_cpu(line, keys).built();
    const auto model = model_of(*index);
    const u32 last =
        static_cast<u32>(model
                             ->choices_for(1, [&](region_id r, u64 byte,
                                                  std::span<std::byte> out) { return index->read(r, byte, out).ok(); })
                             ->columns -
                         1);
    u64 refined = 0, without = 0, least_tries = 0;
    for (u64 i = 0; i < inserts; ++i) {
      const auto trace = trace_write(*index, operation::insert, key_at(n + i));
      ASSERT_TRUE(trace) << trace.error().words;
      std::optional<u64> mapping;
      u64 read = 0;
      bool spills = false;
      for (const trace_step& step : trace->steps) {
        for (const watched_value& w : step.watched)
          if (w.name == "to.mapping") mapping = w.value, ++read;
        for (const changed_word& c : step.changed)
          spills |= c.done && c.array != main_region && model->region(c.array).id == "counters";
      }
      refined += mapping.has_value();
      without += mapping ? *mapping == last : spills;
      least_tries += mapping ? (*mapping == last ? last : read) : 0;  // those that are passed over are tried, too
    }
    EXPECT_EQ(counted->refined, refined);
    EXPECT_EQ(counted->without, without);
    EXPECT_GE(counted->tries * static_cast<double>(refined) + 1e-6, static_cast<double>(least_tries));
    EXPECT_GE(counted->spilled, 0.0);
    EXPECT_EQ(counted->inserts, inserts);
  }
  EXPECT_GT(count_inserts(*cpu, "GPH bucket=4 load=75", n, 10, {})->spilled, 0.01);
  EXPECT_FALSE(count_inserts(*cpu, "HT+OA", n, 10, {}));
  EXPECT_FALSE(count_inserts(*cpu, "GPH bits=16", n, 10, {})) << "of more values than are listed";
}

TEST(computed_figures, are_tables_and_pictures) {
  const computed_figure of{.name = "a-1",
                           .sentence = "how much",
                           .source = "a paper",
                           .x_words = "load",
                           .y_words = "tries",
                           .below = "as it was made",
                           .least_y = 1e-3,
                           .series = {{"formula, R = 2", drawn_as::line, 0, {{10, 1}, {20, 1.5}}},
                                      {"counted", drawn_as::joined_dots, 1, {{20, 2}, {30, 1e-9}}}}};
  EXPECT_EQ(computed_csv(of), "load,\"formula, R = 2\",counted\n10,1,\n20,1.5,2\n30,,1e-09\n");
  const std::string svg = computed_svg(of);
  for (const char* words : {"how much", "a-1 (a paper)", ">load<", ">tries<", "as it was made", ">formula, R = 2<",
                            "<title>counted at 20: 2</title>", "</svg>\n"})
    EXPECT_THAT(svg, ::testing::HasSubstr(words));
  EXPECT_THAT(svg, ::testing::Not(::testing::HasSubstr("counted at 30"))) << "below what is shown";
  EXPECT_THAT(computed_svg({.name = "empty"}), ::testing::HasSubstr("</svg>"));
}

TEST(computed_figures, have_names_of_their_own) {
  for (const figure_recipe& one : figure_recipes()) {
    EXPECT_EQ(find_figure(one.name), &one);
    EXPECT_FALSE(one.sentence.empty() || one.source.empty());
  }
  EXPECT_EQ(find_figure("gph-9"), nullptr);
}

}  // namespace
}  // namespace pivotscope
