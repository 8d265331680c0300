#include "core/run/named_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pivotscope {

std::vector<named_time> named_times(std::span<const stage_time> times) {
  std::vector<named_time> all;
  for (const stage_time& time : times) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const named_time& one) { return one.name == time.name; });
    if (at == all.end())
      all.push_back({std::string(time.name), time.median()});
    else
      at->ms += time.median();
  }
  return all;
}

std::string to_text(std::span<const named_time> times) {
  std::string text;
  for (const named_time& one : times) text += fmt::format("{}{}={}", text.empty() ? "" : "; ", one.name, one.ms);
  return text;
}

outcome<std::vector<named_time>> named_times_from_text(std::string_view text) {
  std::vector<named_time> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("; "), text.size());
    const std::string_view one = text.substr(0, end);
    const std::size_t equals = one.find('=');
    double ms = 0;
    const std::string_view number = equals == one.npos ? std::string_view() : one.substr(equals + 1);
    const auto [behind, error] = std::from_chars(number.data(), number.data() + number.size(), ms);
    if (equals == 0 || number.empty() || error != std::errc{} || behind != number.data() + number.size() ||
        !std::isfinite(ms) || ms < 0)
      return problem{fmt::format("'{}' is not the time of a stage", one)};
    all.push_back({std::string(one.substr(0, equals)), ms});
    text.remove_prefix(std::min(text.size(), end + 2));
  }
  return all;
}

}  // namespace pivotscope
