// A scenario as one line: a config's line, a workload's line, the key looked for, and the place that is shown.
//   EO+KS fanout=9 keys=2^20 distribution=uniform seed=1 lookups=2^20 hits=1 lookup=42 step=3
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/outcome.hpp"
#include "core/config/index_config.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/run/view_position.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

struct scenario_text {
  std::optional<index_config> config;  // not in the text: as it is now
  std::optional<workload> load;
  std::optional<question> key;            // lookup=9, lookup=9..12 for a range, successor=9, insert=9 or erase=9
  view_position at;                       // step=3; build=11, or build=pivots:0; panel=layout; cells=120..180
  bool name_alone = false;                // the config is a typed_config that is one
  bool batch_told = false;                // the load's line says how many lookups, ranges or successors
  std::vector<std::string> dropped = {};  // of the load: words for each part that has no effect
};

std::string to_line(const index_config& config, const workload& load, std::optional<question> key,
                    const view_position& at = {});
// Any of the four parts, in any order. `keys=u64` is the config's and `keys=2^20` the workload's. A command is taken as
// well: pivotscope trace --config "EO+KS fanout=9" --keys 2^20 --lookup 42, as `verify` prints it; its machine is not.
outcome<scenario_text> scenario_from_line(std::string_view line);

}  // namespace pivotscope
