// TBB's loops, and what the thread sanitizer must be told of them: libtbb is not built with it, so the sanitizer cannot
// see that a task begins after all that came before its loop and ends before all that comes after. Two tasks of one
// loop stay unordered, so that a race between them is still seen. docs/tests.md, "Sanitizers".
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_scan.h>
#include <tbb/task_arena.h>

#include <functional>
#include <type_traits>

#include "core/common/expect.hpp"
#include "core/common/portable.hpp"

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace pivotscope {

#if defined(__SANITIZE_THREAD__)
// Lives as long as a loop; a task of the loop holds one of its `task`s. Two places: by one, each task would come after
// those that ended before it began.
class loop_order {
 public:
  class task {
   public:
    explicit task(const loop_order& order) : order_(order) { __tsan_acquire(&order_.begin_); }
    ~task() { __tsan_release(&order_.end_); }
    task(const task&) = delete;
    task& operator=(const task&) = delete;

   private:
    const loop_order& order_;
  };

  loop_order() { __tsan_release(&begin_); }
  ~loop_order() { __tsan_acquire(&end_); }
  loop_order(const loop_order&) = delete;
  loop_order& operator=(const loop_order&) = delete;

 private:
  mutable char begin_ = 0, end_ = 0;
};
#else
struct loop_order {
  struct task {
    explicit task(const loop_order&) {}
  };
};
#endif

using index_part = tbb::blocked_range<u64>;

// f(part) for parts of [0, n), of `grain` indexes or so, in parallel.
template <class F>
void parallel_parts(u64 n, u64 grain, const F& f) {
  PIVOTSCOPE_EXPECT(grain > 0);
  [[maybe_unused]] const loop_order order;
  tbb::parallel_for(index_part(0, n, grain), [&order, &f](const index_part& part) {
    [[maybe_unused]] const loop_order::task task(order);
    f(part);
  });
}

// f(i) for each i below n, in parallel.
template <class F>
void parallel_each(u64 n, const F& f) {
  parallel_parts(n, 1, [&f](const index_part& part) {
    for (u64 i = part.begin(); i < part.end(); ++i) f(i);
  });
}

// f() in an arena, by this thread or, where all of the arena's threads are taken, by another.
template <class F>
std::invoke_result_t<const F&> parallel_within(tbb::task_arena& arena, const F& f) {
  [[maybe_unused]] const loop_order order;
  return arena.execute([&order, &f] {
    [[maybe_unused]] const loop_order::task task(order);
    return f();
  });
}

// Sums of what comes before each index: f(part, sum before it, is it the last time?) gives the sum after the part.
template <class F>
void parallel_sums(u64 n, u64 grain, const F& f) {
  PIVOTSCOPE_EXPECT(grain > 0);
  [[maybe_unused]] const loop_order order;
  tbb::parallel_scan(
      index_part(0, n, grain), u64{0},
      [&order, &f](const index_part& part, u64 sum, bool last) {
        [[maybe_unused]] const loop_order::task task(order);
        return f(part, sum, last);
      },
      std::plus<>());
}

}  // namespace pivotscope
