#include "core/rays/vulkan/ray_carrier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/common/parallel.hpp"

namespace pivotscope {
namespace {

constexpr u64 triangles_a_task = 1 << 14;
constexpr u64 corner_bytes = corner_floats * sizeof(float);  // of a triangle
constexpr u64 staged_bytes = u64{64} << 20;                  // corners that are copied at a time
constexpr u64 staged_triangles = staged_bytes / corner_bytes;

constexpr VkBufferUsageFlags read_by_builds =
    VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
constexpr VkBufferUsageFlags read_from = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                             written_to = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                             of_programs = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
constexpr const char* tracing = "tracing rays";

// Each of these has a copy on both sides.
class host_carrier final : public ray_carrier {
 public:
  host_carrier(std::shared_ptr<const vulkan_device> device, const std::string& why)
      : device_(std::move(device)), words_("rays and hits go through the host: " + why) {}

  std::string words() const override { return words_; }

  outcome<shared_buffer> bring_corners(const ray_scene& scene) override {
    const u64 count = scene.triangles.size();
    shared_buffer corners;
    vulkan_buffer staged;
    if (status s = make(corners.buffer, count * corner_bytes, read_by_builds | written_to, place::on_device,
                        "the corners of triangles");
        !s)
      return s.error();
    if (status s = make(staged, std::min(count, staged_triangles) * corner_bytes, read_from, place::to_device,
                        "copying corners");
        !s)
      return s.error();
    for (u64 first = 0; first < count; first += staged_triangles) {
      const u64 some = std::min(staged_triangles, count - first);
      parallel_parts(some, triangles_a_task, [&](const index_part& part) {
        for (u64 i = part.begin(); i < part.end(); ++i)
          write_corners(scene.triangles[first + i], scene.half,
                        static_cast<float*>(staged.mapped()) + i * corner_floats);
      });
      const VkBufferCopy copy = {0, first * corner_bytes, some * corner_bytes};
      const auto copied = device_->run("copying corners", [&](VkCommandBuffer commands) {
        device_->calls().vkCmdCopyBuffer(commands, staged.get(), corners.buffer.get(), 1, &copy);
      });
      if (!copied) return copied.error();
    }
    return corners;
  }

  status make_room(u64 count) override {
    const u64 ray_bytes = count * sizeof(axis_ray), hit_bytes = count * sizeof(ray_hit);
    for (vulkan_buffer* buffer : {&rays_, &hits_, &rays_there_, &hits_there_}) buffer->release();
    if (status s = make(rays_, ray_bytes, read_from, place::to_device, "copying rays"); !s) return s;
    if (status s = make(hits_, hit_bytes, written_to, place::to_host, "copying hits"); !s) return s;
    if (status s = make(rays_there_, ray_bytes, written_to | of_programs, place::on_device, "rays"); !s) return s;
    return make(hits_there_, hit_bytes, read_from | of_programs, place::on_device, "hits");
  }
  const vulkan_buffer& rays() const override { return rays_there_; }
  const vulkan_buffer& hits() const override { return hits_there_; }

  status bring(std::span<const axis_ray> rays) override {
    std::memcpy(rays_.mapped(), rays.data(), rays.size_bytes());
    const auto there = device_->run("copying rays", [&](VkCommandBuffer commands) {
      record_copy(*device_, commands, rays_, rays_there_, rays.size_bytes());
    });
    if (!there) return there.error();
    return fine();
  }
  outcome<double> run(const std::function<void(VkCommandBuffer)>& record) override {
    return device_->run(tracing, record);
  }
  status fetch(std::span<ray_hit> hits) override {
    const auto back = device_->run("copying hits", [&](VkCommandBuffer commands) {
      record_copy(*device_, commands, hits_there_, hits_, hits.size_bytes());
    });
    if (!back) return back.error();
    std::memcpy(hits.data(), hits_.mapped(), hits.size_bytes());
    return fine();
  }

 private:
  using place = vulkan_buffer::place;
  status make(vulkan_buffer& to, u64 bytes, VkBufferUsageFlags usage, place where, const char* what) const {
    outcome<vulkan_buffer> made = vulkan_buffer::make(device_, bytes, usage, where, what);
    if (!made) return made.error();
    to = std::move(*made);
    return fine();
  }

  std::shared_ptr<const vulkan_device> device_;
  std::string words_;
  vulkan_buffer rays_, hits_, rays_there_, hits_there_;
};

class sharing_carrier final : public ray_carrier {
 public:
  explicit sharing_carrier(std::unique_ptr<vulkan_handover> handover) : handover_(std::move(handover)) {}

  std::string words() const override {
    return fmt::format("corners, rays and hits lie in memory that is shared with {}", handover_->with());
  }

  outcome<shared_buffer> bring_corners(const ray_scene& scene) override {
    outcome<shared_buffer> corners =
        handover_->share(scene.triangles.size() * corner_bytes, read_by_builds, "the corners of triangles");
    if (!corners) return corners.error();
    if (status s = handover_->write_corners(scene, *corners); !s) return s.error();
    const auto taken = handover_->device().run(
        "taking corners", [&](VkCommandBuffer commands) { handover_->record_taking(commands, *corners); },
        handover_->next_order());
    if (!taken) return taken.error();
    return corners;
  }

  status make_room(u64 count) override {
    rays_ = {}, hits_ = {};
    outcome<shared_buffer> rays = handover_->share(count * sizeof(axis_ray), of_programs, "rays");
    if (!rays) return rays.error();
    outcome<shared_buffer> hits = handover_->share(count * sizeof(ray_hit), of_programs, "hits");
    if (!hits) return hits.error();
    rays_ = std::move(*rays), hits_ = std::move(*hits);
    return fine();
  }
  const vulkan_buffer& rays() const override { return rays_.buffer; }
  const vulkan_buffer& hits() const override { return hits_.buffer; }

  status bring(std::span<const axis_ray> rays) override { return handover_->write_rays(rays, rays_); }
  outcome<double> run(const std::function<void(VkCommandBuffer)>& record) override {
    return handover_->device().run(
        tracing,
        [&](VkCommandBuffer commands) {
          for (const shared_buffer* buffer : {&rays_, &hits_}) handover_->record_taking(commands, *buffer);
          record(commands);
          for (const shared_buffer* buffer : {&rays_, &hits_}) handover_->record_leaving(commands, *buffer);
        },
        handover_->next_order());
  }
  status fetch(std::span<ray_hit> hits) override { return handover_->read_hits(hits_, hits); }
  double take_handover_ms() override { return handover_->take_waited_ms(); }

 private:
  std::unique_ptr<vulkan_handover> handover_;  // ends after the buffers below
  shared_buffer rays_, hits_;
};

}  // namespace

std::unique_ptr<ray_carrier> carry_through_host(std::shared_ptr<const vulkan_device> device, const std::string& why) {
  return std::make_unique<host_carrier>(std::move(device), why);
}
std::unique_ptr<ray_carrier> carry_in_shared_memory(std::unique_ptr<vulkan_handover> handover) {
  return std::make_unique<sharing_carrier>(std::move(handover));
}

}  // namespace pivotscope
