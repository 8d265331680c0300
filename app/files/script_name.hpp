// How a workload says a script: by its recipe, as a list in its line, or in a file that is kept for it.
#pragma once

#include <filesystem>

#include "core/workload/script.hpp"
#include "viz/models/session_view.hpp"

namespace pivotscope {

// Whether both workloads have the same script over the same keys, by their lines alone.
bool same_script(const workload& a, const workload& b);
// The script, and nothing of the lookups behind it.
workload script_of(workload load);
workload without_script(workload load);
// The same lookups behind another script. Too long for a line, it is written into `folder`, once. Problem: there is
// none, or it cannot be written.
outcome<workload> with_script(const workload& load, const script& s, const std::filesystem::path& folder);

// What is drawn, over keys that are those of all rows given so far.
outcome<script> draw_updates(const key_array& rows, const workload& load, const viz::update_draw& what,
                             const job_control& control);
// The draw as a workload's recipe, where it is one: over the workload's own keys.
std::optional<workload> with_recipe(const workload& load, const viz::update_draw& what);

}  // namespace pivotscope
