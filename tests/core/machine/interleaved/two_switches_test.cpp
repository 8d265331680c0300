// Fewer schedules than all with two switches, and the same ends; and tasks that wait, or never end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/machine/interleaved/interleave.hpp"
#include "core/machine/interleaved/waiting_loop.hpp"
#include "core/workload/generate/seeded_bijection.hpp"
#include "tests/support/all_switches.hpp"

namespace pivotscope {
namespace {

using ::testing::HasSubstr;

namespace two {

constexpr region_id words{0};
constexpr u64 count = 3;

shared_regions zeros() { return {std::vector<std::byte>(count * 8)}; }
u64 load(interleaved_memory& m, u64 i) { return m.load<u64>(words, i); }
void store(interleaved_memory& m, u64 i, u64 value) { m.store_part<u64>(words, i, 8, 0, value); }
void store_half(interleaved_memory& m, u64 i, u32 half, u32 value) { m.store_part<u32>(words, i, 8, 4 * half, value); }
void add(interleaved_memory& m, u64 i) { m.fetch_add<u64>(words, i, 8, 0, 1); }

// Accesses of every kind, of words and halves of words, drawn from a seed. What they do, and the answer, follow from
// what was read. Each task has a word that it likes.
interleaved_task drawn(u64 seed, u64& answer) {
  return [seed, &answer](interleaved_memory& m) {
    u64 drawn = 0, seen = seed % 5;
    const auto below = [&](u64 n) { return random_bits(seed, drawn++) % n; };
    for (u64 n = 2 + below(5); n > 0; --n) {
      const u64 i = below(3) == 0 ? below(count) : seed % count, what = below(7);
      if (what == 0) seen = 3 * seen + load(m, i);
      if (what == 1) seen = 3 * seen + m.load_part<u32>(words, i, 8, 4);
      if (what == 2) store(m, i, seen + n);
      if (what == 3) store_half(m, i, static_cast<u32>(below(2)), static_cast<u32>(seen + n));
      if (what == 4) seen = 3 * seen + m.compare_exchange<u64>(words, i, 8, 0, 0, seen + 1);
      if (what == 5) seen = 3 * seen + m.fetch_add<u32>(words, i, 8, 0, 3);
      if (what == 6) m.fence();
    }
    answer = seen;
  };
}

std::string print(const interleaved_end& end, std::span<const u64> answers) {
  EXPECT_TRUE(end.ended) << end.fault;
  std::string text(reinterpret_cast<const char*>(end.memory[0].data()), end.memory[0].size());
  for (const u64 a : answers) text += " " + std::to_string(a);
  for (const u64 a : end.accesses) text += " " + std::to_string(a);
  return text;
}

// Schedules of the tasks that are tried.
u64 schedules_of(const std::vector<interleaved_task>& tasks) {
  const interleaving_report report =
      try_two_switches(zeros(), tasks, [](const interleaved_end&) { return std::string(); });
  EXPECT_FALSE(report.failing) << report.words;
  return report.schedules;
}

}  // namespace two

TEST(two_switches, leave_what_all_places_to_switch_leave) {
  for (const u64 size : {2u, 3u}) {
    u64 all = 0, tried = 0, several = 0;
    for (u64 seed = 0; seed < (size == 2 ? 600 : 150); ++seed) {
      std::vector<u64> answers(size);
      std::vector<interleaved_task> tasks;
      for (u64 i = 0; i < size; ++i) tasks.push_back(two::drawn(size * seed + i, answers[i]));
      const auto print = [&](const interleaved_end& end) { return two::print(end, answers); };
      const testing::all_ends right = testing::ends_of_all_switches(two::zeros(), tasks, print);
      const testing::all_ends ends = testing::ends_of_two_switches(two::zeros(), tasks, print);
      ASSERT_EQ(ends.ends, right.ends) << size << " tasks, seed " << seed;
      all += right.schedules, tried += ends.schedules, several += right.ends.size() > 4;
    }
    EXPECT_LT(2 * tried, all) << size << " tasks";
    EXPECT_GT(several, 50u);
    RecordProperty("schedules", std::to_string(tried));
  }
}

TEST(two_switches, are_tried_at_each_shared_access_once) {
  const interleaved_task three_adds = [](interleaved_memory& m) {
    for (u32 i = 0; i < 3; ++i) two::add(m, 0);
  };
  // Of the first, before a switch, 1 or 2 accesses, of the second 1 to 3; or no switch.
  EXPECT_EQ(two::schedules_of({three_adds, three_adds}), 2u * 2 * (1 + 2 * 3));
}

TEST(two_switches, are_not_tried_where_nothing_is_shared) {
  const auto on = [](u64 i) {
    return interleaved_task([i](interleaved_memory& m) {
      two::store(m, i, two::load(m, i) + 1);
      m.fence();
      two::add(m, i);
    });
  };
  EXPECT_EQ(two::schedules_of({on(0), on(1)}), 2u * 2) << "one after the other, under both orders of stores";
  const interleaved_task reads = [](interleaved_memory& m) {
    for (u64 i = 0; i < two::count; ++i) two::load(m, i);
  };
  EXPECT_EQ(two::schedules_of({reads, reads}), 2u * 2) << "readers do not meet";
  const interleaved_task low = [](interleaved_memory& m) { two::store_half(m, 0, 0, 7), two::store_half(m, 0, 0, 8); };
  const interleaved_task high = [](interleaved_memory& m) { two::store_half(m, 0, 1, 7), two::store_half(m, 0, 1, 8); };
  EXPECT_EQ(two::schedules_of({low, high}), 2u * 2) << "neither do the halves of a word";
}

// The word that both touch is touched only after a switch that is tried because of another word.
TEST(two_switches, go_on_from_what_a_schedule_touches_for_the_first_time) {
  const interleaved_task opens = [](interleaved_memory& m) {
    two::store(m, 0, 1);
    two::store(m, 1, 1);
    two::store(m, 1, 0);
    two::store(m, 0, 0);
  };
  const interleaved_task looks = [](interleaved_memory& m) {
    if (two::load(m, 0) == 1 && two::load(m, 1) == 1) two::store(m, 2, 1);
  };
  const interleaving_report report =
      try_two_switches(two::zeros(), std::vector{opens, looks}, [](const interleaved_end& end) {
        return end.memory[0][16] == std::byte{0} ? "" : std::string("it looked in between");
      });
  EXPECT_EQ(report.words, "it looked in between");
}

// A late store is shared where others see it first: the fence is what a switch must come before.
TEST(two_switches, come_before_what_shows_a_late_store) {
  u64 read[2] = {};
  const auto stores_and_loads = [&](u64 task) {
    return interleaved_task([&read, task](interleaved_memory& m) {
      two::store(m, task, 1);
      read[task] = two::load(m, 1 - task);
      m.fence();
    });
  };
  const auto judge = [&](const interleaved_end&) {
    return read[0] == 0 && read[1] == 0 ? "neither saw the other's store" : std::string();
  };
  const std::vector<interleaved_task> tasks{stores_and_loads(0), stores_and_loads(1)};
  const interleaving_report report = try_two_switches(two::zeros(), tasks, judge);
  ASSERT_TRUE(report.failing);
  EXPECT_EQ(to_text(*report.failing), "0:1 1:2 0 late");
}

// --- Tasks that wait ---

// The writer of a sequence lock, and a reader; without its second look it may see half of a write.
interleaved_task sequenced_writer() {
  return [](interleaved_memory& m) {
    two::store_half(m, 0, 0, 1);
    m.fence();
    two::store(m, 1, 7);
    two::store(m, 2, 7);
    m.fence();
    two::store_half(m, 0, 0, 2);
  };
}
interleaved_task sequenced_reader(bool looks_twice, bool& torn) {
  return [looks_twice, &torn](interleaved_memory& m) {
    for (;;) {
      const u64 before = two::load(m, 0);
      if (before % 2 == 1) continue;
      const u64 a = two::load(m, 1), b = two::load(m, 2);
      torn = a != b;
      if (!looks_twice || two::load(m, 0) == before) return;
    }
  };
}

TEST(two_switches, read_a_word_twice_where_that_is_meant) {
  bool torn = false;
  const auto judge = [&](const interleaved_end&) { return torn ? "torn" : std::string(); };
  const std::vector<interleaved_task> right{sequenced_writer(), sequenced_reader(true, torn)};
  const interleaving_report none = try_two_switches(two::zeros(), right, judge);
  EXPECT_FALSE(none.failing) << to_text(*none.failing);
  EXPECT_LT(none.schedules, 150u);
  const std::vector<interleaved_task> wrong{sequenced_writer(), sequenced_reader(false, torn)};
  EXPECT_EQ(try_two_switches(two::zeros(), wrong, judge).words, "torn");

  bool differed = false;
  const interleaved_task looks_twice = [&](interleaved_memory& m) { differed = two::load(m, 0) != two::load(m, 0); };
  const interleaved_task adds = [](interleaved_memory& m) { two::add(m, 0); };
  const auto alike = [&](const interleaved_end&) { return differed ? "it differed" : std::string(); };
  EXPECT_EQ(try_two_switches(two::zeros(), std::vector{looks_twice, adds}, alike).words, "it differed");
}

// In a loop of two loads there are two places to switch, however often it goes round.
TEST(two_switches, of_a_task_that_waits_come_within_its_first_round) {
  for (const bool prepares : {false, true}) {
    std::vector<u64> answers(2);
    const interleaved_task waits = [&](interleaved_memory& m) {
      if (prepares) two::add(m, 2);
      u64 a = 0, b = 0;
      while (a == 0 && b == 0) a = two::load(m, 0), b = two::load(m, 1);
      answers[0] = 10 * a + b;
    };
    const interleaved_task brings = [&](interleaved_memory& m) {
      answers[1] = two::load(m, 2);
      for (u64 i = 0; i < 3; ++i) two::add(m, 1), two::add(m, 0);
    };
    const auto print = [&](const interleaved_end& end) {
      EXPECT_TRUE(end.ended) << end.fault;
      return std::to_string(answers[0]) + " " + std::to_string(answers[1]);
    };
    const std::vector<interleaved_task> tasks{waits, brings};
    const testing::all_ends right = testing::ends_of_all_switches(two::zeros(), tasks, print, 20);
    const testing::all_ends ends = testing::ends_of_two_switches(two::zeros(), tasks, print);
    EXPECT_EQ(ends.ends, right.ends);
    EXPECT_GT(ends.ends.size(), 4u);
    EXPECT_LT(ends.schedules, 150u);
  }
}

// Otherwise the place where it is left would depend on where its turn began: a third switch.
TEST(two_switches, leave_a_task_that_waits_at_the_begin_of_its_loop) {
  const interleaved_task waits = [](interleaved_memory& m) {
    while (two::load(m, 0) == 0) two::load(m, 1), two::load(m, 2);
  };
  const interleaved_task brings = [](interleaved_memory& m) { two::add(m, 0); };
  std::vector<shared_access> seen;
  EXPECT_TRUE(interleave(two::zeros(), std::vector{waits, brings}, {}, &seen).ended);
  const auto other = std::ranges::find(seen, 1u, &shared_access::task);
  EXPECT_EQ(other - seen.begin(), 3 * ceil_div(longest_wait, 3u));
}

TEST(two_switches, call_a_task_without_an_end_by_its_name) {
  const interleaved_task counts_for_ever = [](interleaved_memory& m) {
    for (;;) two::add(m, 0);
  };
  const interleaved_task once = [](interleaved_memory& m) { two::add(m, 0); };
  const auto fine = [](const interleaved_end&) { return std::string(); };
  const std::vector<interleaved_task> tasks{once, counts_for_ever};
  const interleaving_report report = try_two_switches(two::zeros(), tasks, fine);
  ASSERT_TRUE(report.failing);
  EXPECT_EQ(report.words, "operation 1 has not come to its end after 16000 accesses, and they do not repeat");
  EXPECT_EQ(interleave(two::zeros(), tasks, *report.failing).fault, report.words) << to_text(*report.failing);
}

// More accesses than a task that waits is looked at after.
TEST(two_switches, of_a_long_task_are_tried_to_its_end) {
  constexpr u64 many = 2 * longest_wait;
  const interleaved_task long_one = [](interleaved_memory& m) {
    for (u64 i = 1; i < many; ++i) two::load(m, i);
    two::store(m, 0, 5);
    two::store(m, 0, 0);
  };
  u64 seen = 0;
  const interleaved_task looks = [&](interleaved_memory& m) { seen = two::load(m, 0); };
  const auto judge = [&](const interleaved_end&) { return seen == 5 ? "it looked in between" : std::string(); };
  const shared_regions memory{std::vector<std::byte>(many * 8)};
  EXPECT_EQ(try_two_switches(memory, std::vector{long_one, looks}, judge).words, "it looked in between");
}

TEST(waiting_loops, are_what_repeats_to_the_end) {
  const auto load = [](u64 byte, u64 word) {
    return shared_access{shared_access::kind::load, 0, two::words, byte, 8, word, word};
  };
  std::vector<shared_access> turn{load(0, 1), load(8, 2), load(16, 3)};
  for (u64 i = 0; i < 50; ++i) turn.push_back(load(8, 2)), turn.push_back(load(16, 3)), turn.push_back(load(8, 4));
  EXPECT_FALSE(loop_at_end(std::span(turn).first(3)));
  const auto loop = loop_at_end(turn);
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->first, 3u);
  EXPECT_EQ(loop->accesses, 3u);
  turn.push_back(load(8, 5));
  EXPECT_FALSE(loop_at_end(turn)) << "another word was read";
  EXPECT_FALSE(loop_at_end({}));
}

}  // namespace
}  // namespace pivotscope
