// What stands in a scene over buckets of sorted entries, as of cgRX: for each bucket its representative, and what marks
// rows and planes. It is the code of the build, on all machines (cgrx, Algorithms 1 and 3).
//
//   slot        of B buckets
//   0 ..        the representative of bucket `slot`: a triangle at its last key, or moved behind it
//   B ..        what marks the row of representative `slot` - B, if there are several rows
//   2 B ..      what marks its plane, if there are several planes
//
// The slot is the primitive index of its triangle. Most slots of rows and planes are empty; the scene has what is left.
#pragma once

#include "core/bucket_scene/form.hpp"
#include "core/rays/bounding_tree.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

inline constexpr u32 no_bucket = ~0u;

// What a search finds its way by, and a build.
struct bucket_scene {
  u64 keys = 0;                                // that it was built over
  u64 least_representative = 0, greatest = 0;  // keys; the greatest representative is the greatest key
  key_grid grid = {};
  u32 buckets = 0;
  bool several_rows = false, several_planes = false;  // that have representatives
  bounding_tree tree = {};
  u32 bounded_level = 0;  // of a pass that bounds groups

  // Returns how many slots there are.
  PIVOTSCOPE_FN u32 slots() const { return buckets * (1 + u32{several_rows} + u32{several_planes}); }
  // The entries of a bucket of `size`: from begin to end, half open.
  PIVOTSCOPE_FN u64 bucket_begin(u32 bucket, u32 size) const { return least_of(u64{bucket} * size); }
  PIVOTSCOPE_FN u64 bucket_end(u32 bucket, u32 size) const { return least_of((u64{bucket} + 1) * size); }

 private:
  PIVOTSCOPE_FN u64 least_of(u64 slot) const { return slot < keys ? slot : keys; }
};

// What a slot gets. `is_there` is false where the slot stays empty.
struct scene_slot {
  bool is_there = false;
  grid_point at = {};
  bool flipped = false;
};

// A bucket's representative, and what lies beside it in sorted order.
struct representative {
  u64 key = 0;
  u64 previous = 0, next = 0;              // representatives; of the first and the last bucket meaningless
  u64 next_key = 0;                        // the first key of the next bucket
  bool is_first = false, is_last = false;  // of all buckets
};

// Returns what stands in a slot of the naive scene: representatives as they are, a marker at x = -1 for each of their
// rows, and one at x = y = -1 for each plane (cgrx, Algorithm 1). Of buckets with one representative the first has it.
PIVOTSCOPE_FN scene_slot naive_slot(const key_grid& grid, const representative& r, u32 kind) {
  const grid_point at = grid.of(r.key);
  if (kind == 0) return {r.is_first || r.key != r.previous, at, false};
  if (kind == 1) return {r.is_first || grid.row_of(r.key) != grid.row_of(r.previous), {-1, at.y, at.z}, false};
  return {r.is_first || grid.plane_of(r.key) != grid.plane_of(r.previous), {-1, -1, at.z}, false};
}

// True if the optimised scene has the representative at the end of its row: no key follows it there.
PIVOTSCOPE_FN bool is_movable(const key_grid& grid, const representative& r) {
  return r.is_last || grid.row_of(r.next_key) != grid.row_of(r.key);
}

// Returns the greatest key whose rays lead to the bucket of a representative: the key of its place in the scene. The
// last bucket has all greater keys as well.
PIVOTSCOPE_FN u64 bound_of(const key_grid& grid, scene_form form, const representative& r) {
  if (form == scene_form::naive || !is_movable(grid, r)) return r.key;
  const grid_point at = grid.of(r.key);
  return grid.key_of({grid.x_max(), at.y, at.z});
}

// Returns what stands in a slot of the optimised scene: the last representative of each row is at its end, x_max, and
// the last of each plane at x_max and y_max: moved there, or one more (cgrx, Algorithm 3).
//
// As printed the algorithm reads what follows the last key and the last bucket. Nothing follows: so the last
// representative can be moved, it marks no row, and its plane is marked, for rays of lower planes. And as printed it
// puts a marker where a representative stands that is at x_max by itself, if more of the same key follow: a ray would
// meet either.
PIVOTSCOPE_FN scene_slot optimised_slot(const key_grid& grid, const representative& r, u32 kind) {
  const grid_point at = grid.of(r.key);
  const int end = grid.x_max();
  const bool movable = is_movable(grid, r);
  if (kind == 0) {
    const bool is_new = r.is_first || r.key != r.previous;
    const bool alone = r.is_first || grid.row_of(r.previous) != grid.row_of(r.key);  // in its row
    return {is_new || (movable && at.x != end), {movable ? end : at.x, at.y, at.z}, movable && alone};
  }
  if (kind == 1) {
    const bool ends_row = !r.is_last && grid.row_of(r.next) != grid.row_of(r.key);
    return {!movable && ends_row && at.x != end, {end, at.y, at.z}, false};
  }
  const bool ends_plane = r.is_last || grid.plane_of(r.next) != grid.plane_of(r.key);
  return {ends_plane && at.y != grid.y_max(), {end, grid.y_max(), at.z}, false};
}

// Returns the bucket that the triangle of a slot leads to: what marks a row or a plane leads to the bucket behind
// (cgrx, Section 3.3). Of a naive scene, whose markers lead to no bucket, ask it of representatives alone.
PIVOTSCOPE_FN u32 bucket_of_primitive(u32 slot, u32 buckets) {
  return slot < buckets ? slot : slot < 2 * buckets ? slot - buckets + 1 : slot - 2 * buckets + 1;
}

// Returns the representative of a bucket of `size`. key_of(rank): the sorted keys.
template <class Keys>
PIVOTSCOPE_FN representative representative_of(const bucket_scene& here, u32 size, u32 bucket, Keys&& key_of) {
  const auto last_key = [&](u32 b) { return u64{key_of(here.bucket_end(b, size) - 1)}; };
  representative r;
  r.key = last_key(bucket);
  r.is_first = bucket == 0, r.is_last = bucket + 1 == here.buckets;
  if (!r.is_first) r.previous = last_key(bucket - 1);
  if (!r.is_last) r.next = last_key(bucket + 1), r.next_key = key_of(here.bucket_end(bucket, size));
  return r;
}

// The scene as passes of the build see it: the sorted keys are at hand.
template <class Keys>
PIVOTSCOPE_FN scene_slot slot_of_scene(scene_form form, const bucket_scene& here, u32 size, u32 slot, Keys&& key_of) {
  const u32 kind = slot / here.buckets;
  const representative r = representative_of(here, size, slot % here.buckets, key_of);
  return form == scene_form::naive ? naive_slot(here.grid, r, kind) : optimised_slot(here.grid, r, kind);
}

}  // namespace pivotscope
