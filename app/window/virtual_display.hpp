// A display that nobody sees, for pictures where there is none: on a server, in CI.
#pragma once

#include "core/common/outcome.hpp"

namespace pivotscope {

// Whether this process has an X display.
bool has_display();

// Starts an X server that draws in memory, Xvfb of the machine's own, and makes it this process' display until the
// process ends; where there is a display it does nothing. Once for all. Problem: there is no Xvfb, or it does not
// start.
status provide_display();

}  // namespace pivotscope
