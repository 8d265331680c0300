// Pixels, and the PNG that is made of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

struct picture {
  int width = 0, height = 0;
  std::vector<u8> rgb;  // rows from the top
};
// With `words` as its description, where there are any.
outcome<std::string> png_of(const picture& pixels, const std::string& words = {});
// A whole_file.
status write_png(const std::filesystem::path& path, const picture& pixels, const std::string& words = {});

}  // namespace pivotscope
