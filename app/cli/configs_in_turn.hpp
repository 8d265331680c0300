// Several configs, one after another, over one workload.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "app/cli/options/workload_options.hpp"
#include "app/cli/terminal_job.hpp"

namespace pivotscope {

// What the line of progress says while config i is worked on.
std::string heading_of(std::span<const typed_config> configs, std::size_t i);

// Keys and lookups are made once for configs of one width that follow each other, and copied to the machine. Problem: that
// of making them, or of `work`, which ends it.
status for_each_config(std::span<const typed_config> configs, const workload_options& options, const workload& w,
                       machine& on, terminal_job& job,
                       const std::function<status(const typed_config&, const loaded_workload&)>& work);

}  // namespace pivotscope
