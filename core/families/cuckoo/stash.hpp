// The stash of `cuckoo`: buckets behind the table, for keys that find no room in their homes.
#pragma once

#include "core/families/cuckoo/evictions.hpp"

namespace pivotscope {

struct cuckoo_stash : cuckoo_evictions {
 protected:
  template <class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static bool has_stashed(Config config, Lanes& lanes, Memory& memory, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (config.value.stash == 0) return false;
    return lanes.once([&] {
      return memory.template load_acquire<u32>(cuckoo_region::counters, counter_stashed, sizeof(u32), 0) != 0;
    });
  }
  // Who reads the stash knows by the counter that there is something in it.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_into_stash(Config config, Lanes& lanes, Memory& memory,
                                                    const cuckoo_view& table, Key key, u32 row,
                                                    typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (config.value.stash > 0) {
      const u32 bucket = stash_of(key, config.value.stash, table);
      memory.step(0);
      memory.hold("entry", key, row);
      for (;;) {
        const end_of_node end = cuckoo_cells::look<true>(config, lanes, memory, bucket, key);
        memory.watch("key", key, "bucket", bucket, "table.buckets", table.buckets);
        if (end.cell == no_cell) break;
        if (end.row != not_found) return write_done::not_done;
        const bool done = lanes.once([&] {
          memory.template fetch_add<u32>(cuckoo_region::counters, counter_stashed, sizeof(u32), 0, 1u);
          memory.fence();
          return cuckoo_cells::claim(config, memory, first_cell(config, bucket) + end.cell, not_found, key, row);
        });
        if (done) return write_done::added;
      }
    }
    lanes.once([&] {
      memory.template fetch_add<u32>(cuckoo_region::counters, counter_refused, sizeof(u32), 0, 1u);
      return true;
    });
    return write_done::full;
  }
};

}  // namespace pivotscope
