#include "core/families/lsm/run_merger.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/families/lsm/lsm_model.hpp"

namespace pivotscope {
namespace {

std::string_view stage_of(u32 level) {
  static const auto names = [] {
    std::array<std::string, lsm_most_levels> all;
    for (u32 i = 0; i < lsm_most_levels; ++i) all[i] = "merge level " + std::to_string(i);
    return all;
  }();
  return names[level];
}

}  // namespace

status run_merger::make_arrays(u64 entries) {
  if (levels_.empty()) return fine();
  const u64 cell = 2 * key_bytes(config_.keys);
  // What the last merge makes goes elsewhere, so the last level adds nothing to what the arrays hold.
  u64 most = entries;
  for (std::size_t i = 0; i + 1 < levels_.size(); ++i) most += levels_[i].run.count;
  if (auto s = on_.allocate_array(lsm_passes::first_run, most * cell, "runs that are merged"); !s) return s;
  if (levels_.size() == 1) return fine();
  return on_.allocate_array(lsm_passes::second_run, most * cell, "runs that are merged");
}

status run_merger::make_place(u32 entries, const lsm_run& to) {
  to_ = to;
  if (auto s = make_arrays(entries); !s) return s;
  if (levels_.empty() || levels_.back().run.first != to.first) return fine();
  // The level that takes the run in has entries, which lie where it is stored.
  lsm_run& last = levels_.back().run;
  const u64 bytes = u64{last.count} * 2 * key_bytes(config_.keys);
  if (auto s = on_.allocate_array(lsm_passes::run_aside, bytes, "a run that is set aside"); !s) return s;
  const lsm_run aside{run_place::set_aside, last.count};
  if (auto s = copy(last, aside, "set aside"); !s) return s;
  last = aside;
  return fine();
}

outcome<u32> run_merger::merge(u32 entries) {
  if (levels_.empty()) return entries;
  lsm_run first = first_place();
  first.count = entries;
  return merge_from(first);
}

outcome<u32> run_merger::merge_from(lsm_run newer) {
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const lsm_run& older = levels_[i].run;
    const bool last = i + 1 == levels_.size();
    lsm_pass pass{.newer = newer, .older = older, .keeps_tombstones = is_oldest_ && last ? 0u : 1u};
    pass.to = last ? to_ : lsm_run{newer.where == run_place::array_a ? run_place::array_b : run_place::array_a};
    const u64 steps = u64{newer.count} + older.count;
    const u64 tiles = ceil_div<u64>(steps, lsm_passes::tile_steps(key_bytes(config_.keys)));
    if (auto s = on_.allocate_array(lsm_passes::tile_starts, (tiles + 1) * sizeof(u32), "where tiles start"); !s)
      return s.error();
    if (auto s = on_.run(passes_.start_tiles, tiles + 1, state_bytes(pass)); !s) return s.error();
    build_pass merging = passes_.merge_tiles;
    merging.stage = stage_of(levels_[i].level);
    const auto made = on_.run(merging, tiles, state_bytes(pass));
    if (!made) return made.error();
    newer = pass.to;
    newer.count = static_cast<u32>(*made);
  }
  return newer.count;
}

status run_merger::copy(const lsm_run& from, const lsm_run& to, std::string_view stage) {
  build_pass copying = passes_.copy_run;
  copying.stage = stage;
  const auto done = on_.run(copying, from.count, state_bytes(lsm_pass{.newer = from, .to = to}));
  return done ? fine() : status(done.error());
}

outcome<state_bytes> run_merger::clean_up(const lsm_run& first, const lsm_config& config) {
  lsm_run whole = first;
  if (levels_.empty()) {
    whole.where = run_place::before;  // a run alone is the oldest: it has neither tombstones nor what they shadow
  } else {
    if (auto s = make_arrays(u64{first.count} + levels_.back().run.count); !s) return s.error();
    to_ = {levels_.size() % 2 == 1 ? run_place::array_a : run_place::array_b};
    const auto made = merge_from(first);
    if (!made) return made.error();
    whole = to_, whole.count = *made;
  }
  const lsm_view lsm = lsm_as_built(config, whole.count);
  if (auto s = on_.allocate(regions_of(config, whole.count)); !s) return s.error();
  if (whole.count == 0) return state_bytes(lsm);
  const u32 level = lsm.levels - 1;
  if (auto s = copy(whole, {run_place::region, whole.count, lsm.first_cell(level)}, "clean up"); !s) return s.error();
  return state_bytes(lsm);
}

}  // namespace pivotscope
