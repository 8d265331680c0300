#include "viz/models/probe_model.hpp"

#include <algorithm>
#include <chrono>
#include <span>

#include "core/machine/trace/trace.hpp"
#include "core/workload/batch.hpp"

namespace pivotscope::viz {
namespace {

constexpr u64 warp = 32;

void take_keys(std::vector<u64>& to, const workload& load, key_width width) {
  const outcome<key_array> made = make_lookups(load, width);
  for (u64 i = 0; made && i < made->size(); ++i) to.push_back((*made)[i]);
}

}  // namespace

probe_study::probe_study(std::shared_ptr<const built_index> index, std::shared_ptr<const index_model> model,
                         const workload& load, const key_array* own)
    : index_(std::move(index)), model_(std::move(model)), load_(load) {
  workload begin = load;  // a lookup depends on its number, not on how many there are
  begin.lookups = std::min(load.lookups, most_probed);
  if (!has_search_lengths(*model_)) {
    asked_for_misses_ = true;
  } else if (own) {
    for (u64 i = 0; own->width() == index_->config().keys && i < std::min(own->size(), begin.lookups); ++i)
      keys_.push_back((*own)[i]);
  } else if (begin.lookups > 0 && operation_of(load) == operation::find) {
    take_keys(keys_, begin, index_->config().keys);
  }
  all_ = model_->cells_tell() ? model_->region(main_region).cells : 0;
  runs_ = ceil_div(std::min(all_, most_counted), counted_run);
}

void probe_study::trace_next() {
  const auto keys = std::span<const u64>(keys_).subspan(traced_, std::min(warp, keys_.size() - traced_));
  const outcome<std::vector<lookup_trace>> traces = trace_warp(*index_, keys);
  failed_ |= !traces.ok();
  if (!traces) return;
  for (const lookup_trace& trace : *traces)
    (trace.row == not_found ? misses_ : hits_).add(length_of(*model_, trace), trace.key);
  traced_ += keys.size();
}

void probe_study::ask_for_misses() {
  asked_for_misses_ = true;
  if (misses_.count > 0) return;
  workload missing = load_;
  missing.own_batch = {};
  missing.hits = 0;
  set_batch_size(missing, operation::find, most_misses);
  const std::size_t before = keys_.size();
  take_keys(keys_, missing, index_->config().keys);
  made_misses_ = keys_.size() - before;
}

void probe_study::count_next() {
  const u64 cells = std::min(counted_run, all_);
  const u64 first = all_counted() ? run_ * counted_run
                                  : static_cast<u64>(static_cast<double>(all_ - cells) / static_cast<double>(runs_) *
                                                     static_cast<double>(run_));
  const outcome<state_counts> counted = count_states(*index_, *model_, {main_region, first, cells});
  failed_ |= !counted.ok();
  if (!counted) return;
  cells_.empty += counted->empty, cells_.live += counted->live;
  cells_.erased += counted->erased, cells_.claimed += counted->claimed;
  ++run_;
}

bool probe_study::go_on(double seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  do {
    if (failed_) return false;
    if (run_ < runs_)
      count_next();
    else if (traced_ < keys_.size())
      trace_next();
    else if (!asked_for_misses_)
      ask_for_misses();
    else
      return false;
  } while (std::chrono::steady_clock::now() < until);
  return !failed_;
}

double length_axes::share(const probe_lengths& lengths, std::size_t read) const {
  if (lengths.count == 0) return 0;
  return 100 * static_cast<double>(lengths.of_length(read, read == shown)) / static_cast<double>(lengths.count);
}

length_axes length_axes_of(std::span<const probe_study* const> studies) {
  length_axes axes;
  for (const probe_study* study : studies)
    axes.longest = std::max<std::size_t>({axes.longest, study->hits().longest(), study->misses().longest()});
  axes.shown = std::min(axes.longest, most_length_bars);
  for (const probe_study* study : studies)
    for (std::size_t read = 1; read <= axes.shown; ++read)
      axes.most_share = std::max({axes.most_share, axes.share(study->hits(), read), axes.share(study->misses(), read)});
  return axes;
}

}  // namespace pivotscope::viz
