// The two bars that are always there: the top line and the transport.
#pragma once

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

float top_bar_height();
void top_bar(frame& f);
float transport_bar_height();
void transport_bar(frame& f);

}  // namespace pivotscope::viz
