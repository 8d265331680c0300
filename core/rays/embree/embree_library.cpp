#include "core/rays/embree/embree_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace pivotscope {

outcome<const embree_library*> find_embree() {
  static const outcome<embree_library> found = detail::load_embree("libembree3.so.3");
  if (!found) return found.error();
  return &*found;
}

outcome<embree_library> detail::load_embree(const char* file) {
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);  // stays: Embree has threads of its own
  if (library == nullptr) {
    const char* const why = dlerror();
    return problem{fmt::format("Embree 3 cannot be loaded: {}; on Debian: apt-get install libembree3-3",
                               why == nullptr ? file : why)};
  }
  embree_library found;
  std::string missing;
  const auto find = [&](const char* name) {
    void* const function = dlsym(library, name);
    if (function == nullptr && missing.empty()) missing = name;
    return function;
  };
#define PIVOTSCOPE_EMBREE_FIND(name) found.name = reinterpret_cast<decltype(&::name)>(find(#name));
  PIVOTSCOPE_EMBREE_FUNCTIONS(PIVOTSCOPE_EMBREE_FIND)
#undef PIVOTSCOPE_EMBREE_FIND
  if (!missing.empty())
    return problem{fmt::format("{} has no function {}: it is not Embree 3; on Debian: apt-get install libembree3-3",
                               file, missing)};
  return found;
}

}  // namespace pivotscope
