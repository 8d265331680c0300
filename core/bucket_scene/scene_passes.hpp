// The passes that build a scene over buckets. The family's struct inherits each.
//
// Source, of the family: `scene` and the arrays `slot_codes` and `slot_numbers`; and
//   scene_of(view)             the bucket_scene in its state
//   bucket_size(config)        entries of a bucket
//   key_of<Key>(view, rank)    the sorted keys
#pragma once

#include "core/bucket_scene/scene.hpp"

namespace pivotscope {

// Arrays beside the regions while a scene is built: each slot's Morton number, and the slot.
struct scene_arrays {
  static constexpr array_id slot_codes{0}, slot_numbers{1};
  static constexpr u32 empty_slot = ~0u;
};

template <class Source>
struct scene_passes {
  // What stands in each slot of the scene. Counts those that are not empty.
  struct number_slots {
    template <class Key, class Config>
    PIVOTSCOPE_FN static bool at(Config config, const build_view& view, u64 i) {
      const scene_slot slot = slot_of<Key>(config, view, static_cast<u32>(i));
      view.array<Key>(scene_arrays::slot_codes)[i] =
          slot.is_there ? static_cast<Key>(Source::scene_of(view).grid.morton(slot.at)) : greatest_key<Key>();
      view.array<u32>(scene_arrays::slot_numbers)[i] = slot.is_there ? static_cast<u32>(i) : scene_arrays::empty_slot;
      return slot.is_there;
    }
  };
  // Stores the triangles in the order of the curve. Empty slots have the greatest number, so they are behind all
  // triangles, but that one triangle may have that number too: it is the last.
  struct place_triangles {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const u32 number = view.array<u32>(scene_arrays::slot_numbers)[i];
      if (number == scene_arrays::empty_slot) return;
      const bucket_scene& here = Source::scene_of(view);
      const scene_slot slot = slot_of<Key>(config, view, number);
      const u64 last = here.tree.triangles - 1;
      view.store(Source::scene.triangles, i < last ? i : last, triangle_at(here.grid, slot.at, number, slot.flipped));
    }
  };
  // Bounds the groups below a level of boxes.
  struct bound_groups {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const bucket_scene& here = Source::scene_of(view);
      bound_group(view, Source::scene, here.tree, config.value.wide, half_units::of(here.grid), here.bounded_level,
                  static_cast<u32>(i));
    }
  };

 private:
  template <class Key, class Config>
  PIVOTSCOPE_FN static scene_slot slot_of(Config config, const build_view& view, u32 slot) {
    return slot_of_scene(config.value.form, Source::scene_of(view), Source::bucket_size(config.value), slot,
                         [&](u64 rank) { return Source::template key_of<Key>(view, rank); });
  }
};

}  // namespace pivotscope
