#include "core/families/cgrx/building.hpp"

#include <algorithm>

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
    if (auto s = build_scene(); !s) return s.error();
    if (auto s = build_boxes(); !s) return s.error();
    return state_bytes(view_);
  }

 private:
  outcome<u64> run(pass_number pass, u64 items) { return on_.run(cgrx_passes()[pass], items, state_bytes(view_)); }

  // The extreme representatives, and what of the scene follows from them (cgrx, Algorithm 1, lines 1 to 4). With
  // fewer keys than a bucket has room for, the least representative is the last key; the paper reads behind it.
  status measure_keys() {
    const u64 rank = std::min<u64>(config_.bucket, view_.keys) - 1;
    const u32 bytes = key_bytes(config_.keys);
    u64 key = 0;  // little-endian, as every machine that CUDA runs on
    if (auto s = on_.read(cgrx::entries, rank * entry_bytes(config_),
                          std::as_writable_bytes(std::span(&key, 1)).first(bytes));
        !s)
      return s;
    view_.least_representative = key, view_.greatest = on_.key_range().second;
    view_.grid = grid_for(view_.greatest, config_.x_bits, config_.y_bits, config_.y_scale, config_.z_scale);
    view_.buckets = static_cast<u32>(ceil_div<u64>(view_.keys, config_.bucket));
    view_.several_rows = view_.grid.row_of(key) != view_.grid.row_of(view_.greatest);
    view_.several_planes = view_.grid.plane_of(key) != view_.grid.plane_of(view_.greatest);
    return fine();
  }

  status build_scene() {
    const u64 slots = view_.slots();
    if (auto s = on_.allocate_array(cgrx::slot_codes, slots * key_bytes(config_.keys), "the scene's places"); !s)
      return s;
    if (auto s = on_.allocate_array(cgrx::slot_numbers, slots * sizeof(u32), "the scene's slots"); !s) return s;
    const auto triangles = run(number_slots, slots);
    if (!triangles) return triangles.error();
    if (auto s = on_.sort_pairs(cgrx::slot_codes, cgrx::slot_numbers, slots, "sort slots"); !s) return s;
    view_.tree = bounding_tree::of(static_cast<u32>(*triangles), config_.wide);
    if (auto s = on_.resize(cgrx::scene.triangles, view_.tree.triangles); !s) return s;
    if (auto s = on_.resize(cgrx::scene.boxes, view_.tree.boxes()); !s) return s;
    if (auto done = run(place_triangles, slots); !done) return done.error();
    return fine();
  }

  status build_boxes() {
    for (u32 level = view_.tree.levels; level-- > 0;) {
      view_.bounded_level = level;
      if (auto done = run(bound_groups, view_.tree.count[level]); !done) return done.error();
    }
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
