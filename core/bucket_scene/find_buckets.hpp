// How lookups come to their buckets: by rays, and without one up to the least representative and above the greatest
// key; and how they search a bucket. Families of such scenes share it.
#pragma once

#include "core/bucket_scene/casts.hpp"

namespace pivotscope {

inline constexpr u32 bucket_read_at_once = 16;  // entries that a step of a scan reads

// Returns the greatest power of two up to the size of a bucket: the length of a search's first step.
PIVOTSCOPE_FN constexpr u32 first_step_of_bucket(u32 size) {
  for (u32 by = 1; by < 32; by *= 2) size |= size >> by;  // sets all bits below the highest one
  return size - (size >> 1);
}

// Returns the bucket of each key of the wave, for its owner. `beyond`: that of keys above the greatest one.
template <class Config, class Wave>
PIVOTSCOPE_FN auto buckets_of(Config config, Wave& wave, scene_regions scene, const bucket_scene& here, u32 beyond) {
  using key_type = typename Wave::key;
  auto buckets = wave.to_keep(beyond);
  const caster<Config> rays(config, here);
  const auto casts = wave.of_owners([&](u32 i, key_type key) {
    const bool is_there = here.buckets != 0 && key <= here.greatest, needs_ray = key > here.least_representative;
    if (is_there && !needs_ray) buckets[i] = 0;
    return is_there && needs_ray;
  });
  wave.again(
      casts, [&](u32, key_type key) { return rays.begin(key); },
      [&](key_type key, cast_state& state, bool) {
        wave.memory.step(state.search.level);
        const ray_step seen =
            step_of_ray(wave.memory, scene, here.tree, config.value.wide, rays.half(), state.ray, state.search);
        wave.memory.hold("ray", u64{state.rays});
        return seen.what == ray_step::goes_on || rays.next(key, state, seen);
      },
      [&](u32 i, const cast_state& state) { buckets[i] = state.bucket; });
  return buckets;
}

// A place among the entries of a bucket: of the first one that is not smaller than a key, or their end.
struct place_in_bucket {
  u64 slot = 0, end = 0;
};

// Moves each place on to the first entry that is not smaller than its key: by halves, in steps from `first_step` on.
// level_of(slot): the level of the trace.
template <class Cells, class Wave, class Places, class Level>
PIVOTSCOPE_FN void search_by_halves(const Cells& cells, Wave& wave, u32 first_step, Places& at, Level&& level_of) {
  using key_type = typename Wave::key;
  for (u32 step = first_step; step > 0; step /= 2) {
    wave.each([&](u32 i) {
      const u64 slot = at[i].slot + step - 1;
      if (slot >= at[i].end) return;
      wave.memory.step(level_of(slot));
      const key_type key = cells.load_key(wave.memory, slot);
      wave.memory.saw(Cells::entries, slot, key);
      at[i].slot += key < wave.keys[i] ? step : 0;
      wave.memory.watch("wave.keys[i]", wave.keys[i], "step", step, "slot", slot, "at[i].slot", at[i].slot);
    });
  }
}

// The same, one entry after the other.
template <class Cells, class Wave, class Places, class Level>
PIVOTSCOPE_FN void search_one_by_one(const Cells& cells, Wave& wave, Places& at, Level&& level_of) {
  using key_type = typename Wave::key;
  wave.again(
      wave.of_owners([&](u32 i, key_type) { return at[i].slot < at[i].end; }),
      [&](u32 i, key_type) {
        return place_in_bucket{at[i].slot, at[i].end};
      },
      [&](key_type searched, place_in_bucket& now, bool) {
        wave.memory.step(level_of(now.slot));
        const u64 until = now.end - now.slot < bucket_read_at_once ? now.end : now.slot + bucket_read_at_once;
        bool smaller = true;
        while (smaller && now.slot < until) {
          const key_type key = cells.load_key(wave.memory, now.slot);
          wave.memory.saw(Cells::entries, now.slot, key);
          smaller = key < searched;
          now.slot += smaller ? 1 : 0;
        }
        wave.memory.watch("searched", searched, "now.slot", now.slot, "smaller", smaller);
        return smaller && now.slot < now.end;
      },
      [&](u32 i, const place_in_bucket& now) { at[i].slot = now.slot; });
}

}  // namespace pivotscope
