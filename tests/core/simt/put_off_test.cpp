// What a GPU's thread puts off, played by one thread alone on the host: whichever of its lookups go on beyond the others,
// each answer ends in its place, and nothing that is stored in between hides it.
#include <gtest/gtest.h>

#include <vector>

#include "core/simt/wave.hpp"

namespace pivotscope {
namespace {

// A group of one thread, which is the whole warp.
struct lone_thread {
  static constexpr bool are_threads = true;
  static constexpr u32 group = 1;

  static u32 lane() { return 0; }
  template <class T>
  static T from(u32, const T& own) {
    return own;
  }
  static bool all_done(bool done) { return done; }
  template <class Key, class Kept, class More>
  static void share_out(bool wanted, Key key, Kept& kept, More&& more) {
    while (wanted) wanted = more(key, kept, true);
  }
};
struct no_memory {};

constexpr u32 goes_on = not_found, base = 1000;

// Serves a tile as cuda_block does: `flight` lookups of the thread at a time, rows stored after each wave. A lookup whose bit
// is set takes `steps` more steps than the others. Returns the answers; `rounds`: how often the warp went on.
template <u32 Flight>
std::vector<u32> serve(u32 per_thread, u32 size, u32 set, u32 steps, u32& rounds) {
  std::vector<u32> answers(size, 77);
  lone_thread lanes;
  no_memory memory;
  put_off<u32> later(answers.data(), size);
  rounds = 0;
  for (u32 i = 0; i < per_thread; i += Flight) {
    u32 keys[Flight], places[Flight];
    for (u32 r = 0; r < Flight; ++r) keys[r] = places[r] = i + r;
    wave<lone_thread, no_memory, u32, Flight, true> lookups(lanes, memory, keys, places, later, i + Flight >= per_thread);
    auto rows = lookups.of_owners([&](u32, u32 key) { return (set >> key & 1) != 0 ? goes_on : base + key; });
    const u32 wanted = lookups.those([&](u32 at, u32) { return rows[at] == goes_on; });
    struct kept {
      u32 start, left, row;
    };
    lookups.again(
        rows, wanted, [&](u32 at) { return keys[at] * 3; },
        [&](u32 key, u32 start) {
          ++rounds;
          EXPECT_EQ(start, key * 3) << "what was kept of it is its own";
          return kept{start, steps, not_found};
        },
        [](u32 key, kept& now, bool live) {
          EXPECT_TRUE(live);
          if (--now.left == 0) now.row = base + key;
          return now.left != 0;
        },
        [](const kept& now) { return now.row; });
    for (u32 r = 0; r < Flight; ++r)
      if (places[r] < size) answers[places[r]] = rows[r];
  }
  EXPECT_FALSE(later.waits());
  return answers;
}

template <u32 Flight>
void expect_all_answers() {
  constexpr u32 per_thread = 8;
  for (const u32 size : {8u, 7u, 5u, 1u}) {
    for (u32 set = 0; set < 1u << per_thread; ++set) {
      u32 rounds = 0;
      const auto answers = serve<Flight>(per_thread, size, set, 1 + set % 3, rounds);
      for (u32 i = 0; i < size; ++i) ASSERT_EQ(answers[i], base + i) << "flight " << Flight << ", set " << set;
      ASSERT_EQ(rounds, static_cast<u32>(__builtin_popcount(set))) << "each goes on once";
    }
  }
}

TEST(PutOff, EveryLookupIsAnsweredWhicheverGoOn) {
  expect_all_answers<1>();
  expect_all_answers<2>();
  expect_all_answers<4>();
  expect_all_answers<8>();
}

}  // namespace
}  // namespace pivotscope
