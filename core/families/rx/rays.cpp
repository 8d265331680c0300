#include "core/families/rx/rays.hpp"

#include "core/families/rx/rx.hpp"

namespace pivotscope {
namespace {

// One ray a lookup, by rx::ray_to(); keys above the greatest cast none.
struct rx_casts {
  struct state {
    axis_ray ray;
  };
  rx_view view;

  bool begin(u64 key, state& now) const {
    if (view.tree.triangles == 0 || key > view.greatest) return false;
    now.ray = rx::ray_to(view.grid, half_units::of(view.grid), key);
    return true;
  }
  bool next(u64, state&, const ray_step&) const { return false; }
};

}  // namespace

outcome<std::unique_ptr<ray_lookups>> rx_rays_of(const stored_index& index, const key_array& asked) {
  const rx_view& view = index.state_as<rx_view>();
  auto scene = read_scene(index, rx::scene, view.tree, rx_config::of(index.config()).wide, view.grid);
  if (!scene) return scene.error();
  return ray_lookups_of<rx_casts>::make(std::move(*scene), rx_casts{view}, asked);
}

}  // namespace pivotscope
