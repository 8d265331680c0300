#include "core/machine/cuda/compile/nvrtc.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <nvrtc.h>

#include <algorithm>

#include "core/common/plain_words.hpp"

namespace pivotscope {
namespace {

constexpr int oldest_major = 12, oldest_minor = 8;

// Where the loader found a library that was asked for by its bare name.
std::filesystem::path loaded_file(void* library, const std::filesystem::path& asked) {
  link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || *map->l_name == '\0') return asked;
  return map->l_name;
}

std::string last_loader_words() {
  const char* words = dlerror();
  return words == nullptr ? "the loader gave no reason" : words;
}

// NVRTC opens its second library by bare name and finds it only on the loader's path, not beside itself (CUDA 13.0). A
// library that is loaded already is taken for any later request by that name, so that of the same folder goes first.
bool load_builtins(const std::filesystem::path& beside, int major, int minor) {
  const std::string name = fmt::format("libnvrtc-builtins.so.{}.{}", major, minor);
  return dlopen((beside.parent_path() / name).c_str(), RTLD_LAZY | RTLD_LOCAL) != nullptr ||
         dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL) != nullptr;
}

}  // namespace

// NVRTC's functions by their names; the header gives their types.
struct nvrtc::functions {
  void* library = nullptr;  // never closed: NVRTC may have threads of its own
  decltype(&::nvrtcVersion) version = nullptr;
  decltype(&::nvrtcGetErrorString) error_string = nullptr;
  decltype(&::nvrtcGetNumSupportedArchs) architecture_count = nullptr;
  decltype(&::nvrtcGetSupportedArchs) architectures = nullptr;
  decltype(&::nvrtcCreateProgram) create = nullptr;
  decltype(&::nvrtcDestroyProgram) destroy = nullptr;
  decltype(&::nvrtcCompileProgram) compile = nullptr;
  decltype(&::nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&::nvrtcGetProgramLog) log = nullptr;
  decltype(&::nvrtcGetCUBINSize) cubin_size = nullptr;
  decltype(&::nvrtcGetCUBIN) cubin = nullptr;
  decltype(&::nvrtcGetPTXSize) ptx_size = nullptr;
  decltype(&::nvrtcGetPTX) ptx = nullptr;

  template <class Function>
  bool take(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
  }

  bool take_all() {
    return take(version, "nvrtcVersion") && take(error_string, "nvrtcGetErrorString") &&
           take(architecture_count, "nvrtcGetNumSupportedArchs") && take(architectures, "nvrtcGetSupportedArchs") &&
           take(create, "nvrtcCreateProgram") && take(destroy, "nvrtcDestroyProgram") &&
           take(compile, "nvrtcCompileProgram") && take(log_size, "nvrtcGetProgramLogSize") &&
           take(log, "nvrtcGetProgramLog") && take(cubin_size, "nvrtcGetCUBINSize") && take(cubin, "nvrtcGetCUBIN") &&
           take(ptx_size, "nvrtcGetPTXSize") && take(ptx, "nvrtcGetPTX");
  }

  problem failed(nvrtcResult result, std::string_view doing) const {
    return {fmt::format("NVRTC failed at {}: {}.", doing, error_string(result))};
  }

  // Bytes that NVRTC hands out by size and copy. Text has a closing zero or two that are not part of it.
  template <class Size, class Get>
  outcome<std::string> text(nvrtcProgram program, Size size_of, Get get, std::string_view what, bool zero_ended) const {
    std::size_t size = 0;
    if (const nvrtcResult r = size_of(program, &size); r != NVRTC_SUCCESS) return failed(r, what);
    std::string bytes(size, '\0');
    if (size == 0) return bytes;
    if (const nvrtcResult r = get(program, bytes.data()); r != NVRTC_SUCCESS) return failed(r, what);
    while (zero_ended && !bytes.empty() && bytes.back() == '\0') bytes.pop_back();
    return bytes;
  }
};

outcome<std::shared_ptr<const nvrtc>> nvrtc::open(const std::filesystem::path& file) {
  auto call = std::make_shared<functions>();
  call->library = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (call->library == nullptr) return problem{last_loader_words()};
  auto found = std::make_shared<nvrtc>();
  found->file_ = loaded_file(call->library, file);
  if (!call->take_all()) return problem{fmt::format("{} lacks functions that every NVRTC has", found->file_.string())};

  if (const nvrtcResult r = call->version(&found->major_, &found->minor_); r != NVRTC_SUCCESS) {
    return call->failed(r, "asking its version");
  }
  if (std::pair(found->major_, found->minor_) < std::pair(oldest_major, oldest_minor)) {
    return problem{fmt::format("{} is NVRTC {}.{}, and {}.{} or newer is needed", found->file_.string(), found->major_,
                               found->minor_, oldest_major, oldest_minor)};
  }
  if (!load_builtins(found->file_, found->major_, found->minor_)) {
    return problem{fmt::format("{} lacks its other half: {}", found->file_.string(), last_loader_words())};
  }
  int count = 0;
  if (const nvrtcResult r = call->architecture_count(&count); r != NVRTC_SUCCESS || count <= 0) {
    return call->failed(r, "asking its architectures");
  }
  std::vector<int> known(static_cast<std::size_t>(count));
  if (const nvrtcResult r = call->architectures(known.data()); r != NVRTC_SUCCESS) {
    return call->failed(r, "asking its architectures");
  }
  found->architectures_.assign(known.begin(), known.end());
  std::sort(found->architectures_.begin(), found->architectures_.end());
  found->call_ = std::move(call);
  return std::shared_ptr<const nvrtc>(std::move(found));
}

outcome<compile_target> nvrtc::target_for(u32 capability) const {
  const auto above = std::upper_bound(architectures_.begin(), architectures_.end(), capability);
  if (above == architectures_.begin()) {
    return problem{fmt::format(
        "{} compiles for compute capability {}.{} and newer, and this GPU has {}.{}. Name an older CUDA toolkit, not "
        "older than {}.{}, with PIVOTSCOPE_CUDA. The CPU machine (--machine cpu) works without.",
        text(), architectures_.front() / 10, architectures_.front() % 10, capability / 10, capability % 10,
        oldest_major, oldest_minor)};
  }
  const u32 nearest = *(above - 1);
  return compile_target{nearest, nearest / 10 == capability / 10};
}

outcome<nvrtc_output> nvrtc::compile(const std::string& source, std::string_view what,
                                     std::span<const embedded_file> headers, compile_target target,
                                     std::span<const std::string> more) const {
  std::vector<const char*> texts, names, flags;
  for (const embedded_file& header : headers) {
    texts.push_back(header.text.data());
    names.push_back(header.name.data());
  }
  const std::vector<std::string> options = compile_options(target);
  for (const std::string& option : options) flags.push_back(option.c_str());
  for (const std::string& option : more) flags.push_back(option.c_str());

  nvrtcProgram handle = nullptr;
  if (const nvrtcResult r = call_->create(&handle, source.c_str(), "pivotscope_kernel.cu",
                                          static_cast<int>(texts.size()), texts.data(), names.data());
      r != NVRTC_SUCCESS) {
    return call_->failed(r, fmt::format("taking in {}", what));
  }
  const auto destroy = [this](nvrtcProgram p) { call_->destroy(&p); };
  const std::unique_ptr<std::remove_pointer_t<nvrtcProgram>, decltype(destroy)> owner(handle, destroy);

  const nvrtcResult compiled = call_->compile(handle, static_cast<int>(flags.size()), flags.data());
  auto log = call_->text(handle, call_->log_size, call_->log, "reading its log", true);
  if (compiled != NVRTC_SUCCESS) {
    return problem{fmt::format("{} could not compile {} ({}). Its log:{}", text(), what, call_->error_string(compiled),
                               lines_below(log ? *log : log.error().words))};
  }
  if (!log) return log.error();
  auto code = target.binary ? call_->text(handle, call_->cubin_size, call_->cubin, "handing out machine code", false)
                            : call_->text(handle, call_->ptx_size, call_->ptx, "handing out PTX", true);
  if (!code) return code.error();
  return nvrtc_output{std::move(*code), std::move(*log)};
}

std::string nvrtc::text() const { return fmt::format("NVRTC {}.{} ({})", major_, minor_, file_.string()); }

outcome<std::shared_ptr<const nvrtc>> search_nvrtc(std::span<const toolkit_place> places, bool ask_loader) {
  std::string tried;
  const auto note = [&](std::string_view place, std::string_view reason) {
    tried += fmt::format("{}{}: {}", line_below, place, reason);
  };
  for (const toolkit_place& place : places) {
    std::error_code failed;
    if (!std::filesystem::exists(place.root, failed)) {
      note(place_text(place), "not there");
      continue;
    }
    bool any = false;
    for (const auto& folder : library_folders(place.root)) {
      for (const auto& file : nvrtc_files(folder)) {
        auto library = nvrtc::open(file);
        if (library) return library;
        note(place_text(place), library.error().words);
        any = true;
      }
    }
    if (!any) note(place_text(place), "holds no libnvrtc.so.N");
  }
  if (ask_loader) {
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12"}) {
      auto library = nvrtc::open(name);
      if (library) return library;
      note("the loader's path", library.error().words);
    }
  }
  return problem{
      fmt::format("No NVRTC {}.{} or newer, the compiler that makes the GPU's kernels. Install the CUDA toolkit, or "
                  "run `pip install "
                  "nvidia-cuda-nvrtc`, or name a toolkit's folder in PIVOTSCOPE_CUDA. The CPU machine (--machine cpu) "
                  "works without. Tried:{}",
                  oldest_major, oldest_minor, tried)};
}

const outcome<std::shared_ptr<const nvrtc>>& find_nvrtc() {
  static const outcome<std::shared_ptr<const nvrtc>> found = search_nvrtc(toolkit_places());
  return found;
}

}  // namespace pivotscope
