// Scanning the entries of a range lookup (O6; lightweight, Sections 3.2 and 5.7): runs of adjacent slots whose keys
// ascend, from the first key that is not smaller than the range's low end to the last that is not greater than its high
// end. One run in ascending order, one a level in Eytzinger order.
//
//   alone        the lookup's own L lanes read L entries at a time
//   cooperative  so for up to 32 entries; scans that are not at their end then are gone through one after another by
//                the 32 lanes of the warp together: 128 entries, and from there on 256 at a time. A lookup that came
//                that far stays with the warp for the runs that follow: the next level's run is longer still.
//
// Whether a scan is at its end is told by its keys, but the loops run until all scans of the warp are: no lane leaves.
#pragma once

#include "core/common/answers.hpp"
#include "core/families/ordered/config.hpp"
#include "core/families/ordered/probe.hpp"

namespace pivotscope {

inline constexpr u32 alone_at_most = 32;  // entries of a run that a lookup's own lanes scan, when cooperative
inline constexpr u32 warp_lanes = 32;
inline constexpr u32 entries_a_lane = 8;  // loads in flight of each lane of the warp's scan, at most

// What is left of a run, as it is handed to the warp.
template <class Key>
struct range_rest {
  u64 at, end;  // slots, half open
  Key low, high;
  u64 place;  // where the row id of the entry at `at` goes, when row ids are asked for
};

// Gathers count and row ids of one lookup. Output: row(place, row id) is called once an entry.
template <class Config, class Lanes, class Memory, class Key, class Output>
class range_scan {
 public:
  // `place`: of the first row id, when row ids are asked for.
  PIVOTSCOPE_FN range_scan(Config config, Lanes& lanes, Memory& memory, Key low, Key high, u64 place, Output& output)
      : config_(config),
        lanes_(lanes),
        memory_(memory),
        low_(low),
        high_(high),
        place_(place),
        output_(output),
        sums_(lanes.each(u64{0})) {}

  // A run: slots [first, end), ascending, none before `first` is in the range. An empty one for a lookup that has none.
  // The keys may all be smaller than the low end. `level`: for the trace.
  PIVOTSCOPE_FN void run(u64 first, u64 end, u32 level, typename Memory::place from = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(from);
    u64 at = first;
    bool going = at < end && !with_warp_;
    if (going) memory_.scan_step(level, false);
    u32 taken = 0;
    while (!lanes_.all_done(!going)) {
      const u32 inside = lanes_.sum([&](u32 lane) {
        if (!going || at + lane >= end) return 0u;
        return take(memory_.scan_entry(at + lane), low_, high_, place_ + count_ + lane, sums_[lane]);
      });
      at += inside, count_ += inside, taken += inside;
      if (going) memory_.watch("low_", low_, "high_", high_, "end", end, "at", at, "taken", taken, "count_", count_);
      going = going && inside == lanes_.size() && at < end;
      if (config_.value.scan == scan_kind::cooperative && going && taken >= alone_at_most) {
        going = false;
        with_warp_ = true;
      }
    }
    if (config_.value.scan == scan_kind::cooperative) {
      const range_rest<Key> rest{at, end, low_, high_, place_ + count_};
      const range_answer more =
          lanes_.take_turns(with_warp_ && at < end, rest,
                            [&](auto& warp, const range_rest<Key>& r) { return scan_with_warp(warp, r, level); });
      count_ += more.count;
      warp_sum_ += more.row_sum;
    }
  }

  PIVOTSCOPE_FN range_answer answer() {
    return {count_, warp_sum_ + lanes_.sum([&](u32 lane) { return sums_[lane]; })};
  }

 private:
  // One entry; 1 when it is in the range.
  PIVOTSCOPE_FN u32 take(const scanned_entry<Key>& entry, Key low, Key high, u64 place, u64& sum) const {
    if (entry.key < low || entry.key > high) return 0;
    sum += entry.row;
    output_.row(place, entry.row);
    return 1;
  }

  template <class Warp>
  PIVOTSCOPE_FN range_answer scan_with_warp(Warp& warp, const range_rest<Key>& rest, u32 level) {
    memory_.scan_step(level, true);
    constexpr u32 width = warp_lanes * entries_a_lane;
    auto sums = warp.each(u64{0});
    u64 at = rest.at;
    bool more = true;
    // A short rest is not to cost what a long one does. Once in the code: a second copy for the first turn costs short
    // ranges up to 15%.
    PIVOTSCOPE_NO_UNROLL
    for (u32 reach = width / 2; more && at < rest.end; reach = width) {
      const u32 left = rest.end - at < reach ? static_cast<u32>(rest.end - at) : reach;
      const u64 place = rest.place + (at - rest.at);
      const u32 inside = warp.sum([&](u32 lane) {
        // All are asked for before one is looked at: the branch keeps the compiler from mixing the two to save
        // registers.
        scanned_entry<Key> entries[entries_a_lane]{};
        if (left == width) {
          PIVOTSCOPE_UNROLL
          for (u32 i = 0; i < entries_a_lane; ++i) entries[i] = memory_.scan_entry(at + lane + i * warp_lanes);
        } else {
          PIVOTSCOPE_UNROLL
          for (u32 i = 0; i < entries_a_lane; ++i) {
            if (lane + i * warp_lanes < left) entries[i] = memory_.scan_entry(at + lane + i * warp_lanes);
          }
        }
        u32 count = 0;
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < entries_a_lane; ++i) {
          const u32 step = lane + i * warp_lanes;
          if (step < left) count += take(entries[i], rest.low, rest.high, place + step, sums[lane]);
        }
        return count;
      });
      at += inside;
      more = inside == reach;
      memory_.watch("rest.at", rest.at, "rest.end", rest.end, "reach", reach, "left", left, "inside", inside, "at", at);
    }
    return {at - rest.at, warp.sum([&](u32 lane) { return sums[lane]; })};
  }

  Config config_;
  Lanes& lanes_;
  Memory& memory_;
  Key low_, high_;
  u64 place_;
  Output& output_;
  typename Lanes::template per_lane<u64> sums_;  // of row ids, each lane's
  u64 count_ = 0, warp_sum_ = 0;
  bool with_warp_ = false;
};

}  // namespace pivotscope
