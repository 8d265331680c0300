// Keys on the host and on a machine, and what checks answers over them.
#include "core/run/key_set.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "tests/support/batches.hpp"
#include "tests/support/scripted_machines.hpp"

namespace pivotscope {
namespace {

class key_set_test : public ::testing::Test {
 protected:
  testing::script script;
  testing::scripted_machine on{script, machine_kind::cpu};
  const key_array keys{std::vector<u32>{30, 10, 20}};
};

TEST_F(key_set_test, has_the_keys_on_the_host_and_on_the_machine) {
  const auto loaded = key_set::load(on, keys, {});
  ASSERT_TRUE(loaded.ok());
  const key_set& set = **loaded;
  EXPECT_EQ(set.size(), 3u);
  EXPECT_EQ(set.width(), key_width::u32);
  EXPECT_EQ(set.keys()[0], 30u) << "in input order";
  EXPECT_EQ(set.resident()->size(), 3u);
  EXPECT_EQ(script.calls(), std::vector<std::string>{"cpu: load 3"});
  EXPECT_EQ(&set.checker().keys(), &set.keys());
  EXPECT_EQ(testing::check_answers(set.checker(), keys, {0, 1, 2}).wrong, 0u);
  EXPECT_EQ(testing::check_answers(set.checker(), keys, {0, 2, 1}).wrong, 2u);
}

TEST_F(key_set_test, shares_the_keys_of_the_host_between_machines) {
  const auto on_host = std::make_shared<const key_array>(keys);
  testing::scripted_machine other(script, machine_kind::cuda);
  const auto first = *key_set::load(on, on_host, {}), second = *key_set::load(other, first->shared_keys(), {});
  EXPECT_EQ(&first->keys(), on_host.get());
  EXPECT_EQ(&second->keys(), on_host.get());
  EXPECT_NE(first->resident(), second->resident());
}

TEST_F(key_set_test, says_when_keys_cannot_be_loaded) {
  script.fail("load", "there is no room");
  const auto loaded = key_set::load(on, keys, {});
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().words, "there is no room");
}

TEST_F(key_set_test, can_be_cancelled_while_it_loads) {
  job_control stop;
  script.hold_silently("load");
  std::thread user([&] {
    EXPECT_TRUE(script.wait_until_held());
    stop.cancel();
  });
  const auto loaded = key_set::load(on, keys, stop);
  user.join();
  ASSERT_FALSE(loaded.ok());
  EXPECT_TRUE(loaded.error().cancelled);
}

}  // namespace
}  // namespace pivotscope
