// Whether a GPU has hardware for rays, told from its name.
#pragma once

#include <string>
#include <string_view>

namespace pivotscope {

// True for chips without RT cores, whose driver traces rays by programs on the multiprocessors: "NVIDIA H200".
bool lacks_rt_cores(std::string_view device_name);

// Returns what must be said beside every figure of that device: "NVIDIA H200 has no RT cores: ..."; empty if it has some.
std::string rt_core_words(std::string_view device_name);

}  // namespace pivotscope
