// How far searches go (core/traffic/search_lengths.hpp), and what the cells are of an index that changes. Of a sample, counted a little
// in every frame.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/index/cell_state.hpp"
#include "core/machine/machine.hpp"
#include "core/traffic/search_lengths.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope::viz {

inline constexpr u64 most_probed = 2048;           // lookups of a batch, its first ones
inline constexpr u64 most_misses = 512;            // of keys that no row has, where the batch has no misses
inline constexpr u64 most_counted = u64{1} << 20;  // cells; of more, a sample of runs
inline constexpr u64 counted_run = u64{1} << 12;   // cells of one

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
  std::string unit() const { return length_unit(*model_); }  // of the lengths: "window", "bucket", "step"
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

inline constexpr std::size_t most_length_bars = 24;  // longer lookups are one bar

// The axes on which the histograms of studies can be held against each other.
struct length_axes {
  std::size_t longest = 3, shown = 3;  // of all; bars, of which the last gathers what is longer
  double most_share = 0;               // the highest bar, in percent

  // The height of a bar, in percent of these lookups.
  double share(const probe_lengths& lengths, std::size_t read) const;
};
length_axes length_axes_of(std::span<const probe_study* const> studies);

}  // namespace pivotscope::viz
