// A file of the user's own that cannot be understood: it is renamed, and its user is told.
#pragma once

#include <filesystem>
#include <string>

#include "core/common/outcome.hpp"

namespace pivotscope {

// The words for it: "What was remembered in PATH cannot be used (why); it is kept as PATH.not-understood-1."
outcome<std::string> quarantine_and_say(const std::filesystem::path& path, const std::string& what,
                                        const std::string& why);

}  // namespace pivotscope
