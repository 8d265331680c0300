// A cgRX index of the cpu machine with its scene at hand: its rays, cast by the tree and by a look at every triangle.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "core/families/cgrx/cgrx_model.hpp"
#include "core/simt/host.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::testing {

// A ray of a lookup, and what it hit.
struct told_ray {
  cast what = {};
  bool hit = false;
  grid_point at = {};  // of the triangle
  side met = side::none;
  u32 primitive = 0;
};
inline bool operator==(const told_ray& a, const told_ray& b) {
  return a.what == b.what && a.hit == b.hit && a.met == b.met && a.primitive == b.primitive &&
         (!a.hit || (a.at.x == b.at.x && a.at.y == b.at.y && a.at.z == b.at.z));
}
inline void PrintTo(const told_ray& r, std::ostream* out) {
  *out << "cast " << static_cast<int>(r.what) << (r.hit ? " hits " : " misses ") << r.primitive << " at (" << r.at.x
       << ", " << r.at.y << ", " << r.at.z << "), side " << static_cast<int>(r.met);
}

class built_scene {
 public:
  built_scene(const index_config& config, const key_array& keys)
      : config_(cgrx_config::of(config)), index_(build_on_cpu(config, keys)) {
    EXPECT_TRUE(index_);
    view_ = index_->state_as<cgrx_view>();
    triangles_.resize(view_.tree.triangles), boxes_.resize(view_.tree.boxes());
    EXPECT_TRUE(index_->read(cgrx::scene.triangles, 0, std::as_writable_bytes(std::span(triangles_))));
    EXPECT_TRUE(index_->read(cgrx::scene.boxes, 0, std::as_writable_bytes(std::span(boxes_))));
  }

  const built_index& index() const { return *index_; }
  const cgrx_view& view() const { return view_; }
  const std::vector<triangle_cell>& triangles() const { return triangles_; }
  const std::vector<box>& boxes() const { return boxes_; }
  cgrx_model model() const { return {config_, view_}; }

  struct lookup {
    std::vector<told_ray> rays;
    u32 bucket = no_bucket;
  };
  // The rays of a key, which is not above the greatest one.
  lookup by_tree(u64 key) const {
    return rays_of(key, [&](const axis_ray& ray) { return through_tree(ray); });
  }
  lookup by_all_triangles(u64 key) const {
    return rays_of(key, [&](const axis_ray& ray) { return closest_of_all(ray); });
  }

  ray_step through_tree(const axis_ray& ray) const {
    no_recorder nobody;
    direct_source source;
    source.regions[number_of(cgrx::scene.triangles)] = reinterpret_cast<const std::byte*>(triangles_.data());
    source.regions[number_of(cgrx::scene.boxes)] = reinterpret_cast<const std::byte*>(boxes_.data());
    host_memory<no_recorder, direct_source> memory(source, nobody);
    ray_search search;
    ray_step step;
    do {
      step = step_of_ray(memory, cgrx::scene, view_.tree, config_.wide, half_units::of(view_.grid), ray, search);
    } while (step.what == ray_step::goes_on);
    return step;
  }

  // Knows nothing of boxes, nor of an order.
  ray_step closest_of_all(const axis_ray& ray) const {
    ray_step closest{ray_step::missed, side::none, {}};
    for (const triangle_cell& t : triangles_) {
      const float centre[] = {t.x, t.y, t.z};
      bool is_on_ray = centre[ray.axis] >= ray.from[ray.axis] && centre[ray.axis] <= ray.to;
      for (u32 a = 0; a < box_axes; ++a) is_on_ray = is_on_ray && (a == ray.axis || centre[a] == ray.from[a]);
      const float best[] = {closest.at.x, closest.at.y, closest.at.z};
      if (is_on_ray && (closest.what == ray_step::missed || centre[ray.axis] < best[ray.axis]))
        closest = {ray_step::hit, t.flipped() ? side::back : side::front, t};
    }
    return closest;
  }

 private:
  template <class Trace>
  lookup rays_of(u64 key, Trace&& trace) const {
    const caster rays(dynamic_config{config_}, view_);
    cast_state state = rays.begin(key);
    lookup all;
    for (bool goes_on = true; goes_on;) {
      const ray_step end = trace(state.ray);
      told_ray told{.what = state.now, .hit = end.what == ray_step::hit};
      if (told.hit) told.at = model().scene().place_of(end.at), told.met = end.met, told.primitive = end.at.primitive();
      all.rays.push_back(told);
      EXPECT_LE(all.rays.size(), 5u);
      goes_on = all.rays.size() <= 5 && rays.next(key, state, end);
    }
    all.bucket = state.bucket;
    return all;
  }

  cgrx_config config_;
  std::shared_ptr<const built_index> index_;
  cgrx_view view_;
  std::vector<triangle_cell> triangles_;
  std::vector<box> boxes_;
};

}  // namespace pivotscope::testing
