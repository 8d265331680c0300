// Who draws and who times take turns. What waits is seen to wait, not waited for by a clock.
#include "core/common/timing_turns.hpp"

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

TEST(timing_turns, a_pass_waits_for_the_frame_that_is_drawn) {
  timing_turns room(for_ever);
  std::atomic<bool> drawn{false}, timed_after_it{false};
  timing_turns::turn frame = room.to_draw();
  std::jthread pass([&] {
    const timing_turns::turn turn = room.to_time();
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

TEST(timing_turns, a_frame_waits_for_the_pass_and_comes_before_the_next) {
  timing_turns room(for_ever);
  std::vector<int> order;
  timing_turns::turn first = room.to_time();
  std::jthread window([&] {
    const timing_turns::turn turn = room.to_draw();
    order.push_back(1);
  });
  until([&] { return room.frame_waits(); });
  order.push_back(0);
  std::atomic<bool> came{false};
  std::jthread next([&] {
    const timing_turns::turn second = room.to_time();
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

TEST(timing_turns, neither_waits_longer_than_its_patience) {
  timing_turns room(std::chrono::milliseconds{0});
  const timing_turns::turn frame = room.to_draw(), pass = room.to_time(), another = room.to_draw();
  EXPECT_EQ(room.timed(), 1u);
}

TEST(timing_turns, tells_a_frame_that_a_pass_was_timed_since_the_last) {
  timing_turns room(for_ever);
  EXPECT_FALSE(room.was_used());
  {
    const timing_turns::turn pass = room.to_time();
    EXPECT_TRUE(room.was_used());
  }
  EXPECT_TRUE(room.was_used());
  EXPECT_FALSE(room.was_used());
}

TEST(timing_turns, turns_move_and_end_once) {
  timing_turns room(for_ever);
  timing_turns::turn a = room.to_draw();
  timing_turns::turn b = std::move(a);
  a.end();
  timing_turns::turn none;
  none = std::move(b);
  none.end();
  none.end();
  const timing_turns::turn pass = room.to_time();  // would wait for ever for a frame that did not end
  EXPECT_EQ(room.timed(), 1u);
}

TEST(timing_turns, frames_and_passes_of_many_threads_never_overlap) {
  timing_turns room(for_ever);
  std::atomic<int> drawing{0}, timing{0}, overlaps{0};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, draws = t % 2 == 0] {
      for (int i = 0; i < 300; ++i) {
        const timing_turns::turn turn = draws ? room.to_draw() : room.to_time();
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

TEST(timing_turns, a_job_has_the_room_of_the_whole_that_it_is_a_part_of) {
  timing_turns room;
  const job_control whole({}, &room), part = job_control::part_of(whole), none;
  { const timing_turns::turn turn = timed_pass(part); }
  { const timing_turns::turn turn = timed_pass(none); }
  EXPECT_EQ(room.timed(), 1u);
}

}  // namespace
}  // namespace pivotscope
