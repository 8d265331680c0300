#include "core/machine/cuda/cuda_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/index/axes.hpp"

namespace pivotscope {

// Builds an index of sorted keys.
class cuda_executor final : public executor {
 public:
  cuda_executor(cuda_index& index, const cuda_device& device, cudaStream_t stream, kernel_store& kernels,
                const cuda_keys& sorted, const job_control& control)
      : index_(index), device_(device), stream_(stream), kernels_(kernels), control_(control) {
    view_.keys = sorted.keys();
    view_.rows = sorted.rows();
  }

  u64 keys() const override { return index_.keys_; }

  status allocate(std::vector<index_region> regions) override {
    index_.regions_ = std::move(regions);
    std::vector<memory_need> needs;
    for (const index_region& r : index_.regions_) needs.push_back({r.name, r.bytes()});
    const std::string what = fmt::format("{} over {} keys", method_name(index_.config_), count_text(index_.keys_));
    if (auto s = check_device_memory(device_, what, needs, "Use fewer keys"); !s) return s;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      auto buffer = device_buffer::allocate(needs[i].bytes, fmt::format("the {} of {}", needs[i].what, what));
      if (!buffer) return buffer.error();
      index_.cells_[i] = std::move(*buffer);
    }
    return fine();
  }

  status run(const build_pass& pass, u64 items, const state_bytes& state) override {
    auto loaded = kernel_of(pass);
    if (!loaded) return loaded.error();
    if (control_.cancelled()) return job_control::cancelled_problem();
    control_.progress(pass.stage, -1);
    stage_time time{std::string(pass.stage), {}};
    if (items > 0) {
      for (u32 r = 0; r < max_regions; ++r) view_.regions[r] = index_.cells_[r].data();
      state.copy_to(view_.state);
      auto timer = device_timer::make();
      if (!timer) return timer.error();
      if (auto s = timer->start(stream_); !s) return s;
      const cudaError_t queued =
          launch(*loaded, ceil_div<u64>(items, build_threads), build_threads, stream_, view_, items);
      if (auto s = checked(queued, pass.stage); !s) return s;
      auto ms = timer->stop(stream_, pass.stage);
      if (!ms) return ms.error();
      time.samples_ms.push_back(*ms);
    }
    index_.times_.push_back(std::move(time));
    index_.kernels_.push_back(loaded->info);
    return fine();
  }

 private:
  // All passes are one program, compiled when the first is run.
  outcome<loaded_kernel> kernel_of(const build_pass& pass) {
    if (passes_.empty()) {
      auto loaded = kernels_.get(build_program(index_.config_), build_threads, control_);
      if (!loaded) return loaded.error();
      passes_ = std::move(*loaded);
    }
    const auto all = family_of(index_.config_).on_device().passes;
    const auto at = std::find_if(all.begin(), all.end(), [&](const build_pass& p) { return p.kernel == pass.kernel; });
    return passes_[static_cast<std::size_t>(at - all.begin())];
  }

  cuda_index& index_;
  const cuda_device& device_;
  cudaStream_t stream_;
  kernel_store& kernels_;
  const job_control& control_;
  build_view view_;
  std::vector<loaded_kernel> passes_;
};

outcome<std::shared_ptr<const cuda_index>> cuda_index::build(const cuda_device& device, cudaStream_t stream,
                                                             kernel_store& kernels, const index_config& config,
                                                             const cuda_keys& keys, const job_control& control) {
  auto index = std::make_shared<cuda_index>();
  index->device_ = device.ordinal;
  index->config_ = config;
  index->keys_ = keys.size();
  index->key_range_ = {keys.least(), keys.greatest()};
  cuda_executor on(*index, device, stream, kernels, keys, control);
  const auto state = family_of(config).build(on, config);
  if (!state) return state.error();
  index->state_ = *state;
  return std::shared_ptr<const cuda_index>(std::move(index));
}

index_view cuda_index::view() const {
  index_view v;
  for (u32 r = 0; r < max_regions; ++r) v.regions[r] = cells_[r].data();
  std::tie(v.sort_begin, v.sort_end) = sort_bits();
  state_.copy_to(v.state);
  return v;
}

status cuda_index::read(region_id region, u64 byte_offset, std::span<std::byte> out) const {
  const device_buffer& buffer = cells_[number_of(region)];
  if (byte_offset > buffer.bytes() || out.size() > buffer.bytes() - byte_offset) {
    return problem{fmt::format("bytes {} to {} are outside an array of {}", byte_offset, byte_offset + out.size(),
                               buffer.bytes())};
  }
  if (out.empty()) return fine();
  if (auto s = checked(cudaSetDevice(device_), "choosing the GPU"); !s) return s;
  return checked(cudaMemcpy(out.data(), buffer.as<std::byte>() + byte_offset, out.size(), cudaMemcpyDeviceToHost),
                 "reading the index");
}

u64 grid_blocks(const cuda_device& device, const launch_config& launch, u64 lookups) {
  const u64 tiles = ceil_div(lookups, u64{tile_lookups(launch)});
  const u64 resident = u64{device.info.processors} * launch.blocks_per_sm;
  return launch.schedule == schedule_kind::fixed ? std::min(tiles, resident) : tiles;
}

}  // namespace pivotscope
