#include <algorithm>
#include <chrono>

#include "core/machine/cuda/runtime.hpp"
#include "core/machine/cuda/trace_rays.hpp"
#include "core/machine/cuda_rays.hpp"

namespace pivotscope {
namespace {

constexpr u64 most_rays = 1 << 26;  // at a time

class cuda_tracer final : public ray_tracer {
 public:
  static outcome<std::unique_ptr<ray_tracer>> make(std::shared_ptr<const ray_scene> scene) {
    const outcome<cuda_device> device = find_cuda_device();
    if (!device) return device.error();
    auto made = std::make_unique<cuda_tracer>();
    made->scene_ = std::move(scene), made->device_ = device->info.name;
    if (status s = checked(cudaSetDevice(device->ordinal), "choosing a device"); !s) return s.error();
    if (status s = made->upload_scene(); !s) return s.error();
    return std::unique_ptr<ray_tracer>(std::move(made));
  }

  std::string name() const override { return "own boxes"; }
  std::string runs_on() const override { return device_; }
  tracer_cost cost() const override { return {.upload_ms = upload_ms_, .bytes = scene_->bytes()}; }

  outcome<trace_times> trace(std::span<const axis_ray> rays, std::span<ray_hit> hits) override {
    trace_times all;
    if (status s = make_room(std::min<u64>(rays.size(), most_rays)); !s) return s.error();
    for (u64 first = 0; first < rays.size(); first += most_rays) {
      const u64 count = std::min<u64>(most_rays, rays.size() - first);
      if (status s = trace_some(rays.subspan(first, count), hits.subspan(first, count), all); !s) return s.error();
    }
    return all;
  }

 private:
  using clock = std::chrono::steady_clock;
  static double ms(clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

  status upload_scene() {
    auto stream = device_stream::make();
    if (!stream) return stream.error();
    auto timer = device_timer::make();
    if (!timer) return timer.error();
    stream_ = std::move(*stream), timer_ = std::move(*timer);
    triangles_ = scene_->on_gpu.triangles, boxes_ = scene_->on_gpu.boxes;
    if (triangles_ != nullptr && boxes_ != nullptr) return fine();
    const auto began = clock::now();
    if (status s = copy_there(copied_triangles_, scene_->triangles.data(),
                              scene_->triangles.size() * sizeof(triangle_cell), "triangles");
        !s)
      return s;
    if (status s = copy_there(copied_boxes_, scene_->boxes.data(), scene_->boxes.size() * sizeof(box), "boxes"); !s)
      return s;
    triangles_ = copied_triangles_.as<triangle_cell>(), boxes_ = copied_boxes_.as<box>();
    upload_ms_ = ms(clock::now() - began);
    return fine();
  }
  status copy_there(device_buffer& to, const void* from, u64 bytes, std::string_view what) const {
    auto made = device_buffer::allocate(bytes, what);
    if (!made) return made.error();
    to = std::move(*made);
    return upload(to.data(), from, bytes, stream_.get(), "copying the scene", {});
  }

  // Buffers grow where a round has more rays than the ones before.
  status make_room(u64 count) {
    if (count <= room_) return fine();
    rays_.release(), hits_.release(), room_ = 0;
    auto rays = device_buffer::allocate(count * sizeof(axis_ray), "rays");
    if (!rays) return rays.error();
    auto hits = device_buffer::allocate(count * sizeof(ray_hit), "hits");
    if (!hits) return hits.error();
    rays_ = std::move(*rays), hits_ = std::move(*hits), room_ = count;
    return fine();
  }

  status trace_some(std::span<const axis_ray> rays, std::span<ray_hit> hits, trace_times& times) const {
    const cudaStream_t stream = stream_.get();
    const auto began = clock::now();
    if (status s = upload(rays_.data(), rays.data(), rays.size_bytes(), stream, "copying rays", {}); !s) return s;
    const auto copied = clock::now();
    const ray_work work{triangles_,          boxes_,     scene_->tree, scene_->half, rays_.as<axis_ray>(),
                        hits_.as<ray_hit>(), rays.size()};
    if (status s = timer_.start(stream); !s) return s;
    if (status s = checked(queue_rays(work, scene_->wide, stream), "tracing rays"); !s) return s;
    const outcome<double> traced = timer_.stop(stream, "tracing rays");
    if (!traced) return traced.error();
    const auto ended = clock::now();
    if (status s = download(hits.data(), hits_.data(), hits.size_bytes(), stream, "copying hits", {}); !s) return s;
    times.trace_ms += *traced;
    times.upload_ms += ms((copied - began) + (clock::now() - ended));
    return fine();
  }

  std::shared_ptr<const ray_scene> scene_;
  std::string device_;
  device_stream stream_;
  device_timer timer_;
  const triangle_cell* triangles_ = nullptr;  // of the index, where it lies on the GPU; else the copies
  const box* boxes_ = nullptr;
  device_buffer copied_triangles_, copied_boxes_, rays_, hits_;
  u64 room_ = 0;  // rays
  double upload_ms_ = 0;
};

}  // namespace

outcome<std::unique_ptr<ray_tracer>> make_cuda_tracer(const std::shared_ptr<const ray_scene>& scene) {
  return cuda_tracer::make(scene);
}

}  // namespace pivotscope
