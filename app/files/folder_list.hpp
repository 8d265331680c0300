// What a folder holds, for who looks for a file there.
#pragma once

#include <filesystem>

#include "viz/models/session_view.hpp"

namespace pivotscope {

// Folders first, then regular files and links to such, each by name; what begins with a dot is left out. A path that is
// a file's, or not there, is listed by the nearest folder above it. Not readable: the words say so.
viz::folder_list list_folder(const std::filesystem::path& path);

}  // namespace pivotscope
