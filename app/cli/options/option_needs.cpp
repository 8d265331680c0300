#include "app/cli/options/option_needs.hpp"

#include <fmt/format.h>

namespace pivotscope {

std::span<const option_need> option_needs() {
  constexpr auto beside = option_need::beside, not_beside = option_need::not_beside;
  static const std::vector<option_need> all = {
      {"", {"--screenshot"}, beside, "--headless", "", ""},
      {"run", {"--noise", "--most-seconds"}, beside, "--repeats", "auto", "else the runs are a fixed number"},
      {"run", {"--keys-column"}, beside, "--keys-from", "", "a column of which file?"},
      {"tune", {"--keys-column"}, beside, "--keys-from", "", "a column of which file?"},
      {"trace", {"--range-to"}, beside, "--lookup", "", "a range begins there"},
      {"interleave", {"--schedules", "--seed"}, not_beside, "--replay", "", "the line says which batch and schedule"},
      {"sweep",
       {"--list", "--kept", "--rows", "--scale", "--rounds", "--shard", "--csv", "--json", "--svg", "--png",
        "--against", "--no-floor", "--machine", "--cache-folder"},
       not_beside,
       "NAME",
       "merge",
       "merge takes folders and --into alone; `pivotscope sweep NAME --into DIR --kept` shows what one has"},
      {"sweep",
       {"--kept", "--rows", "--scale", "--rounds", "--into", "--shard", "--csv", "--json", "--svg", "--png",
        "--against", "--no-floor", "--machine", "--cache-folder"},
       not_beside,
       "--list",
       "",
       "it prints what there is, and measures nothing"},
      {"sweep",
       {"--scale", "--rounds", "--no-floor", "--machine", "--cache-folder"},
       not_beside,
       "--kept",
       "",
       "it shows what was measured, as it was"},
      {"sweep", {"--kept"}, beside, "--into", "", "it shows what a folder has: which one? --into DIR"},
  };
  return all;
}

std::optional<std::string> refuse_without_effect(std::string_view command, const given_value& given) {
  for (const option_need& need : option_needs()) {
    if (need.command != command) continue;
    const std::optional<std::string> value = given(need.other);
    const bool there = value && (need.value.empty() || *value == need.value);
    if (there == (need.how == option_need::beside)) continue;
    const bool place = !need.other.starts_with("--");  // which stands for itself
    const std::string other = place                ? std::string(need.value)
                              : need.value.empty() ? std::string(need.other)
                                                   : fmt::format("{} {}", need.other, need.value);
    for (const std::string_view option : need.options) {
      if (!given(option)) continue;
      const char* how = need.how == option_need::beside ? "goes" : "has no effect";
      return fmt::format("{} {} with {}{}{}", option, how, other, need.why.empty() ? "" : ": ", need.why);
    }
  }
  return std::nullopt;
}

}  // namespace pivotscope
