// The choices of a config over buckets that rays find.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

// naive: markers beside the rows and planes (cgrx, Section 3.1). optimised: representatives are the markers (3.3).
enum class scene_form : u8 { naive, optimised };
// How a bucket is searched for its first entry that is large enough (Section 3.4).
enum class bucket_search : u8 { binary, linear };

}  // namespace pivotscope
