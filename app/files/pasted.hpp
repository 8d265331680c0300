// Keys that were pasted, and scripts, kept in files of the user's own folder; and paths as people type them.
#pragma once

#include <filesystem>
#include <span>

#include "core/workload/script.hpp"

namespace pivotscope {

// Writes FOLDER/pasted-HASH.txt, one number a line, named by what it holds: the same keys are one file. A whole_file.
outcome<std::filesystem::path> keep_pasted(const std::filesystem::path& folder, std::span<const u64> numbers);

// The same of a script: FOLDER/script-HASH.txt.
outcome<std::filesystem::path> keep_script(const std::filesystem::path& folder, const script& s);

// "~/keys.txt" by its whole path; ~ is the home folder.
std::string whole_path(const std::string& typed);

// Files of the workload by their whole path, so that its line means the same from every folder: ~ is the home folder.
workload with_whole_paths(workload load);

}  // namespace pivotscope
