#include "viz/models/tile_model.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>

#include "core/index/family.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/simt/tile_order.hpp"
#include "core/workload/batch.hpp"

namespace pivotscope::viz {
namespace {

constexpr u32 warp = 32;
constexpr u32 array_shift = 42, step_shift = 44;
constexpr u64 within_array = (u64{1} << array_shift) - 1;

// f(step, array and sector in one number) for every sector that a lookup loads from global memory.
template <class F>
void each_sector(const lookup_trace& trace, F&& f) {
  for (const trace_step& step : trace.steps) {
    for (const memory_access& a : step.accesses) {
      each_block(a, 32, [&](memory_block sector) {
        f(a.step, static_cast<u64>(sector.array) << array_shift | sector.number);
      });
    }
  }
}

u64 line_of(u64 sector) { return (sector & ~within_array) | (sector & within_array) / 4; }

template <class F>
void each_distinct(std::vector<u64>& values, F&& f) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::for_each(values.begin(), values.end(), f);
}

// Where a lookup that found nothing ended.
u64 missed_at(lookup_trace& trace, const stored_index& index) {
  if (trace.steps.empty()) return 0;
  family_of(trace.config).tell(trace, index);  // which says what was left
  return trace.steps.back().left_first;
}

outcome<key_array> first_lookups_of(const key_array& own, u64 count, key_width width) {
  if (own.width() != width || own.size() < count) return problem{"these lookups are another batch's"};
  return first_of({.keys = own}, count).keys;
}

}  // namespace

u64 shown_tiles(const index_config& config, const workload& load) {
  return ceil_div<u64>(std::min(load.lookups, most_tile_lookups), tile_lookups(config.launch));
}

tile_study::tile_study(std::shared_ptr<const built_index> index, const workload& load, u64 number, const key_array* own)
    : index_(std::move(index)), model_(model_of(*index_)), load_(load), number_(number) {
  const index_config& config = index_->config();
  const u64 first = number * tile_lookups(config.launch);
  workload begin = load;  // a lookup depends on its number, not on how many there are
  begin.lookups = std::min(load.lookups, first + tile_lookups(config.launch));
  const outcome<key_array> made =
      own ? first_lookups_of(*own, begin.lookups, config.keys) : make_lookups(begin, config.keys);
  if (!made.ok() || made->size() <= first) return;
  for (u64 i = first; i < made->size(); ++i) keys_.push_back((*made)[i]);
  index_config sorting = config;
  if (sorting.launch.reorder == reorder_kind::none) sorting.launch.reorder = reorder_kind::lookup;
  const auto [least, greatest] = index_->key_range();
  bits_ = sort_bits_for(sorting.launch, least, greatest);
  made->visit([&](const auto& all) { order_tile(std::span(all).subspan(first), bits_.first, bits_.second, sorted_); });
  inverse_.resize(keys_.size());
  for (u32 i = 0; i < size(); ++i) inverse_[sorted_[i]] = i;
  std::vector<u32> ascending(keys_.size());
  std::iota(ascending.begin(), ascending.end(), 0u);
  std::stable_sort(ascending.begin(), ascending.end(), [&](u32 a, u32 b) { return keys_[a] < keys_[b]; });
  heights_.resize(keys_.size());
  for (u32 i = 0; i < size(); ++i)
    heights_[ascending[i]] = size() < 2 ? 1 : static_cast<float>(i) / static_cast<float>(size() - 1);
}

void tile_study::trace_next() {
  // A trace holds all that its lookup read: of one that looks through everything, one at a time.
  const bool patient = index_->keys() > family_of(index_->config()).sensible_keys(index_->config());
  const auto keys = std::span(keys_).subspan(traced_, std::min(patient ? 1 : warp, size() - traced_));
  outcome<std::vector<lookup_trace>> traces = trace_warp(*index_, keys);
  std::vector<lookup_trace> warp_traces = traces.ok() ? std::move(*traces) : std::vector<lookup_trace>(keys.size());
  for (lookup_trace& trace : warp_traces) {
    rows_.push_back(trace.row);
    ranks_.push_back(trace.row == not_found ? missed_at(trace, *index_)
                     : model_->ranks()      ? model_->describe(main_region, trace.slot).rank
                                            : trace.slot);
    std::vector<u64> sectors;
    each_sector(trace, [&](u32 step, u64 sector) { sectors.push_back(u64{step} << step_shift | sector); });
    sectors_.push_back(std::move(sectors));
    note_runs(trace);
  }
  traced_ += static_cast<u32>(keys.size());
  if (complete()) count_users();
}

void tile_study::note_runs(const lookup_trace& trace) {
  std::vector<slot_run>& runs = runs_.emplace_back();
  std::vector<u32>& levels = levels_.emplace_back();
  for (u32 step = 0; step < trace.steps.size(); ++step) {
    levels.push_back(trace.steps[step].level);
    for (const memory_access& a : trace.steps[step].accesses) {
      slot_run* last = runs.empty() ? nullptr : &runs.back();
      if (last && last->step == step && last->array == a.array && last->first + last->slots == a.slot)
        last->slots += a.slots;
      else
        runs.push_back({step, a.slots, a.array, a.slot});
    }
  }
}

std::vector<u32> tile_study::lookups_by_step(const read_target& target) const {
  using kind = read_target::kind;
  std::vector<u32> counts;
  for (u32 place = 0; place < traced_; ++place) {
    const std::vector<u32>& levels = levels_[place];
    counts.resize(std::max(counts.size(), levels.size()));
    if (target.what == kind::sector) {
      const u64 wanted = static_cast<u64>(target.sector.array) << array_shift | target.sector.number;
      u32 counted = ~0u;
      for (const u64 at : sectors_[place]) {
        const auto step = static_cast<u32>(at >> step_shift);
        if ((at & ((u64{1} << step_shift) - 1)) != wanted || step == counted) continue;
        ++counts[counted = step];
      }
    } else if (target.what == kind::key || target.what == kind::array || target.what == kind::level) {
      const auto reads = [&](const slot_run& run) {
        if (target.what == kind::level) return levels[run.step] == target.number;
        if (target.what == kind::array) return run.array == target.array;
        return std::any_of(target.cells.begin(), target.cells.end(), [&](const cell_ref& cell) {
          return cell.region == run.array && cell.cell >= run.first && cell.cell < run.first + run.slots;
        });
      };
      u32 counted = ~0u;  // a lookup counts once a step
      for (const slot_run& run : runs_[place])
        if (run.step != counted && reads(run)) ++counts[counted = run.step];
    }
  }
  return counts;
}

bool tile_study::go_on(double seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!complete()) {
    trace_next();
    if (std::chrono::steady_clock::now() > until) break;
  }
  return !complete();
}

void tile_study::count_users() {
  std::vector<u64> own;
  for (const std::vector<u64>& of_one : sectors_) {
    own.clear();
    for (const u64 at : of_one) own.push_back(at & ((u64{1} << step_shift) - 1));
    each_distinct(own, [&](u64 sector) { ++sector_users_[sector]; });
    for (u64& at : own) at = line_of(at);
    each_distinct(own, [&](u64 line) { ++line_users_[line]; });
  }
  for (const auto& [at, lookups] : sector_users_)
    touched_.push_back({{static_cast<region_id>(at >> array_shift), at & within_array}, lookups});
  std::sort(touched_.begin(), touched_.end(),
            [](const sector_heat& a, const sector_heat& b) { return a.sector < b.sector; });
}

tile_study::shared_reads tile_study::shared(const lookup_trace& trace) const {
  // It may be one of the tile's own.
  const u32 itself = std::find(keys_.begin(), keys_.end(), trace.key) != keys_.end() ? 1 : 0;
  const auto count = [&](std::vector<u64>& blocks, const std::unordered_map<u64, u32>& users) {
    u64 shared = 0;
    each_distinct(blocks, [&](u64 block) {
      const auto found = users.find(block);
      shared += found != users.end() && found->second > itself ? 1 : 0;
    });
    return shared;
  };
  std::vector<u64> blocks;
  each_sector(trace, [&](u32, u64 sector) { blocks.push_back(sector); });
  shared_reads out;
  out.sectors = count(blocks, sector_users_);
  for (u64& at : blocks) at = line_of(at);
  out.lines = count(blocks, line_users_);
  return out;
}

double tile_study::rank_distance(bool sorted) const {
  if (size() < 2) return 0;
  const auto at = [&](u32 i) { return static_cast<double>(ranks_[sorted ? sorted_[i] : i]); };
  double sum = 0;
  for (u32 i = 1; i < size(); ++i) sum += std::abs(at(i) - at(i - 1));
  return sum / (size() - 1);
}

// The lookups of a warp are served 32 / group at a time, all at the same step: what they read there together counts
// once.
double tile_study::sectors_a_warp(bool sorted) const {
  const u32 group = group_threads(index_->config()), warps = ceil_div(size(), warp);
  u64 loaded = 0;
  std::vector<u64> together;
  for (u32 first = 0; first < size(); first += warp) {
    for (u32 member = 0; member < group; ++member) {
      together.clear();
      for (u32 i = first + member; i < std::min(first + warp, size()); i += group) {
        const std::vector<u64>& of_one = sectors_[sorted ? sorted_[i] : i];
        together.insert(together.end(), of_one.begin(), of_one.end());
      }
      std::sort(together.begin(), together.end());
      loaded += static_cast<u64>(std::unique(together.begin(), together.end()) - together.begin());
    }
  }
  return warps == 0 ? 0 : static_cast<double>(loaded) / warps;
}

double tile_study::written_a_warp() const {
  const u32 warps = ceil_div(size(), warp);
  const bool scattered = index_->config().launch.reorder == reorder_kind::lookup;
  u64 written = 0;
  std::vector<u32> sectors;
  for (u32 first = 0; first < size(); first += warp) {
    sectors.clear();
    for (u32 i = first; i < std::min(first + warp, size()); ++i) sectors.push_back((scattered ? sorted_[i] : i) / 8);
    std::sort(sectors.begin(), sectors.end());
    written += static_cast<u64>(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
  }
  return warps == 0 ? 0 : static_cast<double>(written) / warps;
}

}  // namespace pivotscope::viz
