#include "app/cli/options/config_options.hpp"

#include <fmt/format.h>

#include "app/cli/options/option_list.hpp"

namespace pivotscope {

void config_options::add_to(option_list& to, std::string_view each) {
  to.texts("--config", lines, {"LINE"},
           fmt::format("the index, as one line in quotes (default {}); may be given again: {} each", standard, each));
}

outcome<std::vector<typed_config>> config_options::read() const {
  std::vector<typed_config> configs;
  for (const std::string& line : lines.empty() ? std::vector<std::string>{standard} : lines) {
    outcome<typed_config> config = typed_config_from_line(line);
    if (!config) return problem{fmt::format("--config \"{}\": {}", line, config.error().words)};
    configs.push_back(*config);
  }
  return configs;
}

status config_options::set_width(std::vector<typed_config>& configs, const workload_options& options, const workload& w,
                                 const job_control& control) const {
  if (!lines.empty()) return fine();
  const outcome<key_width> width = width_not_told(options, w, control);
  if (!width) return width.error();
  configs.front().config.keys = *width;
  return fine();
}

}  // namespace pivotscope
