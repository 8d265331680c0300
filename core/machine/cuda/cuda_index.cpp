#include "core/machine/cuda/cuda_index.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/config/axes.hpp"
#include "core/index/ordered/mapping.hpp"
#include "core/machine/cuda/build_view.hpp"

namespace pivotscope {

status cuda_index::allocate(const cuda_device& device) {
  const u64 sizes[] = {
      shape_.entry_slots * entry_bytes(config_),
      config_.layout == entry_layout::soa ? shape_.entry_slots * sizeof(u32) : 0,
      shape_.pivot_slots * key_bytes(config_),
  };
  const memory_need needs[] = {{"entries", sizes[0]}, {"row ids", sizes[1]}, {"pivots", sizes[2]}};
  const std::string index = fmt::format("{} over {} keys", method_name(config_), count_text(shape_.keys));
  if (auto s = check_device_memory(device, index, needs, "Use fewer keys"); !s) return s;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    auto buffer = device_buffer::allocate(sizes[i], fmt::format("the {} of {}", needs[i].what, index));
    if (!buffer) return buffer.error();
    arrays_[i] = std::move(*buffer);
  }
  return fine();
}

status cuda_index::fill(const loaded_kernel& kernel, std::string_view stage, u64 slots, const cuda_keys& keys,
                        cudaStream_t stream, const job_control& control) {
  if (control.cancelled()) return job_control::cancelled_problem();
  control.progress(stage, -1);
  stage_time time{std::string(stage), {}};
  if (slots > 0) {
    const build_view view{keys.keys(),
                          keys.rows(),
                          array(ordered_region::entries).data(),
                          array(ordered_region::rows).as<u32>(),
                          array(ordered_region::pivots).data(),
                          shape_};
    auto timer = device_timer::make();
    if (!timer) return timer.error();
    if (auto s = timer->start(stream); !s) return s;
    const cudaError_t queued = launch(kernel, ceil_div<u64>(slots, build_threads), build_threads, stream, view);
    if (auto s = checked(queued, stage); !s) return s;
    auto ms = timer->stop(stream, stage);
    if (!ms) return ms.error();
    time.samples_ms.push_back(*ms);
  }
  times_.push_back(std::move(time));
  kernels_.push_back(kernel.info);
  return fine();
}

outcome<std::shared_ptr<const cuda_index>> cuda_index::build(const cuda_device& device, cudaStream_t stream,
                                                             kernel_store& kernels, const index_config& config,
                                                             const cuda_keys& keys, const job_control& control) {
  auto index = std::make_shared<cuda_index>();
  index->device_ = device.ordinal;
  index->config_ = config;
  index->shape_ = make_shape(config, keys.size());
  index->pin_ = plan_pins(config, index->shape_);
  index->sort_bits_ = sort_bits(config, keys.least(), keys.greatest());
  if (auto s = index->allocate(device); !s) return s.error();
  auto loaded = kernels.get(build_program(config), build_threads, control);
  if (!loaded) return loaded.error();

  const index_shape& shape = index->shape_;
  if (auto s = index->fill((*loaded)[0], "build entries", shape.entry_slots, keys, stream, control); !s) {
    return s.error();
  }
  if (shape.pivot_slots > 0) {
    if (auto s = index->fill((*loaded)[1], "build pivots", shape.pivot_slots, keys, stream, control); !s) {
      return s.error();
    }
  }
  return std::shared_ptr<const cuda_index>(std::move(index));
}

index_view cuda_index::view() const {
  return {arrays_[0].data(), arrays_[1].data(), arrays_[2].data(), shape_, pin_, sort_bits_.first, sort_bits_.second};
}

status cuda_index::read(region_id array, u64 byte_offset, std::span<std::byte> out) const {
  const device_buffer& buffer = arrays_[static_cast<std::size_t>(array)];
  if (byte_offset > buffer.bytes() || out.size() > buffer.bytes() - byte_offset) {
    return problem{fmt::format("bytes {} to {} are outside an array of {}", byte_offset, byte_offset + out.size(),
                               buffer.bytes())};
  }
  if (out.empty()) return fine();
  if (auto s = checked(cudaSetDevice(device_), "choosing the GPU"); !s) return s;
  return checked(cudaMemcpy(out.data(), buffer.as<std::byte>() + byte_offset, out.size(), cudaMemcpyDeviceToHost),
                 "reading the index");
}

u64 grid_blocks(const cuda_device& device, const index_config& config, u64 lookups) {
  const u64 tiles = ceil_div(lookups, u64{tile_lookups(config)});
  const u64 resident = u64{device.info.processors} * config.blocks_per_sm;
  return config.schedule == schedule_kind::fixed ? std::min(tiles, resident) : tiles;
}

}  // namespace pivotscope
