// What the process's control groups leave it of the memory: Slurm, systemd and containers set limits there.
#pragma once

#include <filesystem>

#include "core/common/portable.hpp"

namespace pivotscope {

// Bytes, the greatest u64 without a limit: of the process's own group and all groups above it, as far as they are
// mounted, the least of limit minus use. Version 1 and 2 of control groups, side by side as well: /proc/self/cgroup
// says which group, /proc/self/mountinfo where its files are. `root`: where the file tree begins, "/" but in tests.
// What is not there, or not understood, sets no limit.
u64 control_group_memory(const std::filesystem::path& root);

}  // namespace pivotscope
