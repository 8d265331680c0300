// The adviser: which index for which workload on which machine, from what is known before anything runs. A pure
// function: the decision tree of lightweight, Section 6.1, and beside it what our own measurements found better.
//
//   smallest footprint? ----------------------------------yes--> entries alone: Eytzinger, or ascending if required
//   ascending, many small ranges or short rebuilds? ------yes--> input <= L2: AO+BS, pinned and reordered
//                                                                input >  L2: AO+PB+KS K=9   (never AO+PB+BS)
//   otherwise -------------------------------------------------> input <= L2: EO+BS
//                                                                input >  L2: EO+KS K=9, K - 1 lanes a lookup
//   any range lookups: array of structs, never struct of arrays
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/machine/machine.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

struct workload_facts {
  u64 keys = 0;
  key_width width = key_width::u32;
  bool ascending = false;      // something else reads the entries in ascending order
  bool smallest = false;       // nothing beside the entries may take memory
  bool short_rebuild = false;  // the index is built anew often
  double range_share = 0;      // of the lookups, 0 to 1
  u64 range_entries = 0;       // that a range lookup yields on average
};

// What a workload's line says; the rest is as the caller knows it.
workload_facts facts_of(const workload& load, key_width width);

// Ranges that yield this many entries or fewer are small: half way, on a log scale, between the 2^6 and the 2^14 of
// lightweight, Figure 19.
inline constexpr u64 most_of_a_small_range = 1 << 10;

// Bytes of the keys and row ids as an array of structs: what is compared with the cache.
u64 input_bytes(const workload_facts& facts);

struct advice_reason {
  std::string words;   // a sentence with its numbers
  std::string source;  // "lightweight, Section 6.1", "docs/measurements.md"
};

struct advice {
  index_config config;                   // the paper's; check() accepts it
  std::vector<advice_reason> reasons;    // never empty
  std::optional<index_config> measured;  // what our measurements found faster for these facts
  std::vector<advice_reason> measured_reasons;
  const index_config& best() const { return measured ? *measured : config; }
};

advice advise(const workload_facts& facts, const machine_info& on);

}  // namespace pivotscope
