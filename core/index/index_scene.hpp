// index_scene: what the model of an index tells, beside index_model, whose lookups are rays: triangles, the boxes over
// them, and the rays of a lookup. All places are in units of the grid, where neighbours of each axis are 1 apart: the
// scale of an axis moves no place, it decides which triangles share a box.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/index/lookup_trace.hpp"
#include "core/index/scene_model.hpp"

namespace pivotscope {

// What a triangle is for.
enum class triangle_kind : u8 {
  key,             // a key of its own (RX)
  representative,  // the last key of a bucket, at that key's place
  moved,           // the same, moved behind the key to the end of its row
  extra,           // one more at the end of a row or plane: leads to the bucket behind
  row_marker,      // marks a row, leads to no bucket
  plane_marker,    // marks a plane, leads to no bucket
};
inline constexpr std::size_t triangle_kinds = 6;
// Returns a kind's name, and its meaning in a sentence for a newcomer.
const char* name_of(triangle_kind kind);
const char* meaning_of(triangle_kind kind);

struct scene_triangle {
  grid_point at = {};
  triangle_kind kind = triangle_kind::key;
  bool flipped = false;
  std::optional<u64> bucket = {};       // that it leads to; nothing: it marks a row or a plane, or is of a single key
  std::optional<cell_ref> key = {};     // the cell of the key that it stands for
  std::optional<grid_point> from = {};  // of a moved one: the place of its key
};

// A ray of a lookup, or a beam of rays side by side, from one place to another.
struct scene_ray {
  std::string name;  // what it looks for: "own row"
  std::array<double, box_axes> from = {}, to = {};
  u32 axis = 0;
  bool is_endless = false;           // `to` of its axis means nothing: it leaves the scene
  bool is_beam = false;              // all rays of the box between `from` and `to`
  u32 first_step = 0, end_step = 0;  // its steps of the trace, half open
  std::optional<u64> hit = {};       // the cell of the triangle that it hits; a beam goes on behind its hits
  bool hits_back = false;            // it hits the back of that triangle
};

class index_scene {
 public:
  virtual ~index_scene() = default;

  virtual const scene_model& scene() const = 0;
  // Returns what a triangle is. Without a reader a triangle that was moved counts as a representative: only the key of
  // its bucket tells them apart.
  virtual scene_triangle look_at(u64 cell, const triangle_cell& triangle, const region_reader& read) const = 0;
  // Returns how many buckets there are, in the order of their keys; 0: triangles lead to none.
  virtual u64 buckets() const = 0;
  // Returns the bucket of a cell of the main region; nothing: triangles lead to none.
  virtual std::optional<u64> bucket_of_cell(u64 cell) const = 0;
  // Returns the rays of a lookup in their order, cast by the code of the lookup itself; `read` brings the triangles
  // that they hit. If one is not at hand the last ray is the one before.
  virtual std::vector<scene_ray> rays_of(const lookup_trace& trace, const region_reader& read) const = 0;
};

// Returns what else the model of an index tells; null: its lookups are no rays.
inline const index_scene* with_scene(const index_model& model) { return dynamic_cast<const index_scene*>(&model); }

// Returns the number that a step of a trace holds under this name: which ray is under way.
std::optional<u64> held_number(const trace_step& step, std::string_view name);

}  // namespace pivotscope
