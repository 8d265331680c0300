// The cuda machine: runs every index on one NVIDIA GPU. It is there for speed. Its times are the GPU's own, by events
// around each kernel. docs/cuda.md describes it in full.
//
// How it runs a family's source. A config becomes a few lines of program text (program.cpp): the family's header, the
// config as a constant, and a kernel that calls a body of kernels.hpp. NVRTC compiles the text with core's headers,
// which are embedded in this program (compiler.cpp). Compiled kernels are kept in memory and on disk (kernel_store.cpp,
// kernel_cache.hpp). In a kernel, simt/cuda.hpp gives the vocabulary:
//
//   lanes     1 to 32 threads of a warp, which exchange values by shuffles (cuda_lanes)
//   wave      one lookup per group of lanes, or as many as the config keeps in flight
//   memory    loads of up to 16 bytes through the read-only path (cuda_memory); updates use relaxed loads, fences and
//             atomics (cuda_writing_memory)
//   block     a thread block with its tile; CUB sorts the tile if the config reorders (cuda_sort.hpp)
//   config    a template argument: an option that is off leaves nothing in the machine code
//
// load() copies the keys to the GPU; build() sorts them with CUB if the family wants that, and runs the family's
// passes, one kernel each (cuda_keys.cpp, cuda_index.cpp); run() and update() launch the kernel of the operation
// (cuda_batch.cpp). nvcc compiles only what the host launches by itself: sort.cu, group_sort.cu, gather.cu and gate.cu.
// Before a timed run the stream is held, so that a time does not include the launch (stream_gate.hpp).
//
// What it shares. With every machine: the family's source. With cpu: the interface (machine.hpp), the loop over tiles
// (core/batch), the steps of an update (machine/change_index.hpp), and the timing loop (timed_runs.hpp). With the
// host's machines: simt/run.hpp, which splits a node into loads, so that the trace shows the loads of the GPU.
//
// What it cannot do. It needs a driver and NVRTC; without them open_cuda() says why. Keys, index and batch must fit
// into the memory of one GPU. It does not show what a lookup reads: the trace machine does, over the bytes of this
// index. A first use of a config waits for its compile, unless prepare() did it before.
#include <fmt/format.h>

#include <new>

#include "core/index/check.hpp"
#include "core/index/operations.hpp"
#include "core/machine/change_index.hpp"
#include "core/machine/cuda/cuda_batch.hpp"
#include "core/machine/cuda/cuda_gather.hpp"

namespace pivotscope {
namespace {

std::string detail_text(const cuda_device& device, const nvrtc& library, compile_target target) {
  std::string text = fmt::format("CUDA driver {}, runtime {}; kernels by {}", cuda_version_text(device.driver_version),
                                 cuda_version_text(device.runtime_version), library.text());
  if (!target.binary) text += ", which is older than this GPU: the driver finishes them";
  // Who names a place wants to know when it was no good.
  for (const toolkit_place& place : toolkit_places()) {
    if (place.why == "$PIVOTSCOPE_CUDA" && !library.file().string().starts_with(place.root.string())) {
      text += fmt::format(", since {} holds none", place_text(place));
    }
  }
  return text;
}

constexpr u32 library_sort_runs = 3;

class cuda_machine final : public machine {
 public:
  cuda_machine(cuda_device device, machine_info info, device_stream stream, kernel_compiler compiler)
      : device_(std::move(device)),
        info_(std::move(info)),
        stream_(std::move(stream)),
        kernels_(std::move(compiler), device_) {}

  const machine_info& info() const override { return info_; }

  outcome<std::shared_ptr<const resident_keys>> load(const key_array& keys, const job_control& control) override {
    return guard<std::shared_ptr<const resident_keys>>([&]() -> outcome<std::shared_ptr<const resident_keys>> {
      if (keys.size() > max_keys) {
        return problem{fmt::format("{} keys are more than {}: row ids are 32 bits wide", keys.size(), max_keys)};
      }
      auto loaded = cuda_keys::load(device_, stream_.get(), keys, control);
      if (!loaded) return loaded.error();
      return std::shared_ptr<const resident_keys>(std::move(*loaded));
    });
  }

  outcome<std::shared_ptr<const built_index>> build(const index_config& config,
                                                    std::shared_ptr<const resident_keys> keys,
                                                    const job_control& control) override {
    return guard<std::shared_ptr<const built_index>>([&]() -> outcome<std::shared_ptr<const built_index>> {
      if (auto why = check(config)) return problem{*why};
      const auto* here = dynamic_cast<const cuda_keys*>(keys.get());
      if (here == nullptr) return problem{"the keys were loaded on another machine"};
      if (here->width() != config.keys) {
        return problem{"the config's key width is not that of the keys on the machine"};
      }
      if (auto why = check_keys(config, here->size())) return problem{*why};
      auto index = cuda_index::build(device_, stream_.get(), kernels_, config, *here, control);
      if (!index) return index.error();
      return std::shared_ptr<const built_index>(std::move(*index));
    });
  }

  outcome<stage_time> library_sort(const resident_keys& keys, const job_control& control) override {
    return guard<stage_time>([&]() -> outcome<stage_time> {
      const auto* here = dynamic_cast<const cuda_keys*>(&keys);
      if (here == nullptr) return problem{"the keys are on another machine"};
      return here->library_sort(device_, stream_.get(), library_sort_runs, control);
    });
  }

  // Where CUB is missing the kernels that need it say so.
  void warm_up() const override { static_cast<void>(kernels_.compiler().warm_up()); }

  outcome<kernel_info> prepare(const index_config& config, operation kind, const job_control& control) override {
    return guard<kernel_info>([&]() -> outcome<kernel_info> {
      if (auto why = check(config)) return problem{*why};
      if (auto why = check_serves(config, kind)) return problem{*why};
      auto loaded = kernels_.get(batch_program(kind, config), config.launch.threads, control);
      if (!loaded) return loaded.error();
      return loaded->front().info;
    });
  }

  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    return guard<batch_result>([&]() -> outcome<batch_result> {
      const auto* here = dynamic_cast<const cuda_index*>(&index);
      if (here == nullptr) return problem{"the index was built on another machine"};
      if (auto s = check_batch_fits(index.config(), asked); !s) return s.error();
      return cuda_run(device_, stream_.get(), kernels_, *here, asked, options, control);
    });
  }

  outcome<update_result> update(const built_index& index, const script& s, u64 batch, const batch_options& options,
                                const job_control& control) override {
    return guard<update_result>([&]() -> outcome<update_result> {
      const auto* here = dynamic_cast<const cuda_index*>(&index);
      if (here == nullptr) return problem{"the index was built on another machine"};
      if (auto fits = check_update(index, s, batch); !fits) return fits.error();
      return timed_updates(options, control, [&] {
        return cuda_index::update(device_, stream_.get(), kernels_, *here, s, batch, control);
      });
    });
  }

  outcome<std::vector<gather_times>> gather(std::span<const gather_question> asked, const batch_options& options,
                                            const job_control& control) override {
    return guard<std::vector<gather_times>>(
        [&] { return cuda_gather(device_, stream_.get(), asked, options, control); });
  }

 private:
  // The current device is a property of the calling thread. What the standard library throws ends here.
  template <class Value, class F>
  outcome<Value> guard(F&& f) {
    if (auto s = checked(cudaSetDevice(device_.ordinal), "choosing the GPU"); !s) return s.error();
    try {
      return f();
    } catch (const std::bad_alloc&) {
      return problem{"There is not enough memory on this computer, the GPU's apart. Use fewer keys or lookups."};
    }
  }

  cuda_device device_;
  machine_info info_;
  device_stream stream_;
  kernel_store kernels_;
};

struct cuda_parts {
  cuda_device device;
  std::shared_ptr<const nvrtc> library;
  compile_target target;
};

// All that can be missing.
outcome<cuda_parts> find_parts() {
  auto device = find_cuda_device();
  if (!device) return device.error();
  const auto& library = find_nvrtc();
  if (!library) return library.error();
  auto target = (*library)->target_for(device->info.compute_capability);
  if (!target) return target.error();
  device->info.detail = detail_text(*device, **library, *target);
  return cuda_parts{std::move(*device), *library, *target};
}

}  // namespace

namespace detail {

machine_report report_cuda() {
  auto parts = find_parts();
  if (!parts) return {machine_kind::cuda, false, {}, parts.error().words};
  return {machine_kind::cuda, true, std::move(parts->device.info), {}};
}

outcome<std::unique_ptr<machine>> open_cuda(const machine_options& options) {
  const cache_folder folder = choose_cache_folder(options.cache_folder);
  auto parts = find_parts();
  if (!parts) return parts.error();

  auto cache = kernel_cache::open(folder);
  if (!cache && !folder.named_by.empty()) return cache.error();
  machine_info info = parts->device.info;
  info.detail += cache ? fmt::format("; compiled kernels are kept in {}", cache->folder().string())
                       : fmt::format("; compiled kernels are not kept. {}", cache.error().words);

  // Makes the context, so that no kernel's time has a part in it.
  if (auto s = checked(cudaSetDevice(parts->device.ordinal), "choosing the GPU"); !s) return s.error();
  if (auto s = checked(cudaFree(nullptr), "making a context on the GPU"); !s) return s.error();
  auto stream = device_stream::make();
  if (!stream) return stream.error();
  kernel_compiler compiler(parts->library, parts->target,
                           cache ? std::optional<kernel_cache>(std::move(*cache)) : std::nullopt);
  return std::unique_ptr<machine>(std::make_unique<cuda_machine>(std::move(parts->device), std::move(info),
                                                                 std::move(*stream), std::move(compiler)));
}

}  // namespace detail
}  // namespace pivotscope
