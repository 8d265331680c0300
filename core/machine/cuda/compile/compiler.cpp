#include "core/machine/cuda/compile/compiler.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "core/common/source_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/cuda/compile/toolkit_places.hpp"

namespace pivotscope {
namespace {

std::string hash_surroundings(const nvrtc& library, compile_target target) {
  const std::string version = fmt::format("NVRTC {}.{}", library.major_version(), library.minor_version());
  const std::vector<std::string> options = compile_options(target);
  std::vector<std::string_view> parts = {version};
  for (const std::string& option : options) parts.push_back(option);
  for (const embedded_file& header : embedded_headers()) {
    parts.push_back(header.name);
    parts.push_back(header.text);
  }
  const cache_key all = hash_parts(parts);
  return fmt::format("{:016x}{:016x}", all.high, all.low);
}

}  // namespace

kernel_compiler::kernel_compiler(std::shared_ptr<const nvrtc> library, compile_target target,
                                 std::optional<kernel_cache> cache)
    : library_(std::move(library)),
      target_(target),
      cache_(std::move(cache)),
      surroundings_(hash_surroundings(*library_, target)) {}

cache_key kernel_compiler::key(const kernel_program& program) const {
  const std::array<std::string_view, 2> parts = {surroundings_, program.source};
  return hash_parts(parts);
}

outcome<nvrtc_output> kernel_compiler::compile(const kernel_program& program) const {
  std::vector<std::string> more;
  if (program.uses_cub) {
    const std::vector<std::filesystem::path> folders = cuda_include_folders();
    if (folders.empty()) {
      return problem{fmt::format(
          "Compiling {} needs CUB and CUDA's headers, and no toolkit that has them is here. Install the CUDA toolkit, "
          "or "
          "run `pip install nvidia-cuda-cccl nvidia-cuda-runtime`, or name a toolkit's folder in PIVOTSCOPE_CUDA; or "
          "take reorder=none.",
          program.what)};
    }
    for (const auto& folder : folders) more.push_back("-I" + folder.string());
    more.push_back("--pch");  // CUB alone takes a second or more; precompiled, the second kernel takes a fraction
    more.push_back("--diag-suppress=629,630");  // "precompiled for another" architecture or family: it makes one more
  }
  return library_->compile(program.source, program.what, embedded_headers(), target_, more);
}

status kernel_compiler::warm_up() const {
  index_config config = default_config();
  config.launch.reorder = reorder_kind::lookup;
  const auto output = compile(lookup_program(config));
  return output ? fine() : status(output.error());
}

outcome<compiled_program> kernel_compiler::get(const kernel_program& program) const {
  const auto begin = std::chrono::steady_clock::now();
  const cache_key program_key = key(program);
  compiled_program result;
  if (cache_) {
    kernel_cache::found found = cache_->load(program_key);
    result.note = std::move(found.note);
    if (found.code) {
      result.code = std::move(*found.code);
      result.origin = kernel_info::source::disk_cache;
    }
  }
  if (result.origin == kernel_info::source::none) {
    auto output = compile(program);
    if (!output) return output.error();
    result.code = std::move(output->code);
    result.log = std::move(output->log);
    result.origin = kernel_info::source::compiled;
    if (cache_) {
      const std::string failure = cache_->store(program_key, result.code);
      if (!failure.empty()) result.note += (result.note.empty() ? "" : " ") + failure;
    }
  }
  result.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace pivotscope
