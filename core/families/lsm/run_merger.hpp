// run_merger: merges a new run with the levels that are to take it in, from the newest to the oldest. Between two merges a
// run lies in one of two arrays beside the region, and the last merge stores to the region:
//
//   batch -> array a        a + level 0 -> array b        b + level 1 -> array a        a + level 2 -> level 3
#pragma once

#include <vector>

#include "core/families/lsm/merge.hpp"
#include "core/index/executor.hpp"
#include "core/index/family.hpp"

namespace pivotscope {

struct run_merger_passes {
  build_pass copy_run, start_tiles, merge_tiles;
};

class run_merger {
 public:
  // `is_oldest`: no older level has entries than those that it merges, so tombstones go.
  run_merger(executor& on, const index_config& config, const run_merger_passes& passes, bool is_oldest)
      : on_(on), config_(config), passes_(passes), is_oldest_(is_oldest) {}

  // Adds the run of a level, older than those before.
  void add(const lsm_run& run, u32 level) { levels_.push_back({run, level}); }

  // Makes place for a first run of up to so many entries, the newest, and for what comes of merging it, which is to lie at
  // `to` in the end.
  status make_place(u32 entries, const lsm_run& to);
  // Where the first run goes: to its last place if no level is to be merged with it.
  lsm_run first_place() const { return levels_.empty() ? to_ : lsm_run{run_place::array_a}; }
  // Whether it keeps its tombstones.
  u32 keeps_tombstones() const { return is_oldest_ && levels_.empty() ? 0 : 1; }
  // Merges it, of so many entries. Returns how many the last run has.
  outcome<u32> merge(u32 entries);

  // Merges a level's run with those that were added, and makes regions of their own for what comes of it. Returns the state.
  outcome<state_bytes> clean_up(const lsm_run& first, const lsm_config& config);

 private:
  struct level_run {
    lsm_run run;
    u32 level;
  };

  status make_arrays(u64 entries);
  outcome<u32> merge_from(lsm_run newer);
  status copy(const lsm_run& from, const lsm_run& to, std::string_view stage);

  executor& on_;
  const index_config& config_;
  const run_merger_passes& passes_;
  bool is_oldest_;
  std::vector<level_run> levels_;  // the newest first
  lsm_run to_;
};

}  // namespace pivotscope
