// Scripts by formula from a workload: the same ones on every machine. docs/updates.md says what is drawn.
#pragma once

#include "core/workload/script.hpp"

namespace pivotscope {

struct script_recipe {
  u64 inserts = 0;
  u64 erases = 0;
  double mix = 0;        // the writes' share of mixed batches, in which finds are the rest; 0: no batch is mixed
  u64 batch = 1 << 20;   // operations of a mixed batch; the last one has what is left
  bool operator==(const script_recipe&) const = default;
};

// Why no script can be made so over n keys.
std::optional<std::string> check(const script_recipe& recipe, u64 keys);

// The inserts in a batch and the erases in another, or both among finds in mixed batches; and behind them the workload's
// lookups or ranges, where it has some. `keys` are the workload's.
outcome<script> make_script(const key_array& keys, const workload& w, const script_recipe& recipe,
                            const job_control& control = {});

}  // namespace pivotscope
