// rx: the index of triangles and rays, a triangle for each key (RX, the paper that cgrx goes on from; cgrx, Section
// 2). The code here runs on all machines.
//
//   key          z bits | y bits | x bits: a place (x, y, z)                                         core/rays/grid.hpp
//   triangles    | x y z row | x y z row | ...   in Morton order                                 core/rays/triangle.hpp
//   boxes        the least and greatest x, y and z of a group of boxes or triangles         core/rays/bounding_tree.hpp
//
//   region       cells
//   triangles    {x, y, z, row id}, 16 bytes: the place tells the key, so no key is stored
//   boxes        24 bytes
//
// Invariants
// - Each key has a triangle at its place; equal keys have one each, in the order of their row ids.
// - There is nothing else: no sorted array, no order of keys but the scene's.
//
// Operations
//   find       one ray along x, that begins half a unit before the key's place and ends half a unit behind it. A hit
//              returns the least row id of its key. A miss ends where no box is met.
//   range      up to five beams of rays (beams.hpp): all triangles that they hit, in no order.
//   build      three stages: Morton numbers of the keys, as they come; sorted; triangles. Then boxes, level by level.
//   bytes      16 + 24 / (wide - 1) a key.
#pragma once

#include "core/common/answers.hpp"
#include "core/families/rx/beams.hpp"
#include "core/families/rx/config.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

// What a search finds its way by, and a build.
struct rx_view {
  u64 greatest = 0;  // key
  key_grid grid = {};
  bounding_tree tree = {};
  u32 bounded_level = 0;  // of a pass that bounds groups
};

struct rx {
  using config = rx_config;
  using state = rx_view;
  static constexpr scene_regions scene{region_id{0}, region_id{1}};
  // Beside the regions while the index is built: each key's Morton number, and its row id.
  static constexpr array_id key_codes{0}, key_rows{1};

  PIVOTSCOPE_FN static constexpr u32 lanes(const rx_config&) { return 1; }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const rx_config&) { return 0; }

  // Returns the row ids of the wave's keys, or not_found.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const state_view& view) {
    using key_type = typename Wave::key;
    const rx_view& here = view.as<rx_view>();
    const half_units half = half_units::of(here.grid);
    auto rows = wave.to_keep(not_found);
    struct cast_ray {
      axis_ray ray;
      ray_search search;
      u32 row;
    };
    wave.again(
        wave.of_owners([&](u32, key_type key) { return here.tree.triangles != 0 && key <= here.greatest; }),
        [&](u32, key_type key) {
          return cast_ray{ray_to(here.grid, half, key), {}, not_found};
        },
        [&](key_type key, cast_ray& now, bool) {
          wave.memory.step(now.search.level);
          const walk_step step = step_through(wave.memory, scene, here.tree, config.value.wide, now.ray, now.search,
                                              [&](u32 cell, const triangle_cell& triangle) {
                                                wave.memory.saw(scene.triangles, cell, key_at(here.grid, triangle));
                                                const bool hit = side_met(now.ray, triangle, half) != side::none;
                                                if (hit) now.row = triangle.mark;
                                                return hit;
                                              });
          wave.memory.watch("key", key, "now.row", watched_row{now.row});
          return step == walk_step::goes_on;
        },
        [&](u32 i, const cast_ray& now) { rows[i] = now.row; });
    return rows;
  }

  // Counts the entries of [low, high] and sums their row ids. Calls output.row(place, row id) for each, from `place`
  // on.
  template <class Config, class Lanes, class Memory, class Key, class Output>
  PIVOTSCOPE_FN static range_answer range(Config config, Lanes&, Memory& memory, const state_view& view, Key low,
                                          Key high, u64 place, Output& output) {
    const rx_view& here = view.as<rx_view>();
    range_answer answer{};
    const u64 end = high < here.greatest ? high : here.greatest;
    if (here.tree.triangles == 0 || low > end) return answer;
    for (u32 number = 0; number < most_beams; ++number) {
      const beam_of_range asked = beam_number(here.grid, low, end, number);
      ray_search search;
      walk_step step = asked.is_there ? walk_step::goes_on : walk_step::ended;
      while (step == walk_step::goes_on) {
        memory.step(search.level);
        memory.hold("beam", u64{number} + 1);
        step = step_through(memory, scene, here.tree, config.value.wide, asked.rays, search,
                            [&](u32 cell, const triangle_cell& triangle) {
                              memory.saw(scene.triangles, cell, key_at(here.grid, triangle));
                              if (!asked.rays.hits(triangle)) return false;
                              output.row(place + answer.count, triangle.mark);
                              answer.row_sum += triangle.mark;
                              ++answer.count;
                              return false;
                            });
        memory.watch("low", low, "high", high, "answer.count", answer.count, "answer.row_sum", answer.row_sum);
      }
    }
    return answer;
  }

  // --- The passes of the build ---
  struct number_keys {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const rx_view& here = view.as<rx_view>();
      view.array<Key>(key_codes)[i] = static_cast<Key>(here.grid.morton(here.grid.of(view.template key<Key>(i))));
      view.array<u32>(key_rows)[i] = view.row(i);
    }
  };
  struct place_triangles {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      const rx_view& here = view.as<rx_view>();
      const u32 row = view.array<u32>(key_rows)[i];
      const grid_point at = here.grid.point_of(view.array<Key>(key_codes)[i]);
      view.store(scene.triangles, i, triangle_at(here.grid, at, row, false));
    }
  };
  // Bounds the groups below a level of boxes.
  struct bound_groups {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const rx_view& here = view.as<rx_view>();
      bound_group(view, scene, here.tree, config.value.wide, half_units::of(here.grid), here.bounded_level,
                  static_cast<u32>(i));
    }
  };

  // Returns the key whose place the triangle has.
  PIVOTSCOPE_FN static u64 key_at(const key_grid& grid, const triangle_cell& triangle) {
    return grid.key_of({static_cast<int>(triangle.x), static_cast<int>(triangle.y / grid.y_unit()),
                        static_cast<int>(triangle.z / grid.z_unit())});
  }

  // Returns a ray that goes through the key's place alone.
  PIVOTSCOPE_FN static axis_ray ray_to(const key_grid& grid, const half_units& half, u64 key) {
    const triangle_cell at = triangle_at(grid, grid.of(key), 0, false);
    return {{at.x - half.axes[0], at.y, at.z}, at.x + half.axes[0], 0};
  }
};

}  // namespace pivotscope
