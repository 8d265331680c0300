// An index that is copied in several parts, changed batch by batch, undone and redone with nothing kept in between: each state is, byte
// by byte, the one that it was.
#include "app/session/index_history.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/run/entry_count.hpp"
#include "core/workload/script_list.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

std::vector<std::byte> bytes_of_state(const index_history& history) {
  const built_index& index = *history.index();
  std::vector<std::byte> bytes(index.bytes(main_region));
  EXPECT_TRUE(index.read(main_region, 0, bytes).ok());
  return bytes;
}

TEST(index_history, brings_every_part_of_a_large_index_back) {
  const auto cpu = detail::open_cpu();
  const index_config config = testing::config_of("HT+OA room=2^20");  // 10 MiB
  const auto keys = *key_set::load(*cpu, key_array(std::vector<u32>{3, 8, 1}), {});
  const auto built = *cpu->build(config, keys->resident(), {});
  ASSERT_GT(built->bytes(main_region), 2u * (4 << 20));
  index_history history(0);
  history.begin(built, keys);
  script s(config.keys);
  for (u64 i = 0; i < 20; ++i) s.add({operation::insert, 1000 * i + 2});
  s.begin_mixed();
  s.add({operation::find, 8}), s.add({operation::erase, 3}), s.add({operation::insert, 5});
  s.end_mixed();
  for (u64 i = 0; i < 20; i += 2) s.add({operation::erase, 1000 * i + 2});
  ASSERT_TRUE(history.apply(*cpu, s, {}).ok());
  std::vector<std::vector<std::byte>> states;
  for (const std::size_t to : {0u, 1u, 2u, 3u}) {
    ASSERT_TRUE(history.go_to(*cpu, to, {}).ok());
    states.push_back(bytes_of_state(history));
    EXPECT_TRUE(states.size() < 2 || states[to] != states[to - 1]);
  }
  for (const std::size_t to : {1u, 3u, 0u, 2u}) {
    ASSERT_TRUE(history.go_to(*cpu, to, {}).ok());
    EXPECT_TRUE(bytes_of_state(history) == states[to]) << to;
  }
  // What is looked up behind that is right, too: the oracle follows.
  const batch finds{operation::find, key_array(std::vector<u32>{3, 5, 8, 2, 1002}), key_array(key_width::u32, 0)};
  const auto run = cpu->run(*history.index(), finds, {}, {});
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->answers.found, (std::vector<u32>{not_found, 23, 1, 3, 4}));
  EXPECT_EQ(history.check(finds, run->answers, {})->wrong, 0u);
}

// What made the array is known at every state, also where states in between were let go; and a batch that writes nothing
// leaves it as it is.
TEST(index_history, knows_the_merge_that_made_the_array) {
  const auto cpu = detail::open_cpu();
  const index_config config = testing::config_of("SA");
  const auto keys = *key_set::load(*cpu, key_array(std::vector<u32>{3, 8, 1}), {});
  const auto built = *cpu->build(config, keys->resident(), {});
  for (const u64 budget : {u64{0}, u64{1} << 20}) {
    index_history history(budget);
    history.begin(built, keys);
    EXPECT_EQ(history.merged().merge, nullptr) << "as it was built";
    // 1: two inserts; 2: a find; 3: an erase among finds; 4: clear; 5: an insert; 6: rebuild.
    ASSERT_TRUE(history.apply(*cpu, *script_from_list("+5,+3/?5/(?3,-3)/-*/+9/@", key_width::u32), {}).ok());
    const auto merged_at = [&](std::size_t state) {
      EXPECT_TRUE(history.go_to(*cpu, state, {}).ok());
      const viz::merged_batch& merged = history.merged();
      if (!merged.merge) return std::string("none");
      EXPECT_EQ(merged.merge->after(), entry_count(*history.index()));
      return fmt::format("batch {}: {} kept, {} dropped, {} inserted", merged.batch, merged.merge->kept(),
                         merged.merge->dropped(), merged.merge->inserts());
    };
    for (u32 round = 0; round < 2; ++round) {
      EXPECT_EQ(merged_at(6), "none") << "as if it were built";
      EXPECT_EQ(merged_at(5), "batch 5: 0 kept, 0 dropped, 1 inserted");
      EXPECT_EQ(merged_at(4), "none");
      EXPECT_EQ(merged_at(3), "batch 3: 3 kept, 2 dropped, 0 inserted");
      EXPECT_EQ(merged_at(1), "batch 1: 3 kept, 0 dropped, 2 inserted");
      EXPECT_EQ(merged_at(2), "batch 1: 3 kept, 0 dropped, 2 inserted") << "a find changes nothing";
      EXPECT_EQ(merged_at(0), "none");
    }
  }
}

}  // namespace
}  // namespace pivotscope
