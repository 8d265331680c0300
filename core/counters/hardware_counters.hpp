// What a GPU itself counts while a kernel runs: the measures of gph, Section 3 (its Table 2), by the names it gives
// them; and those of gpu-btree, Section 5.7 (its Figure 6).
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>

#include "core/common/job_control.hpp"
#include "core/config/index_config.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// What L1, L2 and DRAM did. A hit rate is the sectors that the cache had over those it was asked for, 0 to 1.
struct memory_counters {
  double l1_hit_rate = 0, l2_hit_rate = 0;
  double l1_bytes_per_second = 0, l2_bytes_per_second = 0, dram_bytes_per_second = 0;  // throughput, reads and writes

  bool operator==(const memory_counters&) const = default;
};

// One of them, and what files call it. A share is a hit rate, anything else bytes a second.
struct memory_counter {
  std::string_view name;
  double memory_counters::*value;
  bool share;
};
inline constexpr std::array<memory_counter, 5> all_memory_counters = {{
    {"l1_hit_rate", &memory_counters::l1_hit_rate, true},
    {"l2_hit_rate", &memory_counters::l2_hit_rate, true},
    {"l1_bytes_per_second", &memory_counters::l1_bytes_per_second, false},
    {"l2_bytes_per_second", &memory_counters::l2_bytes_per_second, false},
    {"dram_bytes_per_second", &memory_counters::dram_bytes_per_second, false},
}};
// Checks a value that was read from a file.
inline bool may_be(const memory_counter& one, double value) {
  return std::isfinite(value) && value >= 0 && (!one.share || value <= 1);
}

struct hardware_counters {
  double occupancy = 0;  // AO, achieved: warps active on a multiprocessor over those it has room for, 0 to 1
  u64 instructions = 0;  // EI, that warps executed
  double cycles_per_instruction = 0;           // CPI: from an instruction of a warp to its next, on average
  std::optional<memory_counters> memory = {};  // nothing in files that are older than these counters

  double warp_cycles() const { return static_cast<double>(instructions) * cycles_per_instruction; }  // EI x CPI
  bool operator==(const hardware_counters&) const = default;
};

// Counts the lookups of a workload by an index once, on the machine that measures them. Problem: why not, in words.
using counter_source =
    std::function<outcome<hardware_counters>(const workload&, const index_config&, const job_control&)>;

}  // namespace pivotscope
