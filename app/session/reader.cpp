#include "app/session/reader.hpp"

#include <algorithm>

namespace pivotscope {
namespace {
constexpr int no_kind = -1;
}

reader::~reader() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  thread_.join();
}

void reader::add(task what) { replace(no_kind, std::move(what)); }

void reader::replace(int kind, task what) {
  {
    const std::lock_guard lock(mutex_);
    if (kind != no_kind) std::erase_if(waiting_, [&](const entry& e) { return e.kind == kind; });
    waiting_.push_back({kind, std::move(what)});
  }
  changed_.notify_one();
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
    }
    next();
  }
}

}  // namespace pivotscope
