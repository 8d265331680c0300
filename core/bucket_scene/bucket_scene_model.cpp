#include "core/bucket_scene/bucket_scene_model.hpp"

#include <fmt/format.h>

namespace pivotscope {

region_info bucket_scene_model::triangles() const {
  return {.id = "triangles",
          .name = "triangles",
          .cell_name = "triangle",
          .title = "triangles",
          .meaning =
              "The scene: a small triangle for each bucket's last key, and those that mark rows and "
              "planes. Neighbours in the scene lie near each other.",
          .cells = level_run(triangles_level()).count,
          .cell_bytes = sizeof(triangle_cell),
          .fields = {{"x", 0, 4, field_kind::other},
                     {"y", 4, 4, field_kind::other},
                     {"z", 8, 4, field_kind::other},
                     {"primitive index", 12, 4, field_kind::other}}};
}

std::optional<u32> bucket_scene_model::bucket_of(const triangle_cell& triangle) const {
  if (form_ == scene_form::naive && triangle.primitive() >= buckets_) return std::nullopt;
  const u32 bucket = bucket_of_primitive(triangle.primitive(), buckets_);
  return bucket < buckets_ ? std::optional(bucket) : std::nullopt;
}

std::string bucket_scene_model::triangle_words(u64 cell, const region_reader& read) const {
  const auto at = triangle(cell, read);
  if (!at) return {};
  const auto bucket = bucket_of(*at);
  const std::string place = place_words(place_of(*at));
  return bucket ? fmt::format("{}: bucket {}{}", place, *bucket, at->flipped() ? ", flipped" : "")
                : fmt::format("{}: marks its {}", place, marks_row(*at) ? "row" : "plane");
}

std::string bucket_scene_model::triangle_brief(u64 cell, const region_reader& read) const {
  const auto at = triangle(cell, read);
  if (!at) return {};
  const auto bucket = bucket_of(*at);
  return bucket ? std::to_string(*bucket) : marks_row(*at) ? "R" : "P";  // as in the paper
}

}  // namespace pivotscope
