// The table's families, and nothing else: a program that is to know fewer of them brings a families() of its own.
#include <algorithm>
#include <array>

#include "core/families/families.hpp"
#include "core/index/family.hpp"

namespace pivotscope {

#define PIVOTSCOPE_DECLARE(name) const family& name##_family();
PIVOTSCOPE_EACH_FAMILY(PIVOTSCOPE_DECLARE)
#undef PIVOTSCOPE_DECLARE

// No two have one number.
static_assert([] {
#define PIVOTSCOPE_NUMBER(name) family_named(#name),
  std::array numbers = {PIVOTSCOPE_EACH_FAMILY(PIVOTSCOPE_NUMBER)};
#undef PIVOTSCOPE_NUMBER
  std::ranges::sort(numbers);
  return std::ranges::adjacent_find(numbers) == numbers.end();
}());

std::span<const family* const> families() {
#define PIVOTSCOPE_ADDRESS(name) &name##_family(),
  static const std::array list = {PIVOTSCOPE_EACH_FAMILY(PIVOTSCOPE_ADDRESS)};
#undef PIVOTSCOPE_ADDRESS
  return list;
}

}  // namespace pivotscope
