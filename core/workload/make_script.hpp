// A workload's script: by formula, the same one on every machine (docs/updates.md says what is drawn), or one's own.
#pragma once

#include "core/workload/script.hpp"

namespace pivotscope {

// By the recipe, the inserts in a batch and the erases in another, or both among finds in mixed batches; or the file's
// or the list's operations. Behind them, as a batch of its own, the workload's lookups, ranges or successors, where it
// has some. `keys` are the workload's.
outcome<script> make_script(const key_array& keys, const workload& w, const job_control& control = {});

}  // namespace pivotscope
