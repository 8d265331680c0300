// The families that the golden outputs were written with. A family that comes to the table later changes none of them;
// who wants its words, candidates and cases to stand in them adds it here, and renews them.
#pragma once

#include <array>
#include <span>

#include "core/index/family.hpp"

namespace pivotscope {

const family& ordered_family();
const family& plain_family();
const family& open_addressing_family();
const family& packed_family();

namespace testing {

inline std::span<const family* const> golden_families() {
  static const std::array list = {&ordered_family(), &plain_family(), &open_addressing_family(), &packed_family()};
  return list;
}

}  // namespace testing
}  // namespace pivotscope
