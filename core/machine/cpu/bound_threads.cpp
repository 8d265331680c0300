#include "core/machine/cpu/bound_threads.hpp"

#include <sched.h>

#include <algorithm>
#include <thread>

#include "core/common/expect.hpp"

namespace pivotscope {
namespace {

std::vector<int> processors_of_this_thread() {
  cpu_set_t mask;
  std::vector<int> processors;
  if (::sched_getaffinity(0, sizeof mask, &mask) != 0) return processors;  // or there are more than a mask holds
  for (int p = 0; p < CPU_SETSIZE; ++p)
    if (CPU_ISSET(p, &mask)) processors.push_back(p);
  return processors;
}

int threads_for(const std::vector<int>& processors) {
  const int most = tbb::this_task_arena::max_concurrency();
  return processors.empty() ? most : std::min(most, static_cast<int>(processors.size()));
}

// Of a thread: who bound it, and its mask before.
thread_local const void* bound_by = nullptr;
thread_local cpu_set_t mask_before;

}  // namespace

bound_threads::bound_threads()
    : processors_(processors_of_this_thread()), arena_(threads_for(processors_)), binder_(arena_, processors_) {}

bound_threads::binder::binder(tbb::task_arena& arena, const std::vector<int>& processors)
    : task_scheduler_observer(arena), processors_(processors) {
  observe(true);
}

bound_threads::binder::~binder() {
  closing_ = true;
  // Who has not left when the observing ends would stay bound.
  while (inside_ > 0) std::this_thread::yield();
  observe(false);
}

void bound_threads::binder::on_scheduler_entry(bool) {
  [[maybe_unused]] const loop_order::task entering(life_);
  ++inside_;
  const auto slot = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
  if (closing_ || bound_by != nullptr || slot >= processors_.size()) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processors_[slot], &one);
  if (::sched_getaffinity(0, sizeof mask_before, &mask_before) != 0) return;
  if (::sched_setaffinity(0, sizeof one, &one) != 0) return;
  bound_by = this;
  const u32 now = ++bound_;
  for (u32 most = most_bound_; most < now && !most_bound_.compare_exchange_weak(most, now);) {
  }
}

void bound_threads::binder::on_scheduler_exit(bool) {
  [[maybe_unused]] const loop_order::task leaving(life_);
  if (bound_by == this) {
    (void)::sched_setaffinity(0, sizeof mask_before, &mask_before);
    bound_by = nullptr;
    --bound_;
  }
  [[maybe_unused]] const u32 were_inside = inside_--;
  PIVOTSCOPE_EXPECT(were_inside > 0);
}

}  // namespace pivotscope
