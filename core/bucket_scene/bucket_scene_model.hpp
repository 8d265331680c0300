// bucket_scene_model: what the triangles of a scene over buckets are in the model of an index, and which bucket each
// leads to.
#pragma once

#include <optional>
#include <string>

#include "core/bucket_scene/scene.hpp"
#include "core/index/scene_model.hpp"

namespace pivotscope {

class bucket_scene_model : public scene_model {
 public:
  bucket_scene_model(scene_regions in, const bucket_scene& scene, scene_form form, u32 wide)
      : scene_model(in, scene.tree, scene.grid, wide), form_(form), buckets_(scene.buckets) {}

  region_info triangles() const;
  // Returns the bucket that the triangle leads to. Nothing: it is a marker, which leads to none.
  std::optional<u32> bucket_of(const triangle_cell& triangle) const;
  // "(3, 0, 1): bucket 4, flipped". Empty: it is not at hand.
  std::string triangle_words(u64 cell, const region_reader& read) const;
  std::string triangle_brief(u64 cell, const region_reader& read) const;

 private:
  bool marks_row(const triangle_cell& triangle) const { return triangle.primitive() < 2 * buckets_; }

  scene_form form_;
  u32 buckets_;
};

}  // namespace pivotscope
