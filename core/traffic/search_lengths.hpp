// search_lengths: how far lookups go, as a histogram of hits and one of misses. A lookup of a hash table is as long as the parts of the
// table are many whose entries it reads: windows, buckets, slabs. So tables of different families can be held against each other. In
// other families a lookup is as long as it has steps.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/common/job_control.hpp"
#include "core/common/outcome.hpp"
#include "core/index/lookup_trace.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

class stored_index;
class key_array;

// Lookups by their length: entry i of those of length i.
struct probe_lengths {
  std::vector<u64> lookups;
  std::vector<u64> first;      // key of the first of these
  u64 count = 0, windows = 0;  // of all: lookups, and the sum of their lengths

  void add(u64 read, u64 key);
  // A key whose lookup is so long, or, of those so long and longer, the longest. Nothing: there is none.
  std::optional<u64> example(u64 read, bool or_more) const;
  double mean() const { return count == 0 ? 0 : static_cast<double>(windows) / static_cast<double>(count); }
  u64 longest() const { return lookups.empty() ? 0 : lookups.size() - 1; }
  // Lookups of a length; with `or_more` of longer ones, too.
  u64 of_length(u64 read, bool or_more = false) const;
};

// Has a search of it a length worth counting? Not where one looks through all cells.
bool has_search_lengths(const index_model& model);
// What lengths are counted in: "window", "bucket", "slab", "step".
std::string length_unit(const index_model& model);
u64 length_of(const index_model& model, const lookup_trace& trace);

struct search_lengths {
  std::string unit;  // one of them
  probe_lengths hits, misses;
};
// Counts over the first `sample` of `lookups`. The index may be on any machine.
outcome<search_lengths> count_lengths(const stored_index& index, const key_array& lookups, u64 sample,
                                      const job_control& control);

void to_json(nlohmann::json& json, const search_lengths& lengths);

}  // namespace pivotscope
