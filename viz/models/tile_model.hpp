// A block's tile of the batch (O3; lightweight, Figure 12): its lookups as they come, in the order in which they are
// served, and what that order does for the loads. The order is the machines' own (simt/tile_order.hpp), the loads are
// counted on traces.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/index/lookup_trace.hpp"
#include "core/index/model.hpp"
#include "core/machine/machine.hpp"
#include "core/workload/workload.hpp"
#include "viz/cells/pointing.hpp"
#include "viz/models/memory_model.hpp"

namespace pivotscope::viz {

// Tiles are shown from these first lookups of a batch: making them takes milliseconds.
inline constexpr u64 most_tile_lookups = 1ull << 20;

u64 shown_tiles(const index_config& config, const workload& load);

class tile_study {
 public:
  // number < shown_tiles(). `load` is what the index's keys were made of.
  // `own`: the batch's first lookups, where no formula makes them.
  tile_study(std::shared_ptr<const built_index> index, const workload& load, u64 number,
             const key_array* own = nullptr);

  const std::shared_ptr<const built_index>& index() const { return index_; }
  const workload& load() const { return load_; }
  u64 number() const { return number_; }
  u32 size() const { return static_cast<u32>(keys_.size()); }
  bool reordered() const { return index_->config().launch.reorder != reorder_kind::none; }
  // Bits by which the tile is sorted, or would be with reordering on: [first, second).
  std::pair<u32, u32> bits() const { return bits_; }

  u64 key(u32 place) const { return keys_[place]; }
  // The place that the i-th served lookup came from, and back.
  u32 place_of(u32 served) const { return reordered() ? sorted_[served] : served; }
  u32 sorted_place(u32 i) const { return sorted_[i]; }  // of the i-th when they are sorted, whether they are or not
  u32 served_of(u32 place) const { return reordered() ? inverse_[place] : place; }
  // Where among the tile's keys a lookup's is: 0 the least, 1 the greatest.
  float height(u32 place) const { return heights_[place]; }

  // Traces further lookups for about this long; true while there are more.
  bool go_on(double seconds);
  u32 traced() const { return traced_; }  // lookups, so far
  bool traced(u32 place) const { return place < traced_; }
  bool complete() const { return traced_ == size(); }
  u32 row(u32 place) const { return rows_[place]; }  // traced ones only

  // Of a complete study, as lookups come or sorted:
  double rank_distance(bool sorted) const;         // between the ranks where neighbouring lookups end, on average
  bool ranked() const { return model_->ranks(); }  // else it is between cells
  double sectors_a_warp(bool sorted) const;        // loaded by a warp, a step at a time, on average
  double written_a_warp() const;                   // sectors that a warp's answers are written to, on average
  // Of the distinct sectors and lines that a lookup of this index reads, how many another lookup of the tile reads too.
  struct shared_reads {
    u64 sectors = 0, lines = 0;
  };
  shared_reads shared(const lookup_trace& trace) const;
  // By how many of its lookups each step reads it; nothing of a lane, for each lookup has its own.
  std::vector<u32> lookups_by_step(const read_target& target) const;
  // The sectors that its lookups read, ascending, and how many lookups read each.
  std::span<const sector_heat> touched() const { return touched_; }

 private:
  void trace_next();
  void note_runs(const lookup_trace& trace);
  void count_users();

  std::shared_ptr<const built_index> index_;
  std::shared_ptr<const index_model> model_;
  workload load_;
  u64 number_;
  std::pair<u32, u32> bits_{0, 0};
  std::vector<u64> keys_;
  std::vector<u32> sorted_, inverse_;
  std::vector<float> heights_;
  u32 traced_ = 0;
  std::vector<u32> rows_;
  std::vector<u64> ranks_;
  std::vector<std::vector<u64>> sectors_;  // of each lookup: step, array and sector in one number
  // Adjacent slots that a step reads, from memory or scratch.
  struct slot_run {
    u32 step, slots;
    region_id array;
    u64 first;
  };
  std::vector<std::vector<slot_run>> runs_;                 // of each lookup
  std::vector<std::vector<u32>> levels_;                    // of each lookup's steps
  std::unordered_map<u64, u32> sector_users_, line_users_;  // lookups that read it, of a complete study
  std::vector<sector_heat> touched_;
};

}  // namespace pivotscope::viz
