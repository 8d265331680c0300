#include "core/rays/ray_tracer.hpp"

#include <fmt/format.h>

namespace pivotscope {
namespace {

bool is_same_place(const triangle_cell& a, const triangle_cell& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.flipped() == b.flipped();
}

bool is_same(const ray_scene& scene, const ray_hit& own, const ray_hit& other) {
  if (own == other) return true;
  if (!own.is_there() || !other.is_there() || own.met() != other.met()) return false;
  if (other.triangle() >= scene.triangles.size()) return false;
  return is_same_place(scene.triangles[own.triangle()], scene.triangles[other.triangle()]);
}

std::string words_of(const ray_hit& hit) {
  if (!hit.is_there()) return "nothing";
  return fmt::format("triangle {}, its {}", hit.triangle(), hit.met() == side::front ? "front" : "back");
}

std::string words_of(const axis_ray& ray) {
  return fmt::format("along {} from ({}, {}, {})", "xyz"[ray.axis], ray.from[0], ray.from[1], ray.from[2]);
}

}  // namespace

hits_compared compare_hits(const ray_scene& scene, std::span<const axis_ray> rays, std::span<const ray_hit> own,
                           std::span<const ray_hit> others, const std::string& name) {
  hits_compared compared;
  for (u64 i = 0; i < rays.size(); ++i) {
    if (is_same(scene, own[i], others[i])) continue;
    ++compared.others;
    if (compared.first) continue;
    compared.first = other_hit{
        i, fmt::format("ray {}, {}: {}; by {} {}", i, words_of(rays[i]), words_of(own[i]), name, words_of(others[i]))};
  }
  return compared;
}

}  // namespace pivotscope
