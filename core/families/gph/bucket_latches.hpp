// Latches of buckets: who fills slots of a bucket in the second phase has its latch. Buckets share words by their numbers.
//
// By wait-die (the paper, Section 6.3): who wants a latch that an older one holds lets go of all buckets, and begins again when it is
// free; for one that a younger one holds it waits. So whoever waits with latches in hand is older than whom it waits for: nobody
// waits in a circle; and the oldest never lets go. An insert's age is its row id, which no other entry has. A word holds that of its
// holder, or not_found.
#pragma once

#include "core/families/gph/cell_index.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

struct bucket_latches {
  PIVOTSCOPE_FN static constexpr u32 latch_of(u32 bucket, const gph_view& table) {
    return bucket & (table.latches - 1);
  }

  // Calls f() with those of `count` buckets, of which each lane takes some, and returns its result. All of it is in a round of one
  // loop: the threads of a GPU's warp may meet at the loop's end, and wait there for one that has the latches.
  template <class Lanes, class Memory, class F>
  PIVOTSCOPE_FN static auto with(Lanes& lanes, Memory& memory, const gph_view& table, const u32* buckets, u32 count,
                                 u32 age, F&& f, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    constexpr u32 an_older_one_has_it = 0, a_younger_one_has_it = 1, all_taken = 2;
    auto taken = lanes.each(u32{0});  // bits
    bool gave_way = false;
    decltype(f()) result{};
    for (bool done = false; !done;) {
      const u32 comes_to = lanes.min([&](u32 lane) {
        u32 says = all_taken;
        for (u32 i = lane; i < count; i += lanes.size()) {
          if ((taken[lane] >> i & 1) != 0) continue;
          // Who gave way only looks, until the older one has what it wants: else it would take the others from under its hands.
          const u32 holder =
              gave_way ? holder_of(memory, table, buckets[i])
                       : memory.template compare_exchange<u32>(gph_region::latches, latch_of(buckets[i], table),
                                                               sizeof(u32), 0, not_found, age);
          if (holder != not_found && holder < age) return an_older_one_has_it;
          if (gave_way) continue;
          // Two buckets of one word are taken once.
          if (holder == not_found || holder == age)
            taken[lane] |= 1u << i;
          else
            says = a_younger_one_has_it;
        }
        return says;
      });
      if (gave_way) {
        gave_way = comes_to == an_older_one_has_it;
      } else if (comes_to == all_taken) {
        memory.fence();
        result = f();
        lanes.meet();  // a lane lets go of buckets that others filled
        memory.fence();
        let_go(lanes, memory, table, buckets, count, age, taken);
        done = true;
      } else if (comes_to == an_older_one_has_it) {
        let_go(lanes, memory, table, buckets, count, age, taken);
        gave_way = true;
      }
      if (!done) memory.pause(64);
    }
    return result;
  }

 private:
  template <class Lanes, class Memory, class Taken>
  PIVOTSCOPE_FN static void let_go(Lanes& lanes, Memory& memory, const gph_view& table, const u32* buckets, u32 count,
                                   u32 age, Taken& taken, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    lanes.each_lane([&](u32 lane) {
      for (u32 i = lane; i < count; i += lanes.size())
        if ((taken[lane] >> i & 1) != 0)
          memory.template compare_exchange<u32>(gph_region::latches, latch_of(buckets[i], table), sizeof(u32), 0, age,
                                                not_found);
      taken[lane] = 0;
    });
  }
  template <class Memory>
  PIVOTSCOPE_FN static u32 holder_of(Memory& memory, const gph_view& table, u32 bucket,
                                     typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return memory.template load_acquire<u32>(gph_region::latches, latch_of(bucket, table), sizeof(u32), 0);
  }
};

}  // namespace pivotscope
