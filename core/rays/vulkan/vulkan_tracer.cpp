#include "core/rays/vulkan/vulkan_tracer.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "core/rays/rt_cores.hpp"
#include "core/rays/vulkan/vulkan_pipeline.hpp"
#include "core/rays/vulkan/vulkan_scene.hpp"

namespace pivotscope {
namespace {

static_assert(sizeof(axis_ray) == 20);  // as in shaders/rays.rgen

constexpr u64 most_rays = 1 << 24;  // of one submission

// Buffers for some rays and their hits, on both sides.
struct ray_buffers {
  vulkan_buffer rays, hits, rays_there, hits_there;

  static outcome<ray_buffers> make(const std::shared_ptr<const vulkan_device>& device, u64 count) {
    using place = vulkan_buffer::place;
    ray_buffers made;
    const struct {
      vulkan_buffer& buffer;
      u64 bytes;
      VkBufferUsageFlags usage;
      place where;
      const char* what;
    } wanted[] = {
        {made.rays, count * sizeof(axis_ray), VK_BUFFER_USAGE_TRANSFER_SRC_BIT, place::to_device, "copying rays"},
        {made.hits, count * sizeof(ray_hit), VK_BUFFER_USAGE_TRANSFER_DST_BIT, place::to_host, "copying hits"},
        {made.rays_there, count * sizeof(axis_ray),
         VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, place::on_device, "rays"},
        {made.hits_there, count * sizeof(ray_hit),
         VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, place::on_device, "hits"}};
    for (const auto& one : wanted) {
      outcome<vulkan_buffer> buffer = vulkan_buffer::make(device, one.bytes, one.usage, one.where, one.what);
      if (!buffer) return buffer.error();
      one.buffer = std::move(*buffer);
    }
    return made;
  }
};

class vulkan_tracer final : public ray_tracer {
 public:
  vulkan_tracer(std::shared_ptr<const vulkan_device> device, vulkan_scene scene,
                std::unique_ptr<vulkan_pipeline> pipeline)
      : device_(std::move(device)), scene_(std::move(scene)), pipeline_(std::move(pipeline)) {}

  std::string name() const override { return "Vulkan"; }
  std::string runs_on() const override { return device_->name(); }
  std::string caution() const override { return rt_core_words(device_->name()); }
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
    buffers_ = {};
    room_ = 0;
    outcome<ray_buffers> made = ray_buffers::make(device_, count);
    if (!made) return made.error();
    buffers_ = std::move(*made), room_ = count;
    pipeline_->bind(scene_.top.get(), buffers_.rays_there, buffers_.hits_there);
    return fine();
  }

  // All but the tracing counts as copying: by the host's clock, as a program waits for it.
  status trace_some(std::span<const axis_ray> rays, std::span<ray_hit> hits, trace_times& times) {
    const auto began = std::chrono::steady_clock::now();
    std::memcpy(buffers_.rays.mapped(), rays.data(), rays.size_bytes());
    const auto there = device_->run("copying rays", [&](VkCommandBuffer commands) {
      record_copy(*device_, commands, buffers_.rays, buffers_.rays_there, rays.size_bytes());
    });
    if (!there) return there.error();
    const auto copied = std::chrono::steady_clock::now();
    const outcome<double> traced = device_->run(
        "tracing rays", [&](VkCommandBuffer commands) { pipeline_->record(commands, static_cast<u32>(rays.size())); });
    if (!traced) return traced.error();
    const auto ended = std::chrono::steady_clock::now();
    const auto back = device_->run("copying hits", [&](VkCommandBuffer commands) {
      record_copy(*device_, commands, buffers_.hits_there, buffers_.hits, hits.size_bytes());
    });
    if (!back) return back.error();
    std::memcpy(hits.data(), buffers_.hits.mapped(), hits.size_bytes());
    times.trace_ms += *traced;
    const auto copying = (copied - began) + (std::chrono::steady_clock::now() - ended);
    times.upload_ms += std::chrono::duration<double, std::milli>(copying).count();
    return fine();
  }

  std::shared_ptr<const vulkan_device> device_;
  vulkan_scene scene_;
  std::unique_ptr<vulkan_pipeline> pipeline_;
  ray_buffers buffers_;
  u64 room_ = 0;  // rays
};

}  // namespace

outcome<std::unique_ptr<ray_tracer>> make_vulkan_tracer(const std::shared_ptr<const ray_scene>& scene) {
  outcome<std::shared_ptr<const vulkan_device>> device = vulkan_device::open();
  if (!device) return device.error();
  outcome<std::unique_ptr<vulkan_pipeline>> pipeline = vulkan_pipeline::make(*device);
  if (!pipeline) return pipeline.error();
  outcome<vulkan_scene> there = vulkan_scene::build(*device, *scene);
  if (!there) return there.error();
  return std::unique_ptr<ray_tracer>(std::make_unique<vulkan_tracer>(*device, std::move(*there), std::move(*pipeline)));
}

}  // namespace pivotscope
