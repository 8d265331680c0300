// Latches of buckets: who fills slots of a bucket in the second phase has its latch. Buckets share words by their numbers.
//
// By wait-die (the paper, Section 6.3): who wants a latch that an older one holds lets go of all buckets, and begins again when it is
// free; for one
// that a younger one holds it waits. So whoever waits is older than whom it waits for: nobody waits in a circle; and the oldest
// never lets go. An insert's age is its row id, which no other entry has. A word holds that of its holder, or not_found.
#pragma once

#include "core/families/gph/cell_index.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

struct bucket_latches {
  PIVOTSCOPE_FN static constexpr u32 latch_of(u32 bucket, const gph_view& table) {
    return bucket & (table.latches - 1);
  }

  // By one lane: takes those of `count` buckets.
  template <class Memory>
  PIVOTSCOPE_FN static void take(Memory& memory, const gph_view& table, const u32* buckets, u32 count, u32 age,
                                 typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    u32 taken = 0;
    while (taken < count) {
      const u32 holder = memory.template compare_exchange<u32>(gph_region::latches, latch_of(buckets[taken], table),
                                                               sizeof(u32), 0, not_found, age);
      if (holder == not_found || holder == age) {
        ++taken;
        continue;
      }
      if (holder < age) {
        const u32 of_older = taken;
        let_go(memory, table, buckets, taken, age), taken = 0;
        // It would take them from under the older one's hands again and again.
        while (holder_of(memory, table, buckets[of_older]) == holder) memory.pause(64);
      }
      memory.pause(64);
    }
    memory.fence();
  }
  template <class Memory>
  PIVOTSCOPE_FN static void let_go(Memory& memory, const gph_view& table, const u32* buckets, u32 count, u32 age,
                                   typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    memory.fence();
    // Two buckets of one word have been taken once.
    for (u32 i = 0; i < count; ++i)
      memory.template compare_exchange<u32>(gph_region::latches, latch_of(buckets[i], table), sizeof(u32), 0, age,
                                            not_found);
  }

 private:
  template <class Memory>
  PIVOTSCOPE_FN static u32 holder_of(Memory& memory, const gph_view& table, u32 bucket,
                                     typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return memory.template load_acquire<u32>(gph_region::latches, latch_of(bucket, table), sizeof(u32), 0);
  }
};

}  // namespace pivotscope
