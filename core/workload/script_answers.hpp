// What a script's operations answer, and the file that the answers are written to.
#pragma once

#include <filesystem>
#include <span>

#include "core/common/answers.hpp"
#include "core/workload/script.hpp"

namespace pivotscope {

// In the script's order, a line for each find (a row id, or "-"), range (count and row sum) and successor (key and row
// id, or "-"); none for a write. `answers`: one for each operation. Written as write_answers() (key_file.hpp) writes.
status write_script_answers(const std::filesystem::path& path, const script& asked,
                            std::span<const script_answer> answers, const job_control& control = {});

}  // namespace pivotscope
