// A sweep's values as people read them: the same in the table on a terminal, on a page and in a document.
#pragma once

#include <string>

#include "core/sweep/sweep_figures.hpp"

namespace pivotscope {

std::string shown_figure(const figure& f);  // "1.21 ms", "111 G/s"; "-" where it is unknown

// The quartiles, beside the median: "-0.3 +0.2%".
std::string middle_half(const figure_line& line);

// The command that measures it again.
std::string command_of(const sweep& of, const sweep_head& head);

// "NVIDIA H200, 132 multiprocessors, 139.8 GiB of memory"
std::string device_words(const machine_info& machine);

}  // namespace pivotscope
