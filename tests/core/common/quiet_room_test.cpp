// Who draws and who times take turns. What waits is seen to wait, not waited for by a clock.
#include "core/common/quiet_room.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace pivotscope {
namespace {

constexpr std::chrono::hours for_ever{1};

void until(const std::function<bool()>& is_so) {
  while (!is_so()) std::this_thread::yield();
}

TEST(quiet_room, a_pass_waits_for_the_frame_that_is_drawn) {
  quiet_room room(for_ever);
  std::atomic<bool> drawn{false}, timed_after_it{false};
  quiet_room::turn frame = room.to_draw();
  std::jthread pass([&] {
    const quiet_room::turn turn = room.to_time();
    timed_after_it = drawn.load();
  });
  until([&] { return room.pass_waits(); });
  EXPECT_EQ(room.timed(), 0u);
  drawn = true;
  frame.end();
  pass.join();
  EXPECT_TRUE(timed_after_it);
  EXPECT_EQ(room.timed(), 1u);
}

TEST(quiet_room, a_frame_waits_for_the_pass_and_comes_before_the_next) {
  quiet_room room(for_ever);
  std::vector<int> order;
  quiet_room::turn first = room.to_time();
  std::jthread window([&] {
    const quiet_room::turn turn = room.to_draw();
    order.push_back(1);
  });
  until([&] { return room.frame_waits(); });
  order.push_back(0);
  std::atomic<bool> came{false};
  std::jthread next([&] {
    const quiet_room::turn second = room.to_time();
    came = true;
    order.push_back(2);
  });
  until([&] { return room.pass_waits() || came; });
  EXPECT_FALSE(came) << "a pass that another is timed beside, while a frame waits";
  first.end();
  window.join();
  next.join();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(quiet_room, neither_waits_longer_than_its_patience) {
  quiet_room room(std::chrono::milliseconds{0});
  const quiet_room::turn frame = room.to_draw(), pass = room.to_time(), another = room.to_draw();
  EXPECT_EQ(room.timed(), 1u);
}

TEST(quiet_room, tells_a_frame_that_a_pass_was_timed_since_the_last) {
  quiet_room room(for_ever);
  EXPECT_FALSE(room.was_used());
  {
    const quiet_room::turn pass = room.to_time();
    EXPECT_TRUE(room.was_used());
  }
  EXPECT_TRUE(room.was_used());
  EXPECT_FALSE(room.was_used());
}

TEST(quiet_room, turns_move_and_end_once) {
  quiet_room room(for_ever);
  quiet_room::turn a = room.to_draw();
  quiet_room::turn b = std::move(a);
  a.end();
  quiet_room::turn none;
  none = std::move(b);
  none.end();
  none.end();
  const quiet_room::turn pass = room.to_time();  // would wait for ever for a frame that did not end
  EXPECT_EQ(room.timed(), 1u);
}

TEST(quiet_room, frames_and_passes_of_many_threads_never_overlap) {
  quiet_room room(for_ever);
  std::atomic<int> drawing{0}, timing{0}, overlaps{0};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, draws = t % 2 == 0] {
      for (int i = 0; i < 300; ++i) {
        const quiet_room::turn turn = draws ? room.to_draw() : room.to_time();
        std::atomic<int>&mine = draws ? drawing : timing, &other = draws ? timing : drawing;
        ++mine;
        if (other > 0) ++overlaps;
        std::this_thread::yield();
        --mine;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(overlaps, 0);
  EXPECT_EQ(room.timed(), 600u);
}

TEST(quiet_room, a_job_has_the_room_of_the_whole_that_it_is_a_part_of) {
  quiet_room room;
  const job_control whole({}, &room), part = job_control::part_of(whole), none;
  { const quiet_room::turn turn = timed_pass(part); }
  { const quiet_room::turn turn = timed_pass(none); }
  EXPECT_EQ(room.timed(), 1u);
}

}  // namespace
}  // namespace pivotscope
