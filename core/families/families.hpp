// The table of families. A new family is a folder beside this file and one line here (docs/families.md shows it step by
// step). The folder `name/` holds
//
//   name.hpp     `struct name`: the code that runs on all machines
//   family.cpp   `const family& name_family()`: what the program knows about the family
#pragma once

#define PIVOTSCOPE_FAMILY_0 ordered
#define PIVOTSCOPE_FAMILY_1 plain
#define PIVOTSCOPE_FAMILY_2 open_addressing
#define PIVOTSCOPE_FAMILY_3 packed
#define PIVOTSCOPE_FAMILY_4 merged

#include "core/families/families_expand.hpp"

namespace pivotscope {

enum class family_id : unsigned char {
#define PIVOTSCOPE_ENUMERATOR(name) name,
  PIVOTSCOPE_EACH_FAMILY(PIVOTSCOPE_ENUMERATOR)
#undef PIVOTSCOPE_ENUMERATOR
};

}  // namespace pivotscope
