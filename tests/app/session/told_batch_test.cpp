#include "app/session/told_batch.hpp"

#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "core/workload/own_numbers.hpp"
#include "tests/app/session/session_fixture.hpp"

namespace pivotscope {
namespace {

viz::session_choice of_keys(u64 keys, u64 lookups) {
  viz::session_choice choice;
  choice.load = {.keys = keys, .dist = distribution::uniform, .lookups = lookups};
  return choice;
}

template <class Change>
viz::session_choice after(const viz::session_choice& before, Change&& change) {
  viz::session_choice choice = before;
  change(choice);
  settle_batch(before, choice);
  return choice;
}

TEST(batch, follows_the_keys_the_machine_and_the_index_until_it_is_told) {
  const auto keys = [](u64 n) { return [n](viz::session_choice& c) { c.load.keys = n; }; };
  viz::session_choice choice = after(of_keys(64, 64), keys(1 << 20));
  EXPECT_EQ(choice.load.lookups, 1u << 20);
  choice = after(choice, [](viz::session_choice& c) { c.machine = machine_kind::cuda; });
  EXPECT_EQ(choice.load.lookups, 1u << 24);
  choice = after(choice, [](viz::session_choice& c) { c.config = *config_from_line("PLAIN"); });
  EXPECT_EQ(choice.load.lookups, 1u << 10) << "it reads all keys for each";
  choice = after(choice, [](viz::session_choice& c) { c.load.hits = 0.5; });
  EXPECT_EQ(choice.load.lookups, 1u << 10);
  EXPECT_FALSE(choice.batch_told);
  choice = after(choice, [](viz::session_choice& c) { c.load.lookups = 5; });
  EXPECT_TRUE(choice.batch_told);
  choice = after(choice, keys(14));
  EXPECT_EQ(choice.load.lookups, 5u);
  tell_batch(choice, std::nullopt);
  EXPECT_EQ(choice.load.lookups, 64u);
  tell_batch(choice, 64);
  EXPECT_EQ(after(choice, keys(1 << 16)).load.lookups, 64u) << "told, though it is the usual one";
}

TEST(batch, of_another_kind_is_the_usual_one_of_that) {
  const viz::session_choice ranges = after(of_keys(1 << 20, 1 << 20), [](viz::session_choice& c) {
    set_batch_size(c.load, operation::range, batch_size(c.load));
  });
  EXPECT_EQ(ranges.load.ranges, 1u << 16);
  EXPECT_EQ(ranges.load.lookups, 0u);
  const auto longer = after(ranges, [](viz::session_choice& c) { c.load.range_hits = 1 << 10; });
  EXPECT_EQ(longer.load.ranges, 1u << 12);
}

TEST(batch, of_a_line_that_says_nothing_of_it_stays_until_the_keys_change) {
  const viz::session_choice line = of_keys(1 << 20, 64);
  EXPECT_EQ(after(line, [](viz::session_choice& c) { c.load.seed = 5; }).load.lookups, 64u);
  EXPECT_EQ(after(line, [](viz::session_choice& c) { c.load.keys = 1 << 18; }).load.lookups, 1u << 18);
}

TEST(batch, of_ones_own_or_of_nothing_stays) {
  viz::session_choice own = of_keys(64, 0);
  own.load.own_batch = {.numbers = {.list = {1, 2, 3}}}, own.load.lookups = 3;
  EXPECT_EQ(after(own, [](viz::session_choice& c) { c.load.keys = 1 << 20; }).load.lookups, 3u);
  tell_batch(own, 9);
  EXPECT_EQ(own.load.lookups, 3u);
  own.load.keys = 1 << 20;
  const viz::session_choice drawn = after(own, [](viz::session_choice& c) { c.load.own_batch = {}; });
  EXPECT_EQ(drawn.load.lookups, 1u << 20) << "and what is drawn again is of the keys that there are now";
  EXPECT_EQ(after(of_keys(64, 0), [](viz::session_choice& c) { c.load.keys = 1 << 20; }).load.lookups, 0u);
}

TEST_F(session_test, the_batch_follows_the_keys_of_a_file_once_they_are_counted) {
  open();
  std::string keys;
  for (int i = 0; i < 100; ++i) keys += std::to_string(i) + "\n";
  const std::string path = folder.write("keys.txt", keys);
  on->choose_workload(with_keys(now().choice.load, {.file = path}));
  ASSERT_TRUE(seen.until([](const session_view& v) { return !v.job.running && v.choice.load.keys == 100; }));
  ASSERT_TRUE(until_runs(2));
  EXPECT_EQ(now().choice.load.lookups, 1u << 16);
  EXPECT_EQ(now().runs->back().load.lookups, 1u << 16);
  EXPECT_EQ(now().runs->back().record.operations, 1u << 16);
}

TEST_F(session_test, a_line_tells_the_batch_only_where_it_says_one) {
  open();
  on->open_scenario("keys=2^12");
  ASSERT_TRUE(until_runs(2));
  EXPECT_EQ(now().choice.load.lookups, 64u);
  EXPECT_FALSE(now().choice.batch_told);
  on->open_scenario("keys=2^12 lookups=64");
  EXPECT_TRUE(now().choice.batch_told);
  on->choose_batch(std::nullopt);
  ASSERT_TRUE(until_runs(3));
  EXPECT_EQ(now().choice.load.lookups, 1u << 16);
  EXPECT_FALSE(now().choice.batch_told);
}

}  // namespace
}  // namespace pivotscope
