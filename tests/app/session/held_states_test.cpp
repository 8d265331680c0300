// Which states of an index that changes are held: as many as fit, the nearest to the one in view.
#include "app/session/index_history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/workload/script_list.hpp"
#include "tests/app/lying_machine.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

// Counts its updates, and knows which of the indexes that they left are still held.
class counting_updates final : public honest_machine {
 public:
  outcome<update_result> update(const built_index& index, const script& s, u64 batch, const batch_options& options,
                                const job_control& control) override {
    ++calls;
    outcome<update_result> done = honest_machine::update(index, s, batch, options, control);
    left.push_back(done->index);
    return done;
  }
  u32 take_calls() { return std::exchange(calls, 0); }
  u64 held() const {
    return static_cast<u64>(std::count_if(left.begin(), left.end(), [](const auto& one) { return !one.expired(); }));
  }
  u32 calls = 0;
  std::vector<std::weak_ptr<const built_index>> left = {};
};

TEST(held_states, holds_the_nearest_states_that_fit_beside_the_one_in_view) {
  counting_updates on;
  const auto keys = *key_set::load(on, key_array(std::vector<u32>{3, 7, 1}), {});
  const auto built = *on.build(testing::config_of("PLAIN"), keys->resident(), {});
  index_history history(3 * built->bytes());
  history.begin(built, keys);
  for (const char* list : {"+10", "-3", "+11", "-7", "+12", "-1", "+13", "-10"})
    ASSERT_TRUE(history.apply(on, *script_from_list(list, key_width::u32), {}));
  ASSERT_EQ(history.index()->bytes(), built->bytes()) << "it does not grow";
  EXPECT_EQ(on.take_calls(), 8u);
  EXPECT_EQ(on.held(), 4u);
  const auto updates_to = [&](std::size_t count) {
    EXPECT_TRUE(history.go_to(on, count, {}));
    EXPECT_EQ(history.applied(), count);
    EXPECT_LE(on.held(), 5u) << "three, the one in view, and that of the oracle";
    return on.take_calls();
  };
  EXPECT_EQ(updates_to(7), 0u);
  EXPECT_EQ(updates_to(6), 0u);
  EXPECT_EQ(updates_to(5), 0u);
  EXPECT_EQ(updates_to(8), 0u) << "all of them still";
  EXPECT_EQ(updates_to(4), 4u) << "made again from what was built";
  EXPECT_EQ(updates_to(7), 0u);
  EXPECT_EQ(updates_to(8), 1u) << "it was the farthest";
}

TEST(held_states, without_room_holds_what_was_built_and_what_is_in_view) {
  counting_updates on;
  const auto keys = *key_set::load(on, key_array(std::vector<u32>{3, 7, 1}), {});
  const auto built = *on.build(testing::config_of("PLAIN"), keys->resident(), {});
  index_history history(built->bytes() - 1);
  history.begin(built, keys);
  for (const char* list : {"+10", "-3", "+11"})
    ASSERT_TRUE(history.apply(on, *script_from_list(list, key_width::u32), {}));
  EXPECT_EQ(on.held(), 1u);
  on.take_calls();
  ASSERT_TRUE(history.go_to(on, 2, {}));
  EXPECT_EQ(on.take_calls(), 2u);
  ASSERT_TRUE(history.go_to(on, 0, {}));
  EXPECT_EQ(on.take_calls(), 0u);
  EXPECT_EQ(history.index(), built);
}

}  // namespace
}  // namespace pivotscope
