#include "app/session/reader.hpp"

#include <algorithm>

namespace pivotscope {
namespace {
constexpr int no_kind = -1;
}

reader::~reader() {
  stop();
  thread_.join();
}

void reader::stop() {
  std::deque<entry> dropped;  // destroyed without the lock
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    dropped.swap(waiting_);
  }
  changed_.notify_all();
}

void reader::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty() && !busy_; });
}

void reader::add(task what) { replace(no_kind, std::move(what)); }

void reader::replace(int kind, task what) {
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return;
    if (kind != no_kind) std::erase_if(waiting_, [&](const entry& e) { return e.kind == kind; });
    waiting_.push_back({kind, std::move(what)});
  }
  changed_.notify_all();
}

void reader::work() {
  for (;;) {
    task next;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
      if (ending_) return;
      next = std::move(waiting_.front().what);
      waiting_.pop_front();
      busy_ = true;
    }
    next();
    next = {};
    {
      const std::lock_guard lock(mutex_);
      busy_ = false;
    }
    changed_.notify_all();
  }
}

}  // namespace pivotscope
