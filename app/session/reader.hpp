// The reader: a second thread for what a view asks of an index that is already there — a lookup's path, a key drawn at
// random, a page of bytes. Short work that must not wait behind a long job.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace pivotscope {

class reader {
 public:
  using task = std::function<void()>;
  reader() : thread_([this] { work(); }) {}
  ~reader();  // drops what has not begun

  void add(task what);
  // Takes the place of a waiting task of the same kind: only the last path asked for is of interest.
  void replace(int kind, task what);
  void finish();  // waits until all that it was given has been done
  void stop();    // drops what has not begun, and takes nothing more; does not wait

 private:
  void work();

  struct entry {
    int kind;
    task what;
  };
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<entry> waiting_;
  bool ending_ = false, busy_ = false;
  std::thread thread_;
};

}  // namespace pivotscope
