#include "core/bucket_scene/bucket_rays.hpp"

#include "core/bucket_scene/casts.hpp"

namespace pivotscope {
namespace {

struct casts_to_buckets {
  using state = cast_state;
  form_alone config;
  bucket_scene view;

  bool begin(u64 key, state& now) const {
    if (view.buckets == 0 || key > view.greatest || key <= view.least_representative) return false;
    now = rays().begin(key);
    return true;
  }
  bool next(u64 key, state& now, const ray_step& end) const { return rays().next(key, now, end); }

 private:
  caster<form_alone> rays() const { return {config, view}; }
};

}  // namespace

outcome<std::unique_ptr<ray_lookups>> rays_to_buckets(const stored_index& index, scene_regions in,
                                                      const bucket_scene& scene, scene_form form, u32 wide,
                                                      const key_array& asked) {
  auto read = read_scene(index, in, scene.tree, wide, scene.grid);
  if (!read) return read.error();
  return ray_lookups_of<casts_to_buckets>::make(std::move(*read), casts_to_buckets{{{form}}, scene}, asked);
}

}  // namespace pivotscope
