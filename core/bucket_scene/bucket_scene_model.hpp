// bucket_scene_model: what the triangles of a scene over buckets are in the model of an index, and which bucket each
// leads to.
#pragma once

#include <optional>
#include <string>

#include "core/bucket_scene/scene.hpp"
#include "core/index/index_scene.hpp"

namespace pivotscope {

class bucket_scene_model : public scene_model {
 public:
  bucket_scene_model(scene_regions in, const bucket_scene& scene, scene_form form, u32 wide)
      : scene_model(in, scene.tree, scene.grid, wide), form_(form), buckets_(scene.buckets), view_(scene) {}

  region_info triangles() const;
  // Returns the bucket that the triangle leads to. Nothing: it is a marker, which leads to none.
  std::optional<u32> bucket_of(const triangle_cell& triangle) const;
  // "(3, 0, 1): bucket 4, flipped". Empty: it is not at hand.
  std::string triangle_words(u64 cell, const region_reader& read) const;
  std::string triangle_brief(u64 cell, const region_reader& read) const;

  // For views (index_scene.hpp). What a triangle is, as far as it says itself: a representative may have been moved.
  scene_triangle seen(const triangle_cell& triangle) const;
  // Tells a representative whose bucket's last key is `key` whether it was moved.
  void tell_moved(scene_triangle& representative, u64 key) const;
  // The steps of the trace say which ray is under way and what it hit; where it goes, the lookup's own caster says.
  std::vector<scene_ray> rays_of(const lookup_trace& trace, const region_reader& read) const;

 private:
  bool marks_row(const triangle_cell& triangle) const { return triangle.primitive() < 2 * buckets_; }

  scene_form form_;
  u32 buckets_;
  bucket_scene view_;
};

}  // namespace pivotscope
