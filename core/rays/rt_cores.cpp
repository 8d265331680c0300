#include "core/rays/rt_cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace pivotscope {
namespace {

// NVIDIA's chips from Volta on whose drivers trace rays (GV100, GA100, GH100, GB100 and GB300), by the names of their
// boards. A30 is a GA100; A10 and A40 are not.
constexpr std::string_view without[] = {"V100", "A100",  "A800", "A30",  "H100", "H200",  "H800",
                                        "H20",  "GH200", "B100", "B200", "B300", "GB200", "GB300"};

// Mesa's renderer on the CPU.
constexpr std::string_view software = "llvmpipe";

}  // namespace

bool lacks_rt_cores(std::string_view device_name) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (auto at = device_name.begin(); at != device_name.end();) {
    at = std::find_if(at, device_name.end(), is_word);
    const auto end = std::find_if_not(at, device_name.end(), is_word);
    const std::string_view word(at, end);
    if (word == software || std::find(std::begin(without), std::end(without), word) != std::end(without)) return true;
    at = end;
  }
  return false;
}

std::string rt_core_words(std::string_view device_name) {
  if (!lacks_rt_cores(device_name)) return {};
  return fmt::format("{} has no RT cores: rays are traced by programs, which its driver brings", device_name);
}

}  // namespace pivotscope
