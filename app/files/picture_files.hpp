// Where the window's pictures go, and under which names: none is ever overwritten.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/index_config.hpp"

namespace pivotscope {

// "pivotscope" in the user's folder of pictures: $XDG_PICTURES_DIR, what user-dirs.dirs names, ~/Pictures where it is
// there; without any of them the current folder.
std::filesystem::path pictures_folder();

// "path.svg" and 3 of 14: "path-03.svg".
std::filesystem::path numbered(std::filesystem::path path, u32 number, u32 of);

// "Tree" and EO+KS fanout=5: "tree-EO+KS-fanout=5".
std::string picture_stem(std::string_view what, const index_config& config, bool light = false);

// So many names that no file in the folder has: STEM.svg, or STEM-1.svg to STEM-4.svg; where any of them is taken, all
// with "-again2", or the next number that is free.
std::vector<std::filesystem::path> free_names(const std::filesystem::path& folder, const std::string& stem,
                                              const std::string& extension, u32 count);

// Files that are written one after the other; what fails ends it.
struct picture_series {
  std::string what;  // "Tree"
  std::vector<std::filesystem::path> paths;
  std::atomic<u32> written = 0;
  std::atomic<bool> failed = false;
};

}  // namespace pivotscope
