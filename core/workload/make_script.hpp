// Scripts by formula from a workload: the same ones on every machine. docs/updates.md says what is drawn.
#pragma once

#include "core/workload/script.hpp"
#include "core/workload/script_recipe.hpp"

namespace pivotscope {

// The inserts in a batch and the erases in another, or both among finds in mixed batches; and behind them the workload's
// lookups or ranges, where it has some. `keys` are the workload's.
outcome<script> make_script(const key_array& keys, const workload& w, const script_recipe& recipe,
                            const job_control& control = {});

}  // namespace pivotscope
