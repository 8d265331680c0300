// cgrx: the coarse-granular index of triangles and rays (the paper cgrx). The keys are sorted and cut into buckets. The
// last key of each bucket is a triangle in a scene, and rays find the triangle of a key's bucket. The code here runs
// on all machines.
//
//   keys         2 4 5 | 6 16 17 | 18 19 19 | 19 19 19 | 20 22        buckets of 3; x has 3 bits of a key, y has 2
//
//   x               -1  0 1 2 3 4 5 6 7
//   naive      y=2   m  . # . # . . # .        # a representative: 17, 19 (of two buckets) and 22; m marks the row
//              y=0   m  . . . . . # . .        5
//   optimised  y=2      . # . # . . . >        22 is moved to the end of its row
//              y=0      . . . . . # . +        one more: it leads to the bucket behind
//
//   region       cells
//   entries      {key, row id}, in ascending order                                                     bucket_cells.hpp
//   triangles    {x, y, z, primitive index and flip}, 16 bytes, in Morton order                  core/rays/triangle.hpp
//   boxes        the extents of a group of boxes or triangles, 24 bytes                     core/rays/bounding_tree.hpp
//
// Invariants
// - Entries ascend by key, and equal keys by row id. Bucket b has the entries from b * bucket on.
// - The rays of a key that is greater than the least representative, and not greater than the greatest, end at the
//   bucket of the first entry that is not smaller; or at the bucket before, if that entry is the first behind it and
//   the triangle was moved behind the key (core/bucket_scene). So the lower bound is in the bucket or at its end.
// - No two triangles are in one place.
//
// Operations
//   find       one to five rays, then the bucket: by halves, or entry by entry. A key up to the least representative
//              needs no ray, nor does one above the greatest key. A hit returns the least row id of its key.
//   range      the lower bound of the low end, then the entries from there on, by the lookup's own lane (Section 3.2).
//   next_key   the lower bound of the key, or of the key after it; the entry arrived at is the answer.
//   build      five stages: entries; what stands in each slot of the scene; its slots sorted by their Morton numbers,
//              which brings the empty ones to the end; triangles; boxes, level by level. Needs 12 bytes a slot beside
//              the index (8 with 32-bit keys).
//   bytes      8 a key (with 64-bit keys 16, or 12 if not aligned), and for each triangle 16 + 24 / (wide - 1).
#pragma once

#include "core/bucket_scene/find_buckets.hpp"
#include "core/bucket_scene/scene_passes.hpp"
#include "core/common/answers.hpp"
#include "core/families/cgrx/bucket_cells.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

struct cgrx_view : bucket_scene {};

struct cgrx_scene {
  static constexpr scene_regions scene{region_id{1}, region_id{2}};
  PIVOTSCOPE_FN static const bucket_scene& scene_of(const build_view& view) { return view.as<cgrx_view>(); }
  PIVOTSCOPE_FN static u32 bucket_size(const cgrx_config& c) { return c.bucket; }
  template <class Key>
  PIVOTSCOPE_FN static Key key_of(const build_view& view, u64 rank) {
    return view.template key<Key>(rank);
  }
};

struct cgrx {
  using config = cgrx_config;
  using state = cgrx_view;
  static constexpr region_id entries{0};
  static constexpr scene_regions scene = cgrx_scene::scene;
  static constexpr region_id rows{3};  // of the layout in columns

  static constexpr u32 build_at_once = 4;  // entries that a GPU's thread builds

  PIVOTSCOPE_FN static constexpr u32 lanes(const cgrx_config&) { return 1; }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const cgrx_config&) { return 0; }

  // Returns the row ids of the wave's keys, or not_found.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const state_view& view) {
    using key_type = typename Wave::key;
    const cgrx_view& here = view.as<cgrx_view>();
    const bucket_cells<key_type, Config> cells(config);
    auto found = wave.all(not_found);
    const auto at = lower_bound(config, wave, here);
    wave.each([&](u32 i) {
      if (at[i].slot >= at[i].end) return;  // no bucket, or it ends before the key
      wave.memory.step(entries_level(here));
      const auto entry = cells.load_entry(wave.memory, at[i].slot);
      wave.memory.saw(entries, at[i].slot, entry.key);
      if (entry.key == wave.keys[i]) found[i] = entry.row;
      wave.memory.watch("wave.keys[i]", wave.keys[i], "at[i].slot", at[i].slot, "entry.key", entry.key, "found[i]",
                        watched_row{found[i]});
    });
    return found;
  }

  // Counts the entries of [low, high] and sums their row ids. Calls output.row(place, row id) for each, from `place`
  // on.
  template <class Config, class Lanes, class Memory, class Key, class Output>
  PIVOTSCOPE_FN static range_answer range(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key low,
                                          Key high, u64 place, Output& output) {
    const cgrx_view& here = view.as<cgrx_view>();
    const bucket_cells<Key, Config> cells(config);
    range_answer answer{};
    if (low > high) return answer;
    auto one = wave_of(lanes, memory, low);
    u64 at = lower_bound(config, one, here)[0].slot;
    for (bool going = at < here.keys; going; going = going && at < here.keys) {
      memory.scan_step(entries_level(here), false);
      for (u32 i = 0; i < bucket_read_at_once && going && at < here.keys; ++i) {
        const auto entry = cells.load_entry(memory, at);
        memory.saw(entries, at, entry.key);
        going = entry.key <= high;
        if (!going) break;
        output.row(place + answer.count, entry.row);
        answer.row_sum += entry.row;
        ++answer.count, ++at;
      }
      memory.watch("low", low, "high", high, "at", at, "answer.count", answer.count, "answer.row_sum", answer.row_sum);
    }
    return answer;
  }

  // Returns the least key greater than `key`, or with `itself` the least that is not smaller, and a row id of it.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static successor_answer next_key(Config config, Lanes& lanes, Memory& memory, const state_view& view,
                                                 Key key, bool itself) {
    const cgrx_view& here = view.as<cgrx_view>();
    const Key low = itself ? key : key_after(key);
    auto one = wave_of(lanes, memory, low);
    const u64 at = lower_bound(config, one, here)[0].slot;
    successor_answer answer{};
    if (at < here.keys) {
      memory.scan_step(entries_level(here), false);
      const auto entry = bucket_cells<Key, Config>(config).load_entry(memory, at);
      memory.saw(entries, at, entry.key);
      // No key follows the greatest value. The search was for that value then, and it is no answer.
      if (itself || low != key) answer = {entry.key, entry.row};
      memory.watch("key", key, "low", low, "at", at, "answer.key", answer.key, "answer.row", watched_row{answer.row});
    }
    return answer;
  }

  // --- The passes of the build ---
  struct build_entries {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      at_key(config, view, static_cast<u32>(i), view.template key<Key>(i), view.sorted_row(i));
    }
    // The same for a key in hand.
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at_key(Config config, const build_view& view, u32 rank, Key key, u32 row) {
      bucket_cells<Key, Config>(config).store(view, rank, key, row);
    }
  };
  struct number_slots : scene_passes<cgrx_scene>::number_slots {};
  struct place_triangles : scene_passes<cgrx_scene>::place_triangles {};
  struct bound_groups : scene_passes<cgrx_scene>::bound_groups {};

 private:
  PIVOTSCOPE_FN static u32 entries_level(const cgrx_view& here) { return here.tree.levels + 1; }

  // Returns where the first entry lies that is not smaller than each key of the wave, and the end of its bucket.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto lower_bound(Config config, Wave& wave, const cgrx_view& here) {
    using key_type = typename Wave::key;
    const auto buckets =
        wave.told_by(buckets_of(config, wave, scene, here, no_bucket), [](u32 bucket) { return bucket; });
    auto at = wave.all(place_in_bucket{here.keys, here.keys});
    wave.each([&](u32 i) {
      if (buckets[i] == no_bucket) return;
      at[i] = {here.bucket_begin(buckets[i], config.value.bucket), here.bucket_end(buckets[i], config.value.bucket)};
    });
    const bucket_cells<key_type, Config> cells(config);
    const auto level_of = [&](u64) { return entries_level(here); };
    if (config.value.search == bucket_search::binary)
      search_by_halves(cells, wave, first_step_of_bucket(config.value.bucket), at, level_of);
    else
      search_one_by_one(cells, wave, at, level_of);
    return at;
  }
};

// The rays of lookups alone: each is answered by its bucket, or no_bucket (cgrx, Figure 10b).
struct cgrx_rays : cgrx {
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const state_view& view) {
    return wave.told_by(buckets_of(config, wave, scene, view.as<cgrx_view>(), no_bucket),
                        [](u32 bucket) { return bucket; });
  }
};

}  // namespace pivotscope
