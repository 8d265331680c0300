#include "core/families/cgrx/building.hpp"

#include <algorithm>

#include "core/bucket_scene/building.hpp"
#include "core/families/cgrx/cgrx.hpp"
#include "core/families/cgrx/cgrx_model.hpp"

namespace pivotscope {
namespace {

enum pass_number : u8 { build_entries, number_slots, place_triangles, bound_groups };

class cgrx_building {
 public:
  cgrx_building(executor& on, const cgrx_config& config) : on_(on), config_(config) { view_.keys = on.keys(); }

  outcome<state_bytes> build() {
    // How many triangles there are is known when they have been counted.
    if (auto s = on_.allocate(cgrx_model(config_, view_).region_list()); !s) return s.error();
    if (auto done = run(build_entries, view_.keys); !done) return done.error();
    if (view_.keys == 0) return state_bytes(view_);
    if (auto s = measure_keys(); !s) return s.error();
    const std::span<const build_pass> passes = cgrx_passes();
    if (auto s = build_scene(on_, view_,
                             {cgrx::scene, key_bytes(config_.keys), scene_knobs_of(config_), passes[number_slots],
                              passes[place_triangles], passes[bound_groups]});
        !s)
      return s.error();
    return state_bytes(view_);
  }

 private:
  outcome<u64> run(pass_number pass, u64 items) { return on_.run(cgrx_passes()[pass], items, state_bytes(view_)); }

  // The extreme representatives, and what of the scene follows from them. With fewer keys than a bucket has room for,
  // the least representative is the last key; the paper reads behind it.
  status measure_keys() {
    const u64 rank = std::min<u64>(config_.bucket, view_.keys) - 1;
    const u32 bytes = key_bytes(config_.keys);
    u64 key = 0;  // little-endian, as every machine that CUDA runs on
    if (auto s = on_.read(cgrx::entries, rank * entry_bytes(config_),
                          std::as_writable_bytes(std::span(&key, 1)).first(bytes));
        !s)
      return s;
    measure_scene(view_, scene_knobs_of(config_), config_.bucket, key, on_.key_range().second);
    return fine();
  }

  executor& on_;
  cgrx_config config_;
  cgrx_view view_;
};

}  // namespace

std::span<const build_pass> cgrx_passes() {
  static constexpr build_pass passes[] = {
      {"build entries", "building entries", "build_entries", host_items<cgrx, cgrx::build_entries>, cgrx::build_at_once,
       key_use::each},
      {"number slots", "numbering the scene's slots", "number_slots", host_items<cgrx, cgrx::number_slots>},
      {"place triangles", "placing triangles", "place_triangles", host_items<cgrx, cgrx::place_triangles>},
      {"bound groups", "bounding groups", "bound_groups", host_items<cgrx, cgrx::bound_groups>, 1, key_use::none}};
  return passes;
}

outcome<state_bytes> build_cgrx(executor& on, const cgrx_config& config) { return cgrx_building(on, config).build(); }

}  // namespace pivotscope
