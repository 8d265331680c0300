// A tile of a pass by tiles (simt/tile_pass.hpp) on the host, whose threads are a loop.
#pragma once

#include <atomic>
#include <thread>

#include "core/simt/tile_pass.hpp"

namespace pivotscope {

class host_tile {
 public:
  static constexpr bool are_threads = false;
  template <class T>
  struct per_thread {
    T values[tile_threads];
    T& operator[](u32 thread) { return values[thread]; }
  };

  host_tile(u64* words, u64 number) : words_(words), number_(number) {}

  // Takes the next tile of a chain.
  static u64 take_next(u64* chain) { return std::atomic_ref(chain[0]).fetch_add(1, std::memory_order_relaxed); }

  template <class T>
  static per_thread<T> all(T value) {
    per_thread<T> list;
    for (T& each : list.values) each = value;
    return list;
  }
  template <class F>
  static void each(F&& f) {
    for (u32 thread = 0; thread < tile_threads; ++thread) f(thread);
  }
  template <class Get, class Put>
  static void each_of(u32 n, Get&& get, Put&& put) {
    for (u32 i = 0; i < n; ++i) put(i, get(i));
  }
  u64 places(per_thread<u32>& counts, u64 known) {
    for (u32& count : counts.values) {
      const u32 own = count;
      count = made_;
      made_ += own;
    }
    if (known != unknown_place) return known;
    const u64 before = number_ == 0 ? 0 : tile_word::cells(wait_for(words_[number_ - 1]));
    std::atomic_ref(words_[number_]).store(tile_word::up_to_it | (before + made_), std::memory_order_release);
    return before;
  }
  u32 made() const { return made_; }

 private:
  // The tile before is another thread's, which is at it.
  static u64 wait_for(u64& word) {
    const std::atomic_ref<u64> shared(word);
    for (u32 tries = 0;; ++tries) {
      const u64 now = shared.load(std::memory_order_acquire);
      if (now != tile_word::unknown) return now;
      if (tries % 64 == 63) std::this_thread::yield();
    }
  }

  u64* words_;  // of the chain, one a tile
  u64 number_;
  u32 made_ = 0;
};

}  // namespace pivotscope
