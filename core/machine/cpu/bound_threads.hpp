// Threads that stay where they are: while the cpu machine works, each of its threads is bound to a processor of its
// own, so that the system moves none of them between timed runs, away from its caches.
#pragma once

#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <type_traits>
#include <vector>

#include "core/common/parallel.hpp"

namespace pivotscope {

// An arena of TBB's with no more threads than there are processors that the thread which makes it may use
// (sched_getaffinity). A thread is bound when it enters, and has its former mask back when it leaves; so has the caller
// of run(). Where the system tells no mask, or lets nobody bind, threads move as they like.
class bound_threads {
 public:
  // In lookups or slots. Binding takes some 5 us; 2^16 lookups take a millisecond or more, ten a microsecond. With
  // fewer there is no arena, and the loops are TBB's default ones.
  static constexpr u64 worth_binding = 1u << 16;

  bound_threads();

  // f(), with the loops in it on bound threads where there are `items` worth it. A thread that another bound_threads
  // has bound stays where it is.
  template <class F>
  std::invoke_result_t<const F&> run(u64 items, const F& f) {
    return items < worth_binding ? f() : parallel_within(arena_, f);
  }
  // How many threads were bound at once, at most, so far.
  u32 most_bound() const { return binder_.most_bound(); }

 private:
  class binder final : public tbb::task_scheduler_observer {
   public:
    binder(tbb::task_arena& arena, const std::vector<int>& processors);
    ~binder() override;  // when all threads have left, which they do by themselves once there is nothing to do
    void on_scheduler_entry(bool) override;
    void on_scheduler_exit(bool) override;
    u32 most_bound() const { return most_bound_; }

   private:
    const std::vector<int>& processors_;
    std::atomic<u32> inside_{0}, bound_{0}, most_bound_{0};
    std::atomic<bool> closing_{false};
    loop_order life_;  // the last member: whoever enters comes after the others were made
  };

  std::vector<int> processors_;
  tbb::task_arena arena_;
  binder binder_;
};

}  // namespace pivotscope
