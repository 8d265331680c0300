// How far searches go: how many windows they read in an index where they go from window to window, else how many steps
// they take down its levels; and what the cells are of an index that changes. Of a sample, counted a little in every
// frame.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/index/cell_state.hpp"
#include "core/machine/machine.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope::viz {

// Lookups by how many windows they read, or steps they take: entry i of those with i of them.
struct probe_lengths {
  std::vector<u64> lookups;
  std::vector<u64> first;      // key of the first of these
  u64 count = 0, windows = 0;  // of all: lookups, and their windows or steps

  void add(u64 read, u64 key);
  // A key whose lookup reads so many, or, of those with so many and more, the most. Nothing: there is none.
  std::optional<u64> example(u64 read, bool or_more) const;
  double mean() const { return count == 0 ? 0 : static_cast<double>(windows) / static_cast<double>(count); }
  u64 longest() const { return lookups.empty() ? 0 : lookups.size() - 1; }
};

inline constexpr u64 most_probed = 2048;           // lookups of a batch, its first ones
inline constexpr u64 most_misses = 512;            // of keys that no row has, where the batch has no misses
inline constexpr u64 most_counted = u64{1} << 20;  // cells; of more, a sample of runs
inline constexpr u64 counted_run = u64{1} << 12;   // cells of one

// Has a search of it a length worth counting? Not where one looks through all cells.
bool has_search_lengths(const index_model& model);

class probe_study {
 public:
  // `load`: what the index's keys and lookups were made of. `own`: the batch's first lookups, where no formula makes
  // them. `model`: the index's.
  probe_study(std::shared_ptr<const built_index> index, std::shared_ptr<const index_model> model, const workload& load,
              const key_array* own = nullptr);

  const std::shared_ptr<const built_index>& index() const { return index_; }
  const workload& load() const { return load_; }

  // Traces further lookups and counts further cells for about this long; true while there are more.
  bool go_on(double seconds);

  const probe_lengths& hits() const { return hits_; }
  const probe_lengths& misses() const { return misses_; }
  u64 asked() const { return keys_.size() - made_misses_; }  // lookups of the batch in the sample
  // Of the misses: how many were asked for beside the batch, which has none among those lookups.
  u64 made_misses() const { return made_misses_; }
  u64 traced() const { return traced_; }
  u64 to_trace() const { return keys_.size(); }

  const state_counts& cells() const { return cells_; }
  u64 all_cells() const { return all_; }
  bool all_counted() const { return all_ <= most_counted; }  // else a sample, of runs that lie as far apart as can be
  bool failed() const { return failed_; }                    // the index could not be read

 private:
  void trace_next();
  void ask_for_misses();
  void count_next();

  std::shared_ptr<const built_index> index_;
  std::shared_ptr<const index_model> model_;
  workload load_;
  std::vector<u64> keys_;
  u64 traced_ = 0, made_misses_ = 0;
  bool asked_for_misses_ = false, failed_ = false;
  probe_lengths hits_, misses_;
  u64 all_ = 0, runs_ = 0, run_ = 0;
  state_counts cells_;
};

}  // namespace pivotscope::viz
