// What a figure's sweep came to on other machines, from the CSV that `sweep --csv` wrote: to lie behind one's own
// points.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/sweep/sweep_point.hpp"

namespace pivotscope {

struct measured_curves {
  std::string device = {};  // "H200"
  std::vector<sweep_point> points = {};
};

// A point for each of the sweep's rows that the text has figures of: its best config, with the median and the middle
// half of its runs. Problem: it is no such CSV. What the text does not say of its device is as the caller knows it.
outcome<measured_curves> curves_from_csv(const sweep& of, std::string_view text, std::string device);

// The same points as if so many operations were asked for, as those of one's own rows, cut by 2^scale: a second has as
// many of them, and a batch takes as much longer.
std::vector<sweep_point> for_as_many(const measured_curves& curves, const sweep& of, u32 scale);

}  // namespace pivotscope
