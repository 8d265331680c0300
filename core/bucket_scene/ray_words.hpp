// ray_words: puts the steps of a lookup's rays into words, from the first ray to the bucket that one leads to.
#pragma once

#include <optional>
#include <string>

#include "core/bucket_scene/bucket_scene_model.hpp"
#include "core/bucket_scene/casts.hpp"
#include "core/index/built_index.hpp"
#include "core/index/lookup_trace.hpp"

namespace pivotscope {

class ray_words {
 public:
  // All are borrowed.
  ray_words(const stored_index& index, scene_regions in, const bucket_scene& scene, const bucket_scene_model& model)
      : index_(index), in_(in), scene_(scene), model_(model) {}

  // True if the step looks at boxes or at triangles.
  bool is_of_rays(const trace_step& step) const;
  // Returns the begin of a search that casts rays.
  std::string start_words(u64 key) const;
  // Tells a step of the rays. `next`: the trace's next step, or null. Returns the bucket where the last ray found one:
  // then the caller says where the search goes on.
  std::optional<u32> tell(trace_step& step, const trace_step* next);

 private:
  bool begins_ray(const trace_step& step) const;
  std::optional<u32> tell_hit(trace_step& step, const trace_step* next, u64 cell, const std::string& ray);

  const stored_index& index_;
  scene_regions in_;
  const bucket_scene& scene_;
  const bucket_scene_model& model_;
  cast now_ = cast::own_row;
};

}  // namespace pivotscope
