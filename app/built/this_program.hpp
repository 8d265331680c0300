// Which program this is, and which state of the sources it is made of (app/setup/commit.cmake).
#pragma once

#include "core/common/measured_by.hpp"

namespace pivotscope {

// "710d93e0aabb"; where files differed from the commit "710d93e0aabb-dirty.1f0c93d2", the last part by what differed in
// the sources; "unknown" outside of a git checkout.
const char* built_from();

// "pivotscope 0.1.0", and the commit.
measured_by this_program();

}  // namespace pivotscope
