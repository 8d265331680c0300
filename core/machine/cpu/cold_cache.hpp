// Filling the last-level cache with bytes that nobody asks for, so that what comes next finds nothing in it.
#pragma once

#include <cstring>
#include <new>
#include <span>

#include "core/machine/cpu/host_pages.hpp"
#include "core/machine/cpu/host_work.hpp"

namespace pivotscope {

class cold_cache {
 public:
  // Twice the cache; where its size is not known (0), 64 MiB. Problem: no room for that.
  status make(u64 cache_bytes) {
    bytes_ = cache_bytes != 0 ? 2 * cache_bytes : u64{64} << 20;
    if (auto s = room_for(bytes_, "emptying the cache"); !s) return s;
    try {
      other_ = make_host_array<std::byte>(bytes_);
    } catch (const std::bad_alloc&) {
      return out_of_memory("emptying the cache", bytes_);
    }
    return fine();
  }
  // Writes all of it, on all threads, each time something else. Nothing as long as it was not made.
  void flush() {
    if (!other_) return;
    ++times_;
    const u64 parts = ceil_div<u64>(bytes_, part_bytes);
    parallel_each(parts, [&](u64 p) {
      const u64 begin = p * part_bytes;
      std::memset(other_.get() + begin, static_cast<int>(times_ & 0xFF), std::min(part_bytes, bytes_ - begin));
    });
  }
  std::span<const std::byte> bytes() const { return {other_.get(), other_ ? bytes_ : 0}; }

 private:
  static constexpr u64 part_bytes = u64{1} << 20;
  host_array<std::byte> other_;
  u64 bytes_ = 0, times_ = 0;
};

}  // namespace pivotscope
