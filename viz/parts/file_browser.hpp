// A listing of a folder, below a field that wants a file's path.
#pragma once

#include <optional>
#include <string>

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// What the session listed last; it is asked for another folder by a click. The path of the file that was clicked.
std::optional<std::string> file_browser(frame& f);

// "12 MiB" of a file; empty of a folder.
std::string size_words(const folder_list::entry& of);

}  // namespace pivotscope::viz
