#include "core/families/cgrx/rays.hpp"

#include "core/families/cgrx/cgrx.hpp"

namespace pivotscope {
namespace {

// Up to five rays a lookup, by caster (casts.hpp). A key up to the least representative casts none, nor does one above
// the greatest key.
struct cgrx_casts {
  using state = cast_state;
  cgrx_config config;
  cgrx_view view;

  bool begin(u64 key, state& now) const {
    if (view.keys == 0 || key > view.greatest || key <= view.least_representative) return false;
    now = rays().begin(key);
    return true;
  }
  bool next(u64 key, state& now, const ray_step& end) const { return rays().next(key, now, end); }

 private:
  caster<dynamic_config<cgrx_config>> rays() const { return {dynamic_config{config}, view}; }
};

}  // namespace

outcome<std::unique_ptr<ray_lookups>> cgrx_rays_of(const stored_index& index, const key_array& asked) {
  const cgrx_config config = cgrx_config::of(index.config());
  const cgrx_view& view = index.state_as<cgrx_view>();
  auto scene = read_scene(index, cgrx::scene, view.tree, config.wide, view.grid);
  if (!scene) return scene.error();
  return std::unique_ptr<ray_lookups>(
      std::make_unique<ray_lookups_of<cgrx_casts>>(std::move(*scene), cgrx_casts{config, view}, asked));
}

}  // namespace pivotscope
