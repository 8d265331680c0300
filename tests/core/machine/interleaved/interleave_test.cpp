// The interleaving machine over operations whose faults are known: it finds them, and finds none where there is none.
#include "core/machine/interleaved/interleave.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pivotscope {
namespace {

using ::testing::HasSubstr;

constexpr region_id words{0};

shared_regions zeros(u64 count) { return {std::vector<std::byte>(count * 8)}; }
u64 word_of(const interleaved_end& end, u64 i) {
  u64 word = 0;
  std::memcpy(&word, end.memory[0].data() + i * 8, 8);
  return word;
}
u64 load_word(interleaved_memory& m, u64 i) { return m.load<u64>(words, i); }
void store_word(interleaved_memory& m, u64 i, u64 value) { m.store_part<u64>(words, i, 8, 0, value); }

void add_by_load_and_store(interleaved_memory& m) { store_word(m, 0, load_word(m, 0) + 1); }
void add_by_exchange(interleaved_memory& m) {
  for (u64 seen = load_word(m, 0);;) {
    const u64 was = m.compare_exchange<u64>(words, 0, 8, 0, seen, seen + 1);
    if (was == seen) return;
    seen = was;
  }
}
// A compare-and-swap that is taken for done.
void add_by_one_exchange(interleaved_memory& m) {
  const u64 seen = load_word(m, 0);
  m.compare_exchange<u64>(words, 0, 8, 0, seen, seen + 1);
}
void add_at_once(interleaved_memory& m) { m.fetch_add<u64>(words, 0, 8, 0, 1); }

interleaving_judge counts_to(u64 n) {
  return [n](const interleaved_end& end) {
    return word_of(end, 0) == n ? "" : "it counted to " + std::to_string(word_of(end, 0));
  };
}

TEST(interleave, finds_an_update_that_is_lost_and_its_line_replays_it) {
  const std::vector<interleaved_task> tasks(2, add_by_load_and_store);
  const interleaving_report report = try_two_switches(zeros(1), tasks, counts_to(2));
  ASSERT_TRUE(report.failing);
  EXPECT_EQ(report.words, "it counted to 1");
  const auto again = schedule_from_text(to_text(*report.failing));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *report.failing);
  EXPECT_EQ(counts_to(2)(interleave(zeros(1), tasks, *again)), "it counted to 1");
}

TEST(interleave, finds_nothing_in_what_is_right) {
  for (const auto& add : {add_by_exchange, add_at_once}) {
    for (const u64 tasks : {1u, 2u, 3u}) {
      const std::vector<interleaved_task> all(tasks, add);
      const interleaving_report report = try_two_switches(zeros(1), all, counts_to(tasks));
      EXPECT_FALSE(report.failing) << report.words << ": " << to_text(*report.failing);
      EXPECT_GE(report.schedules, 2 * tasks) << "each may be first, under both orders of stores";
    }
  }
}

TEST(interleave, a_swap_that_is_taken_for_done_is_found) {
  const std::vector<interleaved_task> tasks(2, add_by_one_exchange);
  EXPECT_TRUE(try_two_switches(zeros(1), tasks, counts_to(2)).failing);
  EXPECT_TRUE(try_random(zeros(1), tasks, 100, 1, counts_to(2)).failing);
}

// Key, then flag: who sees the flag must see the key.
interleaved_task publisher(bool with_fence) {
  return [=](interleaved_memory& m) {
    store_word(m, 0, 42);
    if (with_fence) m.fence();
    m.compare_exchange<u64>(words, 1, 8, 0, 0, 1);
  };
}
void reader(interleaved_memory& m) {
  const u64 flag = load_word(m, 1);
  const u64 key = load_word(m, 0);
  store_word(m, 2, flag == 1 && key != 42 ? 1 : 0);
}
std::string no_flag_without_key(const interleaved_end& end) {
  return word_of(end, 2) == 0 ? "" : "the flag was seen before the key";
}

TEST(interleave, a_fence_that_is_left_out_is_found_where_stores_come_late) {
  const std::vector<interleaved_task> without{publisher(false), reader}, with{publisher(true), reader};
  const interleaving_report found = try_two_switches(zeros(3), without, no_flag_without_key);
  ASSERT_TRUE(found.failing);
  EXPECT_EQ(found.failing->stores, store_order::late);
  EXPECT_FALSE(try_two_switches(zeros(3), with, no_flag_without_key).failing);
}

TEST(interleave, two_stores_without_a_fence_may_come_in_either_order) {
  const interleaved_task writes = [](interleaved_memory& m) {
    store_word(m, 0, 42);
    store_word(m, 1, 1);
  };
  const std::vector<interleaved_task> tasks{writes, reader};
  EXPECT_EQ(try_two_switches(zeros(3), tasks, no_flag_without_key).words, "the flag was seen before the key");
}

TEST(interleave, a_task_sees_its_own_stores_and_the_words_of_one_place_keep_their_order) {
  const interleaved_task task = [](interleaved_memory& m) {
    store_word(m, 0, 5);
    m.store_part<u32>(words, 0, 8, 4, 9);
    const u64 both = load_word(m, 0);
    store_word(m, 1, both);
    const u64 was = m.fetch_add<u64>(words, 0, 8, 0, 1);
    store_word(m, 2, was);
  };
  const interleaved_end end = interleave(zeros(3), std::vector{task}, {{}, store_order::late});
  EXPECT_EQ(word_of(end, 0), (9ull << 32) + 6);
  EXPECT_EQ(word_of(end, 1), (9ull << 32) + 5);
  EXPECT_EQ(word_of(end, 2), (9ull << 32) + 5);
}

TEST(interleave, who_waits_gets_what_the_other_brings_and_waiting_for_ever_is_said) {
  const interleaved_task waits = [](interleaved_memory& m) {
    while (load_word(m, 0) == 0) {
    }
  };
  const std::vector<interleaved_task> tasks{waits, add_at_once};
  EXPECT_FALSE(try_two_switches(zeros(1), tasks, counts_to(1)).failing);
  const interleaving_report stuck = try_two_switches(zeros(1), std::vector{waits, waits}, counts_to(0));
  ASSERT_TRUE(stuck.failing);
  EXPECT_THAT(stuck.words, HasSubstr("wait for each other"));
}

TEST(interleave, what_is_wider_than_a_word_comes_in_parts) {
  struct alignas(16) pair {
    u64 a, b;
  };
  const interleaved_task writes = [](interleaved_memory& m) {
    store_word(m, 0, 1);
    store_word(m, 1, 1);
  };
  const interleaved_task reads = [](interleaved_memory& m) {
    const pair seen = m.load<pair>(words, 0);
    store_word(m, 2, seen.a == 0 && seen.b == 1 ? 1 : 0);
  };
  const auto judge = [](const interleaved_end& end) { return word_of(end, 2) == 0 ? "" : std::string("torn"); };
  EXPECT_EQ(try_two_switches(zeros(3), std::vector{writes, reads}, judge).words, "torn");
}

TEST(interleave, random_schedules_are_those_of_their_seed) {
  const auto seen = [](u64 seed) {
    std::vector<u64> ends;
    const std::vector<interleaved_task> tasks(3, add_by_load_and_store);
    const interleaving_report report = try_random(zeros(1), tasks, 50, seed, [&](const interleaved_end& end) {
      ends.push_back(word_of(end, 0));
      return std::string();
    });
    EXPECT_EQ(report.schedules, 50u);
    return ends;
  };
  EXPECT_EQ(seen(1), seen(1));
  EXPECT_NE(seen(1), seen(2));
}

TEST(interleave, nothing_to_do_is_done) {
  EXPECT_TRUE(interleave({}, {}, {}).ended);
  EXPECT_FALSE(try_two_switches({}, {}, counts_to(0)).failing);
  EXPECT_EQ(try_random({}, {}, 10, 1, counts_to(0)).schedules, 0u);
  const interleaved_task idle = [](interleaved_memory&) {};
  EXPECT_TRUE(interleave(zeros(1), std::vector{idle}, {{{0}, {7}}}).ended) << "a turn of a task that is not there";
  const interleaved_task beyond = [](interleaved_memory& m) { store_word(m, 1, 7); };
  const interleaved_end fallen = interleave(zeros(1), std::vector{beyond}, {});
  EXPECT_FALSE(fallen.ended);
  EXPECT_EQ(fallen.fault, "operation 0 accesses byte 8 of region 0, which is not there");
}

TEST(schedule, comes_back_from_its_text) {
  for (const char* line : {"", "0", "0:3 1:2 0", "late", "2:1 late", "1:4294967294"}) {
    const auto read = schedule_from_text(line);
    ASSERT_TRUE(read) << line;
    EXPECT_EQ(to_text(*read), line);
  }
  EXPECT_EQ(to_text(*schedule_from_text("  0:1   1 ")), "0:1 1");
  for (const char* line : {"x", "0:", ":1", "0:x", "0:1:2", "-1", "0 later", "4294967296", "0:4294967295"}) {
    const auto read = schedule_from_text(line);
    ASSERT_FALSE(read) << line;
    EXPECT_THAT(read.error().words, HasSubstr("is no part of a schedule"));
  }
}

}  // namespace
}  // namespace pivotscope
