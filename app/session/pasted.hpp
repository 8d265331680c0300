// Keys that were pasted, kept in files of the user's own folder, and paths as people type them.
#pragma once

#include <filesystem>
#include <span>

#include "core/workload/workload.hpp"

namespace pivotscope {

// Writes FOLDER/pasted-HASH.txt, one number a line, named by what it holds: the same keys are one file. A whole_file.
outcome<std::filesystem::path> keep_pasted(const std::filesystem::path& folder, std::span<const u64> numbers);

// Files of the workload by their whole path, so that its line means the same from every folder: ~ is the home folder.
workload with_whole_paths(workload load);

}  // namespace pivotscope
