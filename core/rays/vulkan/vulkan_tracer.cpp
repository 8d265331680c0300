#include "core/rays/vulkan/vulkan_tracer.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/rays/rt_cores.hpp"
#include "core/rays/vulkan/vulkan_pipeline.hpp"
#include "core/rays/vulkan/vulkan_scene.hpp"

namespace pivotscope {
namespace {

static_assert(sizeof(axis_ray) == 20);  // as in shaders/rays.rgen

constexpr u64 most_rays = 1 << 24;  // of one submission

class vulkan_tracer final : public ray_tracer {
 public:
  vulkan_tracer(std::shared_ptr<const vulkan_device> device, vulkan_scene scene,
                std::unique_ptr<vulkan_pipeline> pipeline, std::unique_ptr<ray_carrier> carrier)
      : device_(std::move(device)),
        scene_(std::move(scene)),
        pipeline_(std::move(pipeline)),
        carrier_(std::move(carrier)) {}

  std::string name() const override { return "Vulkan"; }
  std::string runs_on() const override { return device_->name(); }
  std::string caution() const override { return rt_core_words(device_->name()); }
  std::string sharing() const override { return carrier_->words(); }
  tracer_cost cost() const override { return {scene_.build_ms, scene_.upload_ms, scene_.bytes()}; }

  outcome<trace_times> trace(std::span<const axis_ray> rays, std::span<ray_hit> hits) override {
    trace_times all;
    const u64 most = std::min<u64>(most_rays, device_->limits().maxStorageBufferRange / sizeof(axis_ray));
    if (status s = make_room(std::min<u64>(rays.size(), most)); !s) return s.error();
    for (u64 first = 0; first < rays.size(); first += most) {
      const u64 count = std::min<u64>(most, rays.size() - first);
      if (status s = trace_some(rays.subspan(first, count), hits.subspan(first, count), all); !s) return s.error();
    }
    return all;
  }

 private:
  // Buffers grow where a round has more rays than the ones before.
  status make_room(u64 count) {
    if (count <= room_) return fine();
    room_ = 0;
    if (status s = carrier_->make_room(count); !s) return s;
    room_ = count;
    pipeline_->bind(scene_.top.get(), carrier_->rays(), carrier_->hits());
    return fine();
  }

  // All but the tracing counts as copying: by the host's clock, as a program waits for it.
  status trace_some(std::span<const axis_ray> rays, std::span<ray_hit> hits, trace_times& times) {
    const auto began = std::chrono::steady_clock::now();
    if (status s = carrier_->bring(rays); !s) return s;
    const auto brought = std::chrono::steady_clock::now();
    const outcome<double> traced =
        carrier_->run([&](VkCommandBuffer commands) { pipeline_->record(commands, static_cast<u32>(rays.size())); });
    if (!traced) return traced.error();
    const auto ended = std::chrono::steady_clock::now();
    if (status s = carrier_->fetch(hits); !s) return s;
    const auto copying = (brought - began) + (std::chrono::steady_clock::now() - ended);
    times.trace_ms += *traced;
    times.upload_ms += std::chrono::duration<double, std::milli>(copying).count();
    times.handover_ms += carrier_->take_handover_ms();
    return fine();
  }

  std::shared_ptr<const vulkan_device> device_;
  vulkan_scene scene_;
  std::unique_ptr<vulkan_pipeline> pipeline_;
  std::unique_ptr<ray_carrier> carrier_;
  u64 room_ = 0;  // rays
};

// A device, its programs, and triangles that were brought there by a carrier.
outcome<std::unique_ptr<ray_tracer>> make_tracer(const std::shared_ptr<const vulkan_device>& device,
                                                 const ray_scene& scene, std::unique_ptr<ray_carrier> carrier) {
  outcome<std::unique_ptr<vulkan_pipeline>> pipeline = vulkan_pipeline::make(device);
  if (!pipeline) return pipeline.error();
  outcome<vulkan_scene> there = vulkan_scene::build(device, scene, *carrier);
  if (!there) return there.error();
  carrier->take_handover_ms();  // of the corners: it is in what bringing them took
  return std::unique_ptr<ray_tracer>(
      std::make_unique<vulkan_tracer>(device, std::move(*there), std::move(*pipeline), std::move(carrier)));
}

}  // namespace

outcome<std::unique_ptr<ray_tracer>> make_vulkan_tracer(const std::shared_ptr<const ray_scene>& scene,
                                                        const outcome<std::shared_ptr<gpu_sharer>>& sharer) {
  std::optional<gpu_uuid> rather;
  if (sharer) rather = (*sharer)->gpu();
  const outcome<std::shared_ptr<const vulkan_device>> device = vulkan_device::open("libvulkan.so.1", rather);
  if (!device) return device.error();
  std::string why_not;
  if (!sharer) {
    why_not = sharer.error().words;
  } else if (auto handover = vulkan_handover::make(*device, *sharer); !handover) {
    why_not = handover.error().words;
  } else {
    auto made = make_tracer(*device, *scene, carry_in_shared_memory(std::move(*handover)));
    if (made) return made;
    why_not = made.error().words;
  }
  return make_tracer(*device, *scene, carry_through_host(*device, why_not));
}

outcome<std::unique_ptr<ray_tracer>> make_vulkan_tracer(const std::shared_ptr<const ray_scene>& scene) {
  return make_vulkan_tracer(scene, problem{"nobody is asked to share memory"});
}

}  // namespace pivotscope
