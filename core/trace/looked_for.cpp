#include <fmt/format.h>

#include "core/trace/trace.hpp"

namespace pivotscope {

std::string to_text(const looked_for& what) {
  return what.high ? fmt::format("{}..{}", what.low, *what.high) : std::to_string(what.low);
}

}  // namespace pivotscope
