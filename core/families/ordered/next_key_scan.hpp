// The least key from a value on, of what a range scan would gather (range_scan.hpp): of each run of adjacent slots whose keys
// ascend from the search's path on, the first entry alone; of these the least. One run in ascending order, one a level
// in Eytzinger order: on a level the next key lies where the path passes, and which level has the nearest only all of
// them tell.
//
// One lane reads; the others go along, so that the warp stays whole.
#pragma once

#include "core/common/answers.hpp"
#include "core/families/ordered/probe.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

template <class Lanes, class Memory, class Key>
class next_key_scan {
 public:
  // `any`: false where no key can be an answer.
  PIVOTSCOPE_FN next_key_scan(Lanes& lanes, Memory& memory, Key low, bool any)
      : lanes_(lanes), memory_(memory), low_(low), any_(any) {}

  // A run: slots [first, end), ascending, all before `first` are smaller than `low`. An empty one for a lookup that has
  // none. The keys may all be too small. `level`: for the trace.
  PIVOTSCOPE_FN void run(u64 first, u64 end, u32 level, typename Memory::place from = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(from);
    const bool going = first < end;
    if (going) memory_.scan_step(level, false);
    const u32 nearer = lanes_.sum([&](u32 lane) {
      if (!going || lane != 0) return 0u;
      const scanned_entry<Key> entry = memory_.scan_entry(first);
      if (!any_ || entry.key < low_ || (row_ != not_found && entry.key >= key_)) return 0u;
      key_ = entry.key, row_ = entry.row;
      return 1u;
    });
    if (going) {
      memory_.watch("low_", low_, "first", first, "end", end, "nearer", nearer != 0, "key_", key_, "row_",
                    watched_row{row_});
    }
  }

  // Lane 0 has read; here the others hear of it.
  PIVOTSCOPE_FN successor_answer answer() {
    const u64 key = lanes_.sum([&](u32 lane) { return lane == 0 ? u64{key_} : u64{0}; });
    const u32 row = lanes_.min([&](u32 lane) { return lane == 0 ? row_ : not_found; });
    return {key, row};
  }

 private:
  Lanes& lanes_;
  Memory& memory_;
  Key low_;
  bool any_;
  Key key_ = 0;  // the least so far, in lane 0
  u32 row_ = not_found;
};

}  // namespace pivotscope
