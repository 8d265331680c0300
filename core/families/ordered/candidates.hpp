// Which configs of the family `ordered` are worth measuring.
#pragma once

#include <vector>

#include "core/families/ordered/config.hpp"
#include "core/index/family.hpp"

namespace pivotscope {

// Every method, K and lanes, with reordering and pinning where they may pay.
void ordered_candidates(const candidate_question& question, std::vector<index_config>& list);

// In blocks that pinning wants.
ordered_config ordered_pinned(ordered_config config, pin_kind pin);

}  // namespace pivotscope
