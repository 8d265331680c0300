// Which state of the sources this program is made of (app/setup/commit.cmake).
#pragma once

namespace pivotscope {

// "710d93e0aabb", with "-dirty" behind it where files differed from the commit; "unknown" outside of a git checkout.
const char* built_from();

}  // namespace pivotscope
