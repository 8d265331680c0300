// core's device-visible headers as text inside the program, so that NVRTC needs no source tree (embed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace pivotscope {

struct embedded_file {
  std::string_view name;  // as included: "core/config/index_config.hpp"
  std::string_view text;  // ends with a zero byte past its end
};

// Everything that kernels.hpp includes, itself too, sorted by name.
std::span<const embedded_file> embedded_headers();

}  // namespace pivotscope
