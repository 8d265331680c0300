// How much larger than the display asks a user may have everything: in the window, and in a picture.
#pragma once

namespace pivotscope::viz {

inline constexpr float least_scale = 0.7f, greatest_scale = 3;

}  // namespace pivotscope::viz
