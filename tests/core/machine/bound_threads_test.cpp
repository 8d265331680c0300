#include "core/machine/cpu/bound_threads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/machine/machine.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

using testing::config_of;
using ::testing::IsSubsetOf;

using processors = std::set<int>;

// What the calling thread may use.
processors mask() {
  cpu_set_t set;
  processors found;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return found;
  for (int p = 0; p < CPU_SETSIZE; ++p)
    if (CPU_ISSET(p, &set)) found.insert(p);
  return found;
}

bool bind_to(const processors& these) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int p : these) CPU_SET(p, &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

// Where the system tells no mask or lets nobody bind (a container), there is nothing to see.
bool can_bind() {
  const processors before = mask();
  return !before.empty() && bind_to({*before.begin()}) && bind_to(before);
}

// The masks that the threads of a loop have.
class masks_seen {
 public:
  void look() {
    {
      const std::lock_guard lock(mutex_);
      masks_.insert(mask());
      most_at_once_ = std::max(most_at_once_, ++at_once_);
    }
    std::this_thread::yield();
    const std::lock_guard lock(mutex_);
    --at_once_;
  }
  void expect_one_processor_each_of(const processors& all) const {
    EXPECT_FALSE(masks_.empty());
    for (const processors& one : masks_) {
      EXPECT_EQ(one.size(), 1u);
      EXPECT_THAT(one, IsSubsetOf(all));
    }
  }
  const std::set<processors>& masks() const { return masks_; }
  // How many threads looked at once, at most. There may be more masks: one thread leaves, and another comes.
  u32 most_at_once() const { return most_at_once_; }

 private:
  std::mutex mutex_;
  std::set<processors> masks_;
  u32 at_once_ = 0, most_at_once_ = 0;
};

constexpr u64 many = bound_threads::worth_binding;

TEST(bound_threads, each_has_one_processor_while_it_works) {
  if (!can_bind()) GTEST_SKIP() << "no thread can be bound here";
  const processors before = mask();
  bound_threads threads;
  for (int run = 0; run < 3; ++run) {
    masks_seen seen;
    threads.run(many, [&] { parallel_each(1000, [&](u64) { seen.look(); }); });
    seen.expect_one_processor_each_of(before);
    EXPECT_EQ(mask(), before);
    EXPECT_GE(threads.most_bound(), seen.most_at_once());
    EXPECT_LE(threads.most_bound(), before.size());
  }
}

TEST(bound_threads, leave_a_small_run_alone) {
  const processors before = mask();
  bound_threads threads;
  const auto caller = std::this_thread::get_id();
  threads.run(many - 1, [&] {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(mask(), before);
  });
  EXPECT_EQ(threads.most_bound(), 0u);
}

TEST(bound_threads, stay_within_a_smaller_mask) {
  if (!can_bind()) GTEST_SKIP() << "no thread can be bound here";
  const processors before = mask(), last{*before.rbegin()};
  ASSERT_TRUE(bind_to(last));
  {
    bound_threads threads;
    masks_seen seen;
    EXPECT_EQ(threads.run(many, [] { return tbb::this_task_arena::max_concurrency(); }), 1);
    threads.run(many, [&] { parallel_each(1000, [&](u64) { seen.look(); }); });
    seen.expect_one_processor_each_of(last);
    EXPECT_EQ(mask(), last);
  }
  ASSERT_TRUE(bind_to(before));
}

TEST(bound_threads, have_their_own_masks_back_afterwards) {
  const processors before = mask();
  {
    bound_threads threads;
    threads.run(many, [&] { parallel_each(1000, [&](u64) { EXPECT_FALSE(mask().empty()); }); });
  }
  masks_seen seen;
  parallel_each(1000, [&](u64) { seen.look(); });
  EXPECT_EQ(seen.masks(), std::set<processors>{before});
}

// The caller's mask, not that of its machine's maker.
TEST(bound_threads, give_a_caller_its_own_mask_back) {
  if (!can_bind()) GTEST_SKIP() << "no thread can be bound here";
  const processors before = mask(), first{*before.begin()};
  bound_threads threads;
  std::thread([&] {
    ASSERT_TRUE(bind_to(first));
    threads.run(many, [] {});
    EXPECT_EQ(mask(), first);
  }).join();
  EXPECT_EQ(mask(), before);
}

TEST(bound_threads, stay_where_they_are_in_a_run_within_a_run) {
  if (!can_bind()) GTEST_SKIP() << "no thread can be bound here";
  const processors before = mask();
  bound_threads outer, inner;
  outer.run(many, [&] {
    const processors here = mask();
    EXPECT_EQ(here.size(), 1u);
    EXPECT_EQ(inner.run(many, [] { return mask(); }), here);
    EXPECT_EQ(outer.run(many, [] { return mask(); }), here);
    EXPECT_EQ(mask(), here);
  });
  EXPECT_EQ(mask(), before);
}

TEST(bound_threads, hand_on_what_comes_back_and_what_is_thrown) {
  const processors before = mask();
  bound_threads threads;
  EXPECT_EQ(threads.run(many, [] { return std::string("42"); }), "42");
  EXPECT_THROW(threads.run(many, []() -> int { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_EQ(mask(), before);
}

// More callers than an arena has threads: each gets its own answer, and its mask.
TEST(bound_threads, serve_several_callers_at_once) {
  const processors before = mask();
  bound_threads threads;
  std::vector<u64> sums(16);
  {
    std::vector<std::jthread> callers;
    for (u64 c = 0; c < sums.size(); ++c) {
      callers.emplace_back([&, c] {
        sums[c] = threads.run(many + c, [&] {
          std::atomic<u64> sum{0};
          parallel_each(100, [&](u64 i) { sum += i * c; });
          return sum.load();
        });
        EXPECT_EQ(mask(), before);
      });
    }
  }
  for (u64 c = 0; c < sums.size(); ++c) EXPECT_EQ(sums[c], 4950 * c);
}

// Progress is told by the threads that work.
TEST(bound_threads, are_those_of_the_cpu_machine) {
  if (!can_bind()) GTEST_SKIP() << "no thread can be bound here";
  const processors before = mask();
  std::vector<u32> keys(many);
  for (u32 i = 0; i < keys.size(); ++i) keys[i] = 3 * i;
  const auto cpu = detail::open_cpu();
  masks_seen sorting, building, looking_up;
  masks_seen* seen = &sorting;
  const job_control watched([&](const auto&...) { seen->look(); });
  const auto resident = cpu->load(key_array(keys), watched);
  ASSERT_TRUE(resident);
  seen = &building;
  const auto index = cpu->build(config_of("EO+BS"), *resident, watched);
  ASSERT_TRUE(index);
  seen = &looking_up;
  ASSERT_TRUE(cpu->run(**index, batch{.keys = key_array(keys)}, {}, watched));
  for (const masks_seen* stage : {&sorting, &building, &looking_up}) stage->expect_one_processor_each_of(before);
  EXPECT_EQ(mask(), before);
}

}  // namespace
}  // namespace pivotscope
