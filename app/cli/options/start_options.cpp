#include "app/cli/options/start_options.hpp"

#include <fmt/format.h>

#include "app/cli/options/option_list.hpp"
#include "app/cli/output.hpp"
#include "core/index/config_text.hpp"
#include "core/workload/field_needs.hpp"

namespace pivotscope {

void start_options::add_to(option_list& to, const char* group) {
  to.text("--config", config, {"LINE", group}, "this index");
  to.text("--workload", load, {"LINE", group}, "these keys, such as \"keys=2^20 distribution=uniform seed=1\"");
  to.text("--lookup", key, {"KEY", group},
          fmt::format("the path to this key, or of another question: {}", listed_signs()));
  machine.add_to(to, "best");
}

outcome<window_start> start_options::read(const machine_source& machines) const {
  window_start start;
  if (config) {
    outcome<typed_config> read = typed_config_from_line(*config);
    if (!read) return problem{fmt::format("--config \"{}\": {}", *config, read.error().words)};
    start.config = *read;
  }
  if (load) {
    outcome<workload_parts> read = workload_parts_from_line(*load);
    if (!read) return problem{fmt::format("--workload: {}", read.error().words)};
    for (const std::string& dropped : drop_idle(*read)) complain("--workload: " + dropped);
    start.load = read->load;
    start.batch_told = says_batch(*read);
  }
  if (key) {
    const auto sign = key->starts_with(info_of(operation::find).sign) ? std::nullopt : take_sign(*key);
    const std::size_t dots = sign ? std::string::npos : key->find("..");
    const std::string_view digits = sign ? sign->second : std::string_view(*key).substr(0, dots);
    outcome<u64> low = parse_count(digits, "--lookup", 0, greatest_key<u64>());
    if (!low) return low.error();
    start.key = question(sign ? sign->first : operation::find, *low);
    if (dots != std::string::npos) {
      outcome<u64> high = parse_count(key->substr(dots + 2), "--lookup", 0, greatest_key<u64>());
      if (!high) return high.error();
      start.key = question(operation::range, *low, *high);
    }
  }
  if (machine.name != "best") {
    const outcome<machine_kind> kind = machine.kind(machines);
    if (!kind) return kind.error();
    start.machine = *kind;
  }
  outcome<machine_options> options = machine.options();
  if (!options) return options.error();
  start.machines = *options;
  return start;
}

}  // namespace pivotscope
