// Gathers: what shape a question takes, that sums are right and a wrong one is seen, on the cpu machine.
#include <gtest/gtest.h>

#include <set>

#include "core/machine/gather.hpp"
#include "core/machine/gather_code.hpp"

namespace pivotscope {
namespace {

constexpr u64 array_bytes = 64 * 1024;

// One of each kind: by a thread, by some of a group, by all of a large one, at any word, one after another.
std::vector<gather_question> questions() {
  return {{.bytes = array_bytes, .requests = 10'000},
          {.bytes = array_bytes, .lanes = 2, .loading = 2, .align_bytes = 32, .requests = 10'000},
          {.bytes = array_bytes, .lanes = 8, .loading = 6, .align_bytes = 128, .requests = 10'000},
          {.bytes = array_bytes,
           .entry_bytes = 4,
           .lanes = 1024,
           .loading = 1024,
           .align_bytes = 4,
           .threads = 4096,
           .requests = 64},
          {.bytes = 4096, .entry_bytes = 4, .lanes = 1024, .loading = 1024, .align_bytes = 4, .requests = 64},
          {.bytes = array_bytes, .align_bytes = 128, .threads = 32, .requests = 4096, .dependent = true},
          {.bytes = array_bytes, .copy = true}};
}

TEST(gather, has_as_many_requests_as_are_wanted_or_some_more) {
  for (const gather_question& asked : questions()) {
    if (asked.copy) continue;
    const gather_shape shape = shape_of(asked, 2048);
    EXPECT_EQ(shape.threads, asked.threads == 0 ? 2048 : asked.threads);
    EXPECT_EQ(shape.groups * asked.lanes, shape.threads);
    EXPECT_EQ(shape.steps % gather_unroll, 0u) << "a kernel has that many loads under way";
    EXPECT_GE(u64{shape.groups} * shape.steps, asked.requests);
    EXPECT_LT(u64{shape.groups} * (shape.steps - gather_unroll), std::max<u64>(asked.requests, 1));
    // The last place is the last that is whole.
    EXPECT_LE(u64{shape.places - 1} * asked.align_bytes + asked.request_bytes(), asked.bytes);
    EXPECT_GT(u64{shape.places} * asked.align_bytes + asked.request_bytes(), asked.bytes);
  }
  // All that there is room for is one place.
  EXPECT_EQ(shape_of(questions()[4], 2048).places, 1u);
}

TEST(gather, places_are_all_of_them_and_about_as_often) {
  constexpr u32 places = 64, steps = 256, groups = 64;
  std::vector<u32> times(places);
  std::set<u32> of_one;
  for (u32 group = 0; group < groups; ++group)
    for (u32 step = 0; step < steps; ++step) {
      const u32 place = gather_place(gather_number(5, group, step, steps), places);
      ASSERT_LT(place, places);
      ++times[place];
      if (group == 7) of_one.insert(place);
    }
  for (const u32 n : times) EXPECT_NEAR(n, groups * steps / places, 80);  // five times the standard deviation
  EXPECT_GT(of_one.size(), places / 2);
}

TEST(gather, on_the_cpu_sums_what_is_there) {
  const auto cpu = detail::open_cpu();
  const std::vector<gather_question> asked = questions();
  const auto told = cpu->gather(asked, {.repeats = 3, .warm_ups = 1}, {});
  ASSERT_TRUE(told) << told.error().words;
  ASSERT_EQ(told->size(), asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    EXPECT_EQ((*told)[i].time.samples_ms.size(), 3u);
    EXPECT_EQ((*told)[i].time.name, asked[i].copy ? "copy" : "gather");
    EXPECT_EQ((*told)[i].requests == 0, asked[i].copy);
  }
}

// One that a run before left is not right for the next.
TEST(gather, runs_draw_other_places) {
  EXPECT_NE(salt_of_run(1), salt_of_run(2));
  u32 same = 0;
  for (u32 step = 0; step < 1000; ++step)
    same += gather_place(gather_number(salt_of_run(1), 0, step, 1000), 1 << 16) ==
            gather_place(gather_number(salt_of_run(2), 0, step, 1000), 1 << 16);
  EXPECT_LT(same, 10u);
}

TEST(gather, a_wrong_sum_is_seen_and_so_is_a_thread_that_stopped) {
  for (const gather_question& asked : questions()) {
    if (asked.copy) continue;
    const gather_shape shape = shape_of(asked, 2048);
    std::vector<u64> said(shape.threads);
    EXPECT_FALSE(check_gather(asked, shape, said)) << "nobody said anything";
    for (u64& one : said) one = u64{shape.steps} << 32;
    const status silent = check_gather(asked, shape, said);
    ASSERT_FALSE(silent);
    EXPECT_TRUE(silent.error().wrong);
    EXPECT_NE(silent.error().words.find("thread 0 summed to 0, and not to "), std::string::npos)
        << silent.error().words;
    said[1] = u64{shape.steps - 1} << 32;
    EXPECT_NE(check_gather(asked, shape, said).error().words.find("thread 1 made "), std::string::npos);
    said.pop_back();
    EXPECT_FALSE(check_gather(asked, shape, said));
  }
}

TEST(gather, a_copy_is_looked_at) {
  EXPECT_TRUE(check_copy(std::vector<u32>{gather_word(7), gather_word(0)}, std::vector<u32>{7, 0}));
  const status wrong = check_copy(std::vector<u32>{gather_word(7), 0}, std::vector<u32>{7, 9});
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(wrong.error().wrong);
  EXPECT_TRUE(wrong.error().words.starts_with("copying: word 9 came as 0, ")) << wrong.error().words;
}

TEST(gather, what_has_no_room_is_left_out) {
  const std::vector<gather_question> asked = {{.bytes = 1 << 20}, {.bytes = 1 << 20, .copy = true}, {.bytes = 4 << 20}};
  EXPECT_EQ(room_of(asked, 8 << 20).array, 4u << 20);
  EXPECT_EQ(room_of(asked, 8 << 20).copy, 1u << 20);
  EXPECT_EQ(room_of(asked, 2 << 20).array, 1u << 20);
  EXPECT_EQ(room_of(asked, (2 << 20) - 1).copy, 0u) << "a copy is there twice";
  EXPECT_EQ(room_of(asked, 1000).array, 0u);
}

TEST(gather, can_be_cancelled_and_says_what_it_does) {
  const auto cpu = detail::open_cpu();
  std::vector<std::string> stages;
  job_control control([&](std::string_view stage, double) {
    stages.emplace_back(stage);
    if (stage.starts_with("32 B")) control.cancel();
  });
  const std::vector<gather_question> asked = questions();
  const auto told = cpu->gather(asked, {.repeats = 2}, control);
  ASSERT_FALSE(told);
  EXPECT_TRUE(told.error().cancelled);
  EXPECT_EQ(stages.back(), "32 B of 64 KiB");
  EXPECT_EQ(gather_words({.bytes = 1 << 20, .copy = true}), "a copy of 1 MiB");
  EXPECT_EQ(gather_words({.bytes = 1 << 20, .dependent = true}), "16 B, one after another, of 1 MiB");
}

}  // namespace
}  // namespace pivotscope
