// A file that cannot be understood is not overwritten but kept beside under another name.
#pragma once

#include <filesystem>

#include "core/common/outcome.hpp"

namespace pivotscope {

// Renames `path` to path.not-understood-1, or the next number that is free; returns that name. Problem: why it could
// not be, and the file is where it was. Not a link: what it leads to.
outcome<std::filesystem::path> quarantine(const std::filesystem::path& path);

}  // namespace pivotscope
