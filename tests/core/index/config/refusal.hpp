// Why a config's line is refused.
#pragma once

#include <string>
#include <string_view>

#include "core/index/config_text.hpp"

namespace pivotscope {

inline std::string words_of(std::string_view line) {
  const auto config = config_from_line(line);
  return config ? "accepted" : config.error().words;
}

}  // namespace pivotscope
