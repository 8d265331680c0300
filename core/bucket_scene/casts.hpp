// The rays of a lookup of cgRX: which are cast, in which order, and what each says (cgrx, Algorithm 2 and Section 3.3).
//
//   own row      along x, from the key's place on                 hit: its bucket
//   next row     along y, from the row behind on                  hit: a row with representatives
//   row found    along x, from the begin of that row on           hit: its bucket
//   next plane   along z, from the plane behind on                hit: a plane with representatives
//   plane found  along y, from the begin of that plane on         hit: its first row
//
// So up to five: own row, next row, next plane, plane found, row found. Rays along y and z go where the markers are:
// at -1 in the naive scene, at x_max and y_max in the optimised one. There the hit may be of a triangle that is alone
// in its row. It is flipped: the ray sees its back, and knows the bucket without another ray.
#pragma once

#include "core/bucket_scene/scene.hpp"

namespace pivotscope {

enum class cast : u8 { own_row, next_row, row_found, next_plane, plane_found };

// A key's lookup under way.
struct cast_state {
  axis_ray ray;
  ray_search search;
  cast now;
  u32 rays;    // cast so far, this one too
  u32 bucket;  // no_bucket while it is not known
};

template <class Config>
class caster {
 public:
  PIVOTSCOPE_FN caster(Config config, const bucket_scene& view)
      : config_(config), view_(view), half_(half_units::of(view.grid)) {}

  PIVOTSCOPE_FN const half_units& half() const { return half_; }

  // Returns the first ray of a key. It begins half a unit before the key's place, as rays and triangles meet in the
  // middle.
  PIVOTSCOPE_FN cast_state begin(u64 key) const {
    const triangle_cell at = triangle_at(view_.grid, view_.grid.of(key), 0, false);
    return {along_x(at.x - half_.axes[0], at.y, at.z), {}, cast::own_row, 1, no_bucket};
  }

  // Goes on after a ray that has come to its end. Returns false where no other follows: then the bucket is known.
  PIVOTSCOPE_FN bool next(u64 key, cast_state& state, const ray_step& end) const {
    const bool hit = end.what == ray_step::hit,
               along_x_axis = state.now == cast::own_row || state.now == cast::row_found,
               along_y_axis = state.now == cast::next_row || state.now == cast::plane_found;
    const bool alone = config_.value.form == scene_form::optimised && end.met == side::back;
    if (hit && (along_x_axis || (along_y_axis && alone))) {
      state.bucket = bucket_of_primitive(end.at.primitive(), view_.buckets);
      return false;
    }
    const triangle_cell own = triangle_at(view_.grid, view_.grid.of(key), 0, false);
    if (hit && along_y_axis) {
      to(state, cast::row_found, along_x(-half_.axes[0], end.at.y, end.at.z));
    } else if (hit) {
      to(state, cast::plane_found, along_y(-half_.axes[1], end.at.z));
    } else if (state.now == cast::own_row) {
      to(state, cast::next_row, along_y(own.y + half_.axes[1], own.z));
    } else if (state.now == cast::next_row) {
      to(state, cast::next_plane, along_z(own.z + half_.axes[2]));
    } else {
      return false;  // no key that is not greater than the greatest comes here
    }
    return true;
  }

 private:
  PIVOTSCOPE_FN static void to(cast_state& state, cast what, const axis_ray& ray) {
    state.now = what, state.ray = ray, state.search = {};
    ++state.rays;
  }

  // Where the markers are.
  PIVOTSCOPE_FN bool is_naive() const { return config_.value.form == scene_form::naive; }
  PIVOTSCOPE_FN float marks_x() const { return is_naive() ? -1.0f : static_cast<float>(view_.grid.x_max()); }
  PIVOTSCOPE_FN float marks_y() const {
    return (is_naive() ? -1.0f : static_cast<float>(view_.grid.y_max())) * view_.grid.y_unit();
  }
  PIVOTSCOPE_FN static axis_ray along_x(float x, float y, float z) { return {{x, y, z}, far_away, 0}; }
  PIVOTSCOPE_FN axis_ray along_y(float y, float z) const { return {{marks_x(), y, z}, far_away, 1}; }
  PIVOTSCOPE_FN axis_ray along_z(float z) const { return {{marks_x(), marks_y(), z}, far_away, 2}; }

  Config config_;
  const bucket_scene& view_;
  half_units half_;
};

// All of a config that a caster asks for: for who has none at hand.
struct form_alone {
  struct {
    scene_form form;
  } value;
};

}  // namespace pivotscope
