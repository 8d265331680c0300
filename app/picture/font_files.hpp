// Where the program's fonts are.
#pragma once

#include <filesystem>
#include <vector>

namespace pivotscope {

// The installed program's share/pivotscope/fonts, the build's assets, Debian's folders: whichever is first.
std::vector<std::filesystem::path> font_folders();

// The first of the folders that has the file; empty: none.
std::filesystem::path find_font(const std::vector<std::filesystem::path>& folders, const char* file);

}  // namespace pivotscope
