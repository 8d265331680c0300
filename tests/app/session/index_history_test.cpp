// An index that is copied in several parts, changed batch by batch, undone and redone with nothing kept in between: each state is, byte
// by byte, the one that it was.
#include "app/session/index_history.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace pivotscope
