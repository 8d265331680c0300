#include "viz/words/panel_names.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/workload/files/nearest_word.hpp"

namespace pivotscope::viz {

std::string small_name_of(panel which) {
  std::string name = name_of(which);
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return name;
}

std::optional<panel> panel_named(std::string_view small_name) {
  for (std::size_t i = 0; i < panel_count; ++i)
    if (small_name_of(static_cast<panel>(i)) == small_name) return static_cast<panel>(i);
  return std::nullopt;
}

std::string no_panel(std::string_view small_name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < panel_count; ++i) names.push_back(small_name_of(static_cast<panel>(i)));
  return fmt::format("there is no panel '{}'{}", small_name, suggestion(small_name, names));
}

}  // namespace pivotscope::viz
