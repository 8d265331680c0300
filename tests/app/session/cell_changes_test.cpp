// What a batch changed, cell by cell.
#include "app/session/cell_changes.hpp"

#include <gtest/gtest.h>

#include "app/session/index_history.hpp"
#include "core/index/config_text.hpp"
#include "core/workload/script_text.hpp"

namespace pivotscope {
namespace {

TEST(cell_changes, are_those_that_a_batch_wrote) {
  const std::unique_ptr<machine> on = detail::open_cpu();
  const auto keys = *key_set::load(*on, key_array(std::vector<u32>{3, 7, 1, 9}), {});
  const auto built = *on->build(*config_from_line("PLAIN"), keys->resident(), {});
  index_history history;
  history.begin(built, keys);
  const auto after = [&](const char* text) {
    const auto before = history.index();
    EXPECT_TRUE(history.apply(*on, *script_from_text(text, key_width::u32), {}).ok());
    return changes_between(*before, *history.index())->cells;
  };
  EXPECT_EQ(after("insert 5\ninsert 6\n"), (std::vector<u64>{4, 5}));
  EXPECT_EQ(after("erase 7\nerase 5\n"), (std::vector<u64>{1, 4}));
  EXPECT_EQ(after("find 3\nerase 100\n"), std::vector<u64>{});
  std::string many;
  for (int i = 0; i < 40; ++i) many += "insert 1000\n";
  std::vector<u64> grown(40);
  for (u64 i = 0; i < 40; ++i) grown[i] = 6 + i;
  EXPECT_EQ(after(many.c_str()), grown) << "empty cells behind them are no change";
  // Back, the cells that are there no more are none.
  const auto back = changes_between(*history.index(), *built);
  EXPECT_EQ(back->cells, (std::vector<u64>{1,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17,
                                           18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}));
  EXPECT_TRUE(back->moved.empty());
}

// What changed is looked for in states of up to 32 MiB, 2^22 cells of 8 bytes.
TEST(cell_changes, are_not_told_of_large_states) {
  const std::unique_ptr<machine> on = detail::open_cpu();
  for (const u64 keys : {u64{1} << 22, (u64{1} << 22) + 32}) {
    const auto set = *key_set::load(*on, key_array(std::vector<u32>(keys, 7)), {});
    const auto index = *on->build(*config_from_line("PLAIN"), set->resident(), {});
    EXPECT_EQ(changes_between(*index, *index) != nullptr, keys == u64{1} << 22) << keys;
  }
}

}  // namespace
}  // namespace pivotscope
