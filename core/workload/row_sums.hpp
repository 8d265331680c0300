// What a file of lookups says of the keys that it was made for.
#pragma once

#include <span>
#include <string_view>

#include "core/common/job_control.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// A problem where the row ids of a looked-up key's entries do not sum to what the file `name` says; of a key that is
// not there they sum to 0.
status check_row_sums(const key_array& keys, const key_array& lookups, std::span<const u64> row_sums,
                      std::string_view name, const job_control& control = {});

}  // namespace pivotscope
