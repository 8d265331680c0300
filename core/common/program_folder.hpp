// Where the running program lies, and with it what it brings along.
#pragma once

#include <filesystem>
#include <vector>

namespace pivotscope {

// The folder of the running program's file; empty where the system does not tell.
std::filesystem::path program_folder();

// The folders that may hold the program's fonts and lessons: share/pivotscope of an installed program, then `assets`
// beside a built one. Neither need exist.
std::vector<std::filesystem::path> asset_folders();

}  // namespace pivotscope
