// The reader: tasks in their turn, the last of a kind alone, and what has not begun is dropped at the end.
#include "app/session/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <optional>
#include <string>
#include <thread>

#include "tests/support/scripted_machines.hpp"

namespace pivotscope {
namespace {

using ::testing::ElementsAre;

class reader_test : public ::testing::Test {
 protected:
  std::mutex mutex;
  std::condition_variable changed;
  bool held = false, go = false;
  std::vector<std::string> done;
  std::optional<reader> on;

  void SetUp() override { on.emplace(); }
  // A task that runs until let_go().
  void occupy() {
    on->add([this] {
      std::unique_lock lock(mutex);
      held = true;
      changed.notify_all();
      EXPECT_TRUE(changed.wait_for(lock, testing::forever, [&] { return go; }));
    });
    std::unique_lock lock(mutex);
    ASSERT_TRUE(changed.wait_for(lock, testing::forever, [&] { return held; }));
  }
  void let_go() {
    const std::lock_guard lock(mutex);
    go = true;
    changed.notify_all();
  }
  reader::task note(std::string what) {
    return [this, what] {
      const std::lock_guard lock(mutex);
      done.push_back(what);
      changed.notify_all();
    };
  }
  bool until_done(std::size_t count) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, testing::forever, [&] { return done.size() == count; });
  }
};

TEST_F(reader_test, tasks_run_in_their_turn) {
  occupy();
  for (const char* what : {"a", "b", "c"}) on->add(note(what));
  let_go();
  ASSERT_TRUE(until_done(3));
  EXPECT_THAT(done, ElementsAre("a", "b", "c"));
}

TEST_F(reader_test, of_a_kind_only_the_last_is_of_interest) {
  occupy();
  on->replace(1, note("first path"));
  on->add(note("a page"));
  on->replace(2, note("a key"));
  on->replace(1, note("last path"));
  on->add(note("another page"));
  let_go();
  ASSERT_TRUE(until_done(4));
  EXPECT_THAT(done, ElementsAre("a page", "a key", "last path", "another page"));
}

TEST_F(reader_test, what_has_begun_is_not_replaced) {
  on->replace(1, note("first"));
  ASSERT_TRUE(until_done(1));
  on->replace(1, note("second"));
  ASSERT_TRUE(until_done(2));
}

TEST_F(reader_test, the_end_drops_what_has_not_begun) {
  occupy();
  auto alive = std::make_shared<int>();
  const std::weak_ptr<int> watched = alive;
  on->add([this, alive] { note("late")(); });
  alive.reset();
  std::thread end([this] { on.reset(); });
  // The dropped task is destroyed before the one that runs has ended.
  const auto give_up = std::chrono::steady_clock::now() + testing::forever;
  while (!watched.expired() && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
  EXPECT_TRUE(watched.expired());
  let_go();
  end.join();
  EXPECT_TRUE(done.empty());
}

}  // namespace
}  // namespace pivotscope
