// What turning a knob costs: compiling a kernel with CUB's block sort once NVRTC is warm, and reading it from the disk
// cache. Needs NVRTC and no device. Wall time of the host; one run of each kernel, since a process compiles it once.
//
//   compile_benchmark [architecture, 90 by default]
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "core/index/config_text.hpp"
#include "core/machine/cuda/compile/compiler.hpp"

namespace {

using namespace pivotscope;

double ms_of(const auto& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

int fail(const problem& p) {
  fmt::print(stderr, "{}\n", p.words);
  return 2;
}

int measure(const std::filesystem::path& folder, u32 capability) {
  const auto& library = find_nvrtc();
  if (!library) return fail(library.error());
  auto cache = kernel_cache::open({.path = folder, .named_by = "the benchmark"});
  if (!cache) return fail(cache.error());
  const kernel_compiler compiler(*library, {capability, true}, std::move(*cache));
  fmt::print("{}, sm_{}\n", (*library)->text(), capability);

  status warm = fine();
  fmt::print("{:<66} {:>9.1f} ms\n", "warm-up: the first kernel with block sort",
             ms_of([&] { warm = compiler.warm_up(); }));
  if (!warm) return fail(warm.error());

  fmt::print("\n{:<66} {:>12} {:>12}\n", "kernel with block sort", "compiled ms", "from disk ms");
  double most_compiled = 0, most_read = 0;
  for (const char* line :
       {"AO+BS reorder=lookup threads=128 per_thread=16", "AO+BS reorder=double threads=128 per_thread=16",
        "EO+BS reorder=double threads=512 per_thread=4", "EO+BS reorder=lookup threads=1024 keys=u64",
        "EO+KS fanout=9 lanes=2 reorder=double threads=256 per_thread=8",
        "AO+PB+BS pivots=20 reorder=double pin=full threads=1024 per_thread=2",
        "AO+PB+KS fanout=17 lanes=4 reorder=double threads=128 per_thread=8"}) {
    const auto config = config_from_line(line);
    if (!config) return fail(config.error());
    double ms[2];
    for (double& taken : ms) {
      outcome<compiled_program> made = problem{""};
      taken = ms_of([&] { made = compiler.get(lookup_program(*config)); });
      if (!made) return fail(made.error());
      const auto wanted = &taken == ms ? kernel_info::source::compiled : kernel_info::source::disk_cache;
      if (made->origin != wanted) return fail({"the kernel did not come from where it should"});
    }
    fmt::print("{:<66} {:>12.1f} {:>12.2f}\n", line, ms[0], ms[1]);
    most_compiled = std::max(most_compiled, ms[0]), most_read = std::max(most_read, ms[1]);
  }
  fmt::print("{:<66} {:>12.1f} {:>12.2f}\n", "most", most_compiled, most_read);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  std::string folder = (std::filesystem::temp_directory_path() / "pivotscope-compile-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return fail({"cannot make a folder for the cache in " + folder});
  const int result = measure(folder, count > 1 ? static_cast<u32>(std::atoi(arguments[1])) : 90);
  std::filesystem::remove_all(folder);
  return result;
}
