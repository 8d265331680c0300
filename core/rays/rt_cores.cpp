#include "core/rays/rt_cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <span>

namespace pivotscope {
namespace {

// NVIDIA's boards without RT cores whose drivers trace rays all the same, each by a word of its name. Data centres: GV100,
// GA100, GH100, GB100 and GB300, as chips are called. A30 is a GA100; A10 and A40 are not. Desktops: all that are named
// GTX, of Pascal and Turing, and GV100's.
constexpr std::string_view without[] = {"V100", "GV100", "A100",  "A100X", "A800", "A30",  "A30X",  "H100",  "H200",
                                        "H800", "H20",   "GH200", "B100",  "B200", "B300", "GB200", "GB300", "GTX"};

// "TITAN V" and the like: the word after it tells them from "TITAN RTX", which has RT cores.
constexpr std::string_view titans_without[] = {"V", "X", "Xp"};

// Mesa's renderer on the CPU.
constexpr std::string_view software = "llvmpipe";

bool is_of(std::span<const std::string_view> list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

bool lacks_rt_cores(std::string_view device_name) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  std::string_view before;
  for (auto at = device_name.begin(); at != device_name.end();) {
    at = std::find_if(at, device_name.end(), is_word);
    const auto end = std::find_if_not(at, device_name.end(), is_word);
    const std::string_view word(at, end);
    if (word == software || is_of(without, word)) return true;
    if (before == "TITAN" && is_of(titans_without, word)) return true;
    before = word, at = end;
  }
  return false;
}

std::string rt_core_words(std::string_view device_name) {
  if (!lacks_rt_cores(device_name)) return {};
  return fmt::format("{} has no RT cores: rays are traced by programs, which its driver brings", device_name);
}

}  // namespace pivotscope
