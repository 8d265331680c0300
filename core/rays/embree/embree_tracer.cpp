#include "core/rays/embree/embree_tracer.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>

#include "core/common/parallel.hpp"
#include "core/rays/embree/embree_library.hpp"

namespace pivotscope {
namespace {

constexpr u64 rays_a_task = 1024, triangles_a_task = 1 << 14;

// Embree leaves out triangles with a coordinate beyond this, without a word.
constexpr float greatest_coordinate = 1.844e18f;

status check_extent(const ray_scene& scene) {
  for (const triangle_cell& t : scene.triangles) {
    if (t.x + scene.half.axes[0] <= greatest_coordinate && t.y + scene.half.axes[1] <= greatest_coordinate &&
        t.z + scene.half.axes[2] <= greatest_coordinate)
      continue;
    return problem{
        fmt::format("Embree takes coordinates up to {:.4g}, and this scene has a triangle at ({}, {}, {}); "
                    "take a smaller y_scale or z_scale",
                    greatest_coordinate, t.x, t.y, t.z)};
  }
  return fine();
}

std::string words_of(RTCError error) {
  switch (error) {
    case RTC_ERROR_OUT_OF_MEMORY:
      return "it is out of memory; take fewer keys, or larger buckets";
    case RTC_ERROR_UNSUPPORTED_CPU:
      return "it needs a processor with SSE2";
    default:
      return fmt::format("error {}", static_cast<int>(error));
  }
}

double ms_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

class embree_tracer final : public ray_tracer {
 public:
  embree_tracer(const embree_library& embree, std::shared_ptr<const ray_scene> scene)
      : embree_(embree), scene_(std::move(scene)) {}
  ~embree_tracer() override {
    if (tree_ != nullptr) embree_.rtcReleaseScene(tree_);
    if (device_ != nullptr) embree_.rtcReleaseDevice(device_);
  }

  // Called once, before all else.
  status build() {
    if (status s = detail::check_embree_takes(scene_->triangles.size()); !s) return s;
    if (status s = check_extent(*scene_); !s) return s;
    device_ = embree_.rtcNewDevice(nullptr);
    if (device_ == nullptr) return failed("a device");
    embree_.rtcSetDeviceMemoryMonitorFunction(device_, count_bytes, this);
    const auto began = std::chrono::steady_clock::now();
    tree_ = embree_.rtcNewScene(device_);
    if (tree_ == nullptr) return failed("a scene");
    embree_.rtcSetSceneFlags(tree_, RTC_SCENE_FLAG_ROBUST);
    if (!scene_->triangles.empty()) {
      if (status s = attach_triangles(); !s) return s;
    }
    embree_.rtcCommitScene(tree_);
    if (status s = check("the hierarchy"); !s) return s;
    build_ms_ = ms_since(began);
    return fine();
  }

  std::string name() const override {
    const auto of = [&](RTCDeviceProperty what) { return embree_.rtcGetDeviceProperty(device_, what); };
    return fmt::format("Embree {}.{}.{}", of(RTC_DEVICE_PROPERTY_VERSION_MAJOR), of(RTC_DEVICE_PROPERTY_VERSION_MINOR),
                       of(RTC_DEVICE_PROPERTY_VERSION_PATCH));
  }
  std::string runs_on() const override { return fmt::format("{} threads", tbb::this_task_arena::max_concurrency()); }
  tracer_cost cost() const override {
    return {.build_ms = build_ms_, .bytes = static_cast<u64>(std::max<ssize_t>(bytes_, 0))};
  }

  outcome<trace_times> trace(std::span<const axis_ray> rays, std::span<ray_hit> hits) override {
    const auto began = std::chrono::steady_clock::now();
    parallel_parts(rays.size(), rays_a_task, [&](const index_part& part) {
      RTCIntersectContext context;
      rtcInitIntersectContext(&context);
      for (u64 i = part.begin(); i < part.end(); ++i) hits[i] = trace_one(context, rays[i]);
    });
    const double ms = ms_since(began);
    if (status s = check("rays"); !s) return s.error();
    return trace_times{ms};
  }

 private:
  status failed(const char* what) const {
    return problem{fmt::format("Embree made no {}: {}", what, words_of(embree_.rtcGetDeviceError(device_)))};
  }
  status check(const char* what) const {
    const RTCError error = embree_.rtcGetDeviceError(device_);
    if (error == RTC_ERROR_NONE) return fine();
    return problem{fmt::format("Embree failed at {}: {}", what, words_of(error))};
  }

  static bool count_bytes(void* self, ssize_t bytes, bool /*after*/) {
    static_cast<embree_tracer*>(self)->bytes_ += bytes;
    return true;
  }

  status attach_triangles() {
    const u64 count = scene_->triangles.size();
    const RTCGeometry geometry = embree_.rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (geometry == nullptr) return failed("geometry");
    auto* const corners = static_cast<float*>(embree_.rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), 3 * count));
    auto* const numbers = static_cast<u32*>(
        embree_.rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(u32), count));
    status made = fine();
    if (corners == nullptr || numbers == nullptr) {
      made = failed("room for triangles");
    } else {
      parallel_parts(count, triangles_a_task, [&](const index_part& part) {
        for (u64 i = part.begin(); i < part.end(); ++i) {
          write_corners(scene_->triangles[i], scene_->half, corners + i * corner_floats);
          for (u32 c = 0; c < 3; ++c) numbers[3 * i + c] = static_cast<u32>(3 * i + c);
        }
      });
      embree_.rtcCommitGeometry(geometry);
      embree_.rtcAttachGeometry(tree_, geometry);
      made = check("triangles");
    }
    embree_.rtcReleaseGeometry(geometry);
    return made;
  }

  ray_hit trace_one(RTCIntersectContext& context, const axis_ray& ray) const {
    RTCRayHit one = {};
    one.ray.org_x = ray.from[0], one.ray.org_y = ray.from[1], one.ray.org_z = ray.from[2];
    one.ray.dir_x = ray.axis == 0, one.ray.dir_y = ray.axis == 1, one.ray.dir_z = ray.axis == 2;
    one.ray.tfar = ray.to - ray.from[ray.axis];
    one.ray.mask = ~0u;
    one.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    embree_.rtcIntersect1(tree_, &context, &one);
    if (one.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
    // The ray has the direction of an axis, and the normal of a front points along all of them.
    const float along = of_axis(one.hit.Ng_x, one.hit.Ng_y, one.hit.Ng_z, ray.axis);
    return ray_hit::of(one.hit.primID, along > 0 ? side::front : side::back);
  }

  const embree_library& embree_;
  std::shared_ptr<const ray_scene> scene_;
  std::atomic<ssize_t> bytes_ = 0;  // before the device, which counts them until it is gone
  RTCDevice device_ = nullptr;
  RTCScene tree_ = nullptr;
  double build_ms_ = 0;
};

}  // namespace

status detail::check_embree_takes(u64 triangles) {
  constexpr u64 most = ~0u / 3;
  if (triangles <= most) return fine();
  return problem{fmt::format(
      "Embree numbers corners by 32 bits, so it takes up to {} triangles, and this scene has {}; take fewer "
      "keys, or larger buckets",
      most, triangles)};
}

outcome<std::unique_ptr<ray_tracer>> make_embree_tracer(const std::shared_ptr<const ray_scene>& scene) {
  const outcome<const embree_library*> embree = find_embree();
  if (!embree) return embree.error();
  auto made = std::make_unique<embree_tracer>(**embree, scene);
  if (status s = made->build(); !s) return s.error();
  return std::unique_ptr<ray_tracer>(std::move(made));
}

}  // namespace pivotscope
