// The measured curves that lie beside the program: assets/measured/DEVICE/SWEEP.csv.
#pragma once

#include "viz/models/session_view.hpp"

namespace pivotscope {

// Of each sweep with a plot, by sweep::measured_as(); none where there are no such files.
viz::known_curves kept_curves();

}  // namespace pivotscope
