// Programs to code: from the cache on disk, else by NVRTC and then into the cache. Needs no device.
#pragma once

#include <memory>
#include <optional>

#include "core/machine/cuda/compile/nvrtc.hpp"
#include "core/machine/cuda/compile/program.hpp"
#include "core/machine/kernel_cache.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

struct compiled_program {
  std::string code;  // a cubin, or PTX
  std::string log;   // NVRTC's; empty when the code comes from the cache
  kernel_info::source origin = kernel_info::source::none;
  double ms = 0;     // reading or compiling, by the host's clock
  std::string note;  // what the cache did not like; else empty
};

class kernel_compiler {
 public:
  // Without a cache everything is compiled.
  kernel_compiler(std::shared_ptr<const nvrtc> library, compile_target target, std::optional<kernel_cache> cache);

  // What the code depends on: sources, embedded headers, options with the architecture, NVRTC's version.
  cache_key key(const kernel_program& program) const;
  outcome<compiled_program> get(const kernel_program& program) const;

  // Compiles a kernel that sorts, and forgets it: NVRTC then has CUB precompiled, and the next such kernel of this
  // process takes a quarter of the time. Beside other calls, from any thread.
  status warm_up() const;

  const nvrtc& library() const { return *library_; }
  compile_target target() const { return target_; }
  const std::optional<kernel_cache>& cache() const { return cache_; }

 private:
  outcome<nvrtc_output> compile(const kernel_program& program) const;

  std::shared_ptr<const nvrtc> library_;
  compile_target target_;
  std::optional<kernel_cache> cache_;
  std::string surroundings_;  // all of the key's parts but the source, hashed
};

}  // namespace pivotscope
