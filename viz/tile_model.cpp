#include "viz/tile_model.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>

#include "core/index/family.hpp"
#include "core/simt/tile_order.hpp"
#include "core/trace/trace.hpp"

namespace pivotscope::viz {
namespace {

constexpr u32 warp = 32;

}  // namespace

u64 shown_tiles(const index_config& config, const workload& load) {
  return ceil_div<u64>(std::min(load.lookups, most_tile_lookups), tile_lookups(config.launch));
}

tile_study::tile_study(std::shared_ptr<const built_index> index, const workload& load, u64 number)
    : index_(std::move(index)), model_(model_of(*index_)), load_(load), number_(number) {
  const index_config& config = index_->config();
  const u64 first = number * tile_lookups(config.launch);
  workload begin = load;  // a lookup depends on its number, not on how many there are
  begin.lookups = std::min(load.lookups, first + tile_lookups(config.launch));
  const outcome<key_array> made = make_lookups(begin, config.keys);
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
  const outcome<lookup_trace> trace = trace_lookup(*index_, keys_[traced_++]);
  u32 row = not_found;
  u64 rank = 0;
  std::vector<u64> sectors;
  if (trace.ok()) {
    row = trace->row;
    rank = row != not_found       ? (model_->ranks() ? model_->describe(main_region, trace->slot).rank : trace->slot)
           : trace->steps.empty() ? 0
                                  : trace->steps.back().left_first;
    for (const trace_step& step : trace->steps) {
      for (const memory_access& a : step.accesses) {
        if (a.space != memory_space::global) continue;
        for (u64 s = a.byte_offset / 32; s <= (a.byte_offset + a.bytes - 1) / 32; ++s)
          sectors.push_back(u64{a.step} << 44 | static_cast<u64>(a.array) << 42 | s);
      }
    }
  }
  rows_.push_back(row);
  ranks_.push_back(rank);
  sectors_.push_back(std::move(sectors));
}

bool tile_study::go_on(double seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!complete()) {
    trace_next();
    if (std::chrono::steady_clock::now() > until) break;
  }
  return !complete();
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
