// The outline of a font's letter, as the path of a vector graphic.
#pragma once

#include <string>

#include "core/common/portable.hpp"

namespace pivotscope {

struct letter_outline {
  std::string path;     // in the font's units, y upwards; empty where the font has none
  float unit_size = 0;  // of one unit, where the font is one high
};
// Of font number `number` in a TrueType or OpenType file's bytes.
letter_outline outline_of(const void* font_file, int number, u32 codepoint);

}  // namespace pivotscope
