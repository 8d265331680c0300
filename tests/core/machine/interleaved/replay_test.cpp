// The accesses of a schedule, looked at again: they leave what the run left, and the turns made of them bring them again.
#include "core/machine/interleaved/replay.hpp"

#include <gtest/gtest.h>

#include "core/machine/interleaved/interleave.hpp"
#include "core/workload/generate/seeded_bijection.hpp"

namespace pivotscope {
namespace {

namespace replay {

constexpr region_id words{0};
constexpr u64 count = 4;

shared_regions zeros() { return {std::vector<std::byte>(count * 8)}; }

// So many accesses of every kind, drawn from a seed; what they do follows from what they read.
interleaved_task drawn_task(u64 seed) {
  return [seed](interleaved_memory& m) {
    u64 drawn = 0, seen = 0;
    const auto below = [&](u64 n) { return random_bits(seed, drawn++) % n; };
    for (u64 n = 2 + below(6); n > 0; --n) {
      const u64 i = below(count), what = below(8);
      if (what == 0) seen += m.load<u64>(words, i);
      if (what == 1) m.store_part<u64>(words, i, 8, 0, seen + n);
      if (what == 2) m.store_part<u32>(words, i, 8, 4, static_cast<u32>(seed));
      if (what == 3) seen += m.compare_exchange<u64>(words, i, 8, 0, seen, seen + 1);
      if (what == 4) seen += m.fetch_add<u64>(words, i, 8, 0, 3);
      if (what == 5) m.fence();
      if (what == 6) seen += m.exchange<u32>(words, i, 8, 0, static_cast<u32>(seen + n));
      if (what == 7) seen += m.fetch_or<u64>(words, i, 8, 0, u64{1} << (seen + n) % 64);
    }
  };
}

schedule drawn_schedule(u64 seed, u64 tasks) {
  schedule s{{}, random_bits(seed, 0) % 2 == 0 ? store_order::at_once : store_order::late};
  for (u64 i = 1; i < 9; ++i)
    s.turns.push_back(
        {static_cast<u32>(random_bits(seed, 2 * i) % tasks), 1 + static_cast<u32>(random_bits(seed, 2 * i + 1) % 4)});
  return s;
}

}  // namespace replay

TEST(replay, leaves_what_the_run_left_and_shows_each_task_what_it_saw) {
  u64 late = 0;
  for (u64 seed = 0; seed < 3000; ++seed) {
    const std::vector<interleaved_task> tasks = {replay::drawn_task(3 * seed), replay::drawn_task(3 * seed + 1),
                                                 replay::drawn_task(3 * seed + 2)};
    std::vector<shared_access> accesses;
    const interleaved_end end = interleave(replay::zeros(), tasks, replay::drawn_schedule(seed, 3), &accesses);
    ASSERT_TRUE(end.ended);
    replayed_memory memory(replay::zeros());
    for (const shared_access& a : accesses) {
      late += a.late;
      const bool word = a.what != shared_access::kind::fence;
      // An arrival tells the word that others saw before it.
      const bool arrives = a.what == shared_access::kind::arrival;
      const auto seen = [&](bool by_all) {
        return by_all ? memory.word(a.region, a.byte, a.bytes) : memory.word_of(a.task, a.region, a.byte, a.bytes);
      };
      ASSERT_TRUE(!word || seen(arrives) == a.before) << seed;
      memory.apply(a);
      ASSERT_TRUE(!word || seen(false) == a.after) << seed;
      ASSERT_TRUE(!word || a.late || a.what == shared_access::kind::load || seen(true) == a.after) << seed;
      ASSERT_TRUE(word || memory.unseen(a.task).empty()) << seed;
    }
    ASSERT_EQ(memory.shared(), end.memory) << seed;
    for (u32 task = 0; task < 3; ++task) ASSERT_TRUE(memory.unseen(task).empty());
  }
  EXPECT_GT(late, 1000u);
}

TEST(replay, turns_made_of_accesses_bring_them_again) {
  for (u64 seed = 0; seed < 1000; ++seed) {
    const std::vector<interleaved_task> tasks = {replay::drawn_task(2 * seed), replay::drawn_task(2 * seed + 1)};
    const schedule first = replay::drawn_schedule(seed, 2);
    std::vector<shared_access> accesses, again;
    interleave(replay::zeros(), tasks, first, &accesses);
    const schedule whole = schedule_of(accesses, first.stores);
    interleave(replay::zeros(), tasks, whole, &again);
    ASSERT_EQ(again, accesses) << to_text(first) << " and " << to_text(whole);
    for (std::size_t part = 0; part <= accesses.size(); ++part) {
      const schedule some = schedule_of(std::span(accesses).first(part), first.stores);
      again.clear();
      interleave(replay::zeros(), tasks, some, &again);
      ASSERT_GE(again.size(), part);
      ASSERT_TRUE(std::equal(accesses.begin(), accesses.begin() + static_cast<std::ptrdiff_t>(part), again.begin()));
    }
  }
}

// A turn ends after so many accesses: who waits has several one after the other.
TEST(replay, a_long_turn_is_several) {
  const interleaved_task waits = [](interleaved_memory& m) {
    while (m.load<u64>(replay::words, 0) == 0) {
    }
  };
  const std::vector<interleaved_task> tasks = {waits};
  std::vector<shared_access> accesses, again;
  EXPECT_FALSE(interleave(replay::zeros(), tasks, {}, &accesses).ended);
  const schedule s = schedule_of(std::span(accesses).first(longest_wait + 7), store_order::at_once);
  EXPECT_EQ(s.turns, (std::vector<turn>{{0, longest_wait}, {0, 7}}));
}

}  // namespace
}  // namespace pivotscope
