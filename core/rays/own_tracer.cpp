#include "core/rays/own_tracer.hpp"

#include <fmt/format.h>

#include <chrono>

#include "core/common/parallel.hpp"
#include "core/simt/host.hpp"

namespace pivotscope {
namespace {

constexpr scene_regions regions{region_id{0}, region_id{1}};
constexpr u64 rays_a_task = 1024;

// The boxes come with the index, so making this costs nothing.
class own_tracer final : public ray_tracer {
 public:
  explicit own_tracer(std::shared_ptr<const ray_scene> scene) : scene_(std::move(scene)) {}

  std::string name() const override { return "own boxes"; }
  std::string runs_on() const override { return fmt::format("{} threads", tbb::this_task_arena::max_concurrency()); }
  tracer_cost cost() const override { return {.bytes = scene_->bytes()}; }

  outcome<trace_times> trace(std::span<const axis_ray> rays, std::span<ray_hit> hits) override {
    const auto began = std::chrono::steady_clock::now();
    parallel_parts(rays.size(), rays_a_task, [&](const index_part& part) {
      for (u64 i = part.begin(); i < part.end(); ++i) hits[i] = closest_hit(*scene_, rays[i]);
    });
    return trace_times{std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count()};
  }

 private:
  std::shared_ptr<const ray_scene> scene_;
};

}  // namespace

ray_hit closest_hit(const ray_scene& scene, const axis_ray& ray) {
  no_recorder nobody;
  direct_source source;
  source.regions[number_of(regions.triangles)] = reinterpret_cast<const std::byte*>(scene.triangles.data());
  source.regions[number_of(regions.boxes)] = reinterpret_cast<const std::byte*>(scene.boxes.data());
  host_memory<no_recorder, direct_source> memory(source, nobody);
  ray_search search;
  ray_step step;
  do {
    step = step_of_ray(memory, regions, scene.tree, scene.wide, scene.half, ray, search);
  } while (step.what == ray_step::goes_on);
  return step.what == ray_step::hit ? ray_hit::of(step.cell, step.met) : ray_hit{};
}

outcome<std::unique_ptr<ray_tracer>> make_own_tracer(const std::shared_ptr<const ray_scene>& scene) {
  return std::unique_ptr<ray_tracer>(std::make_unique<own_tracer>(scene));
}

}  // namespace pivotscope
