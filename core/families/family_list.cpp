// The table's families, and nothing else: a program that is to know fewer of them brings a families() of its own.
#include <array>

#include "core/families/families.hpp"
#include "core/index/family.hpp"

namespace pivotscope {

#define PIVOTSCOPE_DECLARE(name) const family& name##_family();
#define PIVOTSCOPE_DECLARE_EXPANDED(name) PIVOTSCOPE_DECLARE(name)
PIVOTSCOPE_EACH_FAMILY(PIVOTSCOPE_DECLARE_EXPANDED)
#undef PIVOTSCOPE_DECLARE_EXPANDED
#undef PIVOTSCOPE_DECLARE

std::span<const family* const> families() {
#define PIVOTSCOPE_ADDRESS(name) &name##_family(),
#define PIVOTSCOPE_ADDRESS_EXPANDED(name) PIVOTSCOPE_ADDRESS(name)
  static const std::array list = {PIVOTSCOPE_EACH_FAMILY(PIVOTSCOPE_ADDRESS_EXPANDED)};
#undef PIVOTSCOPE_ADDRESS_EXPANDED
#undef PIVOTSCOPE_ADDRESS
  return list;
}

}  // namespace pivotscope
