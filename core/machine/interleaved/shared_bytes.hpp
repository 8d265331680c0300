// shared_bytes: which tasks read a byte, and which write it. An access is shared if it touches a byte that another task
// touches too, and one of the two writes. Two accesses of different tasks that are not shared may change places: each
// brings the same, and leaves the same.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/common/expect.hpp"
#include "core/machine/interleaved/interleave.hpp"
#include "core/machine/interleaved/late_stores.hpp"
#include "core/machine/interleaved/shared_access.hpp"

namespace pivotscope {

// Bytes that an access reads as others see them, or writes so that others see it.
struct touched_bytes {
  region_id region{};
  u64 byte = 0, bytes = 0;
  bool writes = false;
};

// Calls f(touched_bytes) for what an access touches. A late store touches nothing yet: what it wrote is touched by the
// arrival or the atomic that shows it. `late`: the task's stores that others do not see; the access changes them.
template <class F>
void each_touched(const shared_access& a, late_stores& late, F&& f) {
  using kind = shared_access::kind;
  const auto shows = [&](const late_store& s) { f(touched_bytes{s.region, s.byte, s.bytes, true}); };
  switch (a.what) {
    case kind::load:
      return f(touched_bytes{a.region, a.byte, a.bytes, false});
    case kind::store:
      if (a.late) return late.add({a.region, a.byte, a.bytes, a.after});
      return f(touched_bytes{a.region, a.byte, a.bytes, true});
    case kind::fence:
      return;
    case kind::arrival:
      return late.flush_word(a.region, a.byte, a.bytes, shows);
    default:  // an atomic shows the task's own stores of the word first
      late.flush_word(a.region, a.byte, a.bytes, shows);
      return f(touched_bytes{a.region, a.byte, a.bytes, true});
  }
}

class shared_bytes {
 public:
  explicit shared_bytes(const shared_regions& memory) {
    for (const auto& region : memory) regions_.emplace_back(region.size());
  }

  // Adds what a task touches. Returns true if that is new.
  bool add(u32 task, const touched_bytes& t) {
    PIVOTSCOPE_EXPECT(task < most_tasks);
    bool is_new = false;
    for (tasks_of_byte& byte : of(t)) {
      u32& tasks = t.writes ? byte.writers : byte.readers;
      is_new |= (tasks >> task & 1) == 0;
      tasks |= 1u << task;
    }
    return is_new;
  }
  bool is_shared(u32 task, const touched_bytes& t) const {
    return std::ranges::any_of(of(t), [&](const tasks_of_byte& byte) {
      return ((byte.writers | (t.writes ? byte.readers : 0)) & ~(1u << task)) != 0;
    });
  }

 private:
  struct tasks_of_byte {
    u32 readers = 0, writers = 0;  // a bit each
    static_assert(most_tasks <= 32);
  };
  std::span<tasks_of_byte> of(const touched_bytes& t) {
    return std::span(regions_[number_of(t.region)]).subspan(t.byte, t.bytes);
  }
  std::span<const tasks_of_byte> of(const touched_bytes& t) const {
    return std::span(regions_[number_of(t.region)]).subspan(t.byte, t.bytes);
  }

  std::vector<std::vector<tasks_of_byte>> regions_;
};

}  // namespace pivotscope
