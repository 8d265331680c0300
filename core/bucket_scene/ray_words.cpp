#include "core/bucket_scene/ray_words.hpp"

#include <fmt/format.h>

#include "core/index/box_words.hpp"

namespace pivotscope {
namespace {

const char* axis_of(cast what) {
  switch (what) {
    case cast::own_row:
    case cast::row_found:
      return "x";
    case cast::next_row:
    case cast::plane_found:
      return "y";
    case cast::next_plane:
      return "z";
  }
  return "";
}

std::string run_words(u64 first, u64 count) {
  return count == 1 ? std::to_string(first) : fmt::format("{} to {}", first, first + count - 1);
}

}  // namespace

bool ray_words::is_of_rays(const trace_step& step) const {
  if (step.kind != step_kind::search || step.compared.empty()) return false;
  const region_id met = step.compared.front().array;
  return met == in_.boxes || met == in_.triangles;
}

std::string ray_words::start_words(u64 key) const {
  return fmt::format("{} is at {} in the scene. A ray along x goes from there to the representatives of its row.", key,
                     place_words(scene_.grid.of(key)));
}

// True if the step is a ray's first: it looks through the root, to which no ray comes back.
bool ray_words::begins_ray(const trace_step& step) const { return is_of_rays(step) && step.level == 0; }

std::optional<u32> ray_words::tell(trace_step& step, const trace_step* next) {
  const bool boxes = step.compared.back().array == in_.boxes;
  const u64 first = step.compared.front().slot, count = step.compared.size();
  step.where = boxes ? fmt::format("level {}, box{} {}", step.level, count == 1 ? "" : "es", run_words(first, count))
                     : fmt::format("triangle{} {}", count == 1 ? "" : "s", run_words(first, count));
  const std::string ray = fmt::format("The ray along {}", axis_of(now_));
  if (boxes && tell_boxes_met(step, in_, ray)) return std::nullopt;
  if (!boxes && step.compared.back().met == relation::hit) return tell_hit(step, next, step.compared.back().slot, ray);
  step.words = count == 1
                   ? fmt::format("{} does not {} this {}.", ray, boxes ? "meet" : "hit", boxes ? "box" : "triangle")
                   : fmt::format("{} {} none of these {} {}.", ray, boxes ? "meets" : "hits", count,
                                 boxes ? "boxes" : "triangles");
  step.brief = "none";
  if (!next) return std::nullopt;
  if (!begins_ray(*next)) {
    step.next = back_words(*next);
    return std::nullopt;
  }
  step.words += " It has come to its end without a hit.";
  now_ = now_ == cast::own_row ? cast::next_row : cast::next_plane;
  step.next = now_ == cast::next_row
                  ? "No representative follows in this row. A ray along y looks for the next row that has one."
                  : "No row follows in this plane. A ray along z looks for the next plane that has one.";
  return std::nullopt;
}

std::optional<u32> ray_words::tell_hit(trace_step& step, const trace_step* next, u64 cell, const std::string& ray) {
  triangle_cell triangle{};
  const auto read =
      index_.read(in_.triangles, cell * sizeof(triangle_cell), std::as_writable_bytes(std::span(&triangle, 1)));
  if (!read) {  // the index is on a device that is gone
    step.words = fmt::format("{} hits triangle {}.", ray, cell);
    if (next) step.next = "On from there.";
    return std::nullopt;
  }
  const grid_point at = model_.place_of(triangle);
  step.words = fmt::format("{} hits the {} of triangle {}, at {}.", ray, triangle.flipped() ? "back" : "front", cell,
                           place_words(at));
  if (next && begins_ray(*next)) {
    const bool to_plane = now_ == cast::next_plane;
    step.brief = to_plane ? fmt::format("plane {}", at.z) : fmt::format("row {}", at.y);
    step.next = to_plane ? fmt::format("Plane z = {} has representatives: a ray along y finds its first row.", at.z)
                         : fmt::format("Row y = {} has representatives: a ray along x finds the first.", at.y);
    now_ = to_plane ? cast::plane_found : cast::row_found;
    return std::nullopt;
  }
  const u32 bucket = model_.bucket_of(triangle).value_or(0);
  if (now_ != cast::own_row && now_ != cast::row_found) step.words += " It is alone in its row.";
  step.words += fmt::format(" It leads to bucket {}.", bucket);
  step.brief = fmt::format("bucket {}", bucket);
  return bucket;
}

}  // namespace pivotscope
