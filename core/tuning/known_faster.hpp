// What is known to be faster than a paper's method as it stands: another config of the same method. The papers' names
// keep the papers' parameters, so whoever types one alone is told what its knobs can do.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/index_config.hpp"
#include "core/machine/machine.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// Told from here on: as many times the lookups a second.
inline constexpr double least_known_gain = 1.2;

// A line of docs/figures/h100/known_faster.csv: over 2^log2_keys keys of that width `method knobs` answered `times` as
// many lookups as `method` alone.
struct known_row {
  std::string_view method;
  key_width width;
  u32 log2_keys;
  double times;
  std::string_view knobs;
};
std::span<const known_row> known_rows();
index_config config_of(const known_row& row);

// The row of the nearest number of keys, at most twice as many or half; none for a config with a knob of its own,
// another machine than a GPU, or a batch unlike the one that was measured: random point lookups, all hits, not sorted,
// of keys alike popular, 2^20 or more of them.
const known_row* known_faster(const index_config& config, u64 keys, const workload& load, const machine_info& on);

// The configs of the rows of that many keys, of each method one at most.
std::vector<index_config> known_configs(u64 keys, key_width width);

// "AO+BS: --config "AO+BS threads=512 ..." is known to answer 1.9 times as many lookups over 2^26 keys (one H100;
// docs/adviser.md)."
std::string words_of(const known_row& row);

}  // namespace pivotscope
