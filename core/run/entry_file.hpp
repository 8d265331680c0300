// Writes what an index holds to a file.
#pragma once

#include <filesystem>

#include "core/common/job_control.hpp"
#include "core/index/built_index.hpp"

namespace pivotscope {

// Writes a line "key row" for each entry of the index, in ascending order of keys, those of one key by their row ids.
// Written as write_answers() (key_file.hpp) writes. Needs 16 bytes per entry.
status write_entries(const std::filesystem::path& path, const stored_index& index, const job_control& control = {});

}  // namespace pivotscope
