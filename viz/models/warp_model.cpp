#include "viz/models/warp_model.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "core/index/family.hpp"
#include "core/machine/trace/trace.hpp"

namespace pivotscope::viz {
namespace {

constexpr u32 warp_threads = 32;

std::vector<u32> readers_of(const warp_step& step, memory_block sector) {
  std::vector<u32> threads;
  for (const thread_load& load : step.loads) {
    if (touches(load.access, sector) && (threads.empty() || threads.back() != load.thread))
      threads.push_back(load.thread);
  }
  return threads;
}

}  // namespace

u32 warps_of(const tile_study& tile) { return ceil_div(tile.size(), warp_threads); }

u64 warp_study::service::written() const { return written_sectors(places).size(); }

u64 warp_study::service::written_in_order() const {
  std::vector<u32> in_order(places.size());
  std::iota(in_order.begin(), in_order.end(), 0u);
  return written_sectors(in_order).size();
}

warp_study::warp_study(std::shared_ptr<const tile_study> tile, u32 number)
    : tile_(std::move(tile)), number_(number), group_(group_threads(tile_->index()->config())) {
  PIVOTSCOPE_EXPECT(number_ < warps_of(*tile_));
}

bool warp_study::go_on() {
  if (tried_ == 2) return false;
  // The order in which they are served first: that is what is shown.
  const bool sorted = tile_->reordered() != (tried_++ == 1);
  service made;
  std::vector<u64> keys;
  const u32 first = number_ * warp_threads, end = std::min(first + warp_threads, tile_->size());
  for (u32 i = first; i < end; ++i) {
    made.places.push_back(sorted ? tile_->sorted_place(i) : i);
    keys.push_back(tile_->key(made.places.back()));
  }
  outcome<std::vector<lookup_trace>> traces = trace_warp(*tile_->index(), keys);
  if (!traces) return tried_ < 2;
  made.traces = std::move(*traces);
  for (u32 round = 0; round < group_; ++round) {
    std::vector<const lookup_trace*> together;
    for (std::size_t i = round; i < made.traces.size(); i += group_) together.push_back(&made.traces[i]);
    made.rounds.push_back(steps_of_warp(together, group_));
    for (const warp_step& step : made.rounds.back()) made.sectors += step.sectors.size();
  }
  services_[sorted] = std::move(made);
  return tried_ < 2;
}

std::optional<warp_place> serves(const tile_study& tile, u64 key, bool sorted) {
  for (u32 i = 0; i < tile.size(); ++i)
    if (tile.key(sorted ? tile.sorted_place(i) : i) == key) return warp_place{i / warp_threads, i % warp_threads};
  return std::nullopt;
}

std::vector<std::string> sector_labels(const warp_step& step) {
  std::vector<std::string> labels(warp_threads);
  const bool numbers = std::all_of(step.sectors.begin(), step.sectors.end(),
                                   [](const memory_block& sector) { return sector.number < 1000; });
  for (auto load = step.loads.rbegin(); load != step.loads.rend(); ++load) {
    if (load->access.space != memory_space::global) continue;
    const memory_block sector{load->access.array, load->access.byte_offset / 32};
    const auto which = static_cast<std::size_t>(std::lower_bound(step.sectors.begin(), step.sectors.end(), sector) -
                                                step.sectors.begin());
    std::string& label = labels[load->thread];
    if (numbers)
      label = std::to_string(sector.number);
    else if (which < 26)
      label = std::string(1, static_cast<char>('a' + which));
    else
      label = std::string(1, static_cast<char>('A' + (which / 26 - 1) % 26)) + static_cast<char>('a' + which % 26);
  }
  return labels;
}

std::vector<touched_line> lines_of(const warp_step& step, const warp_step* other) {
  std::vector<memory_block> sectors = step.sectors;
  if (other) {
    std::vector<memory_block> either;
    std::set_union(sectors.begin(), sectors.end(), other->sectors.begin(), other->sectors.end(),
                   std::back_inserter(either));
    sectors = std::move(either);
  }
  std::vector<touched_line> lines;
  for (const memory_block& sector : sectors) {
    const memory_block line{sector.array, sector.number / 4};
    if (lines.empty() || lines.back().line != line) lines.push_back({line, {}, {}});
    lines.back().threads[sector.number % 4] = readers_of(step, sector);
    if (other) lines.back().otherwise[sector.number % 4] = readers_of(*other, sector);
  }
  return lines;
}

shared_sectors count_shared(std::span<const touched_line> lines) {
  shared_sectors out;
  for (const touched_line& line : lines) {
    for (u32 s = 0; s < 4; ++s) {
      const bool here = !line.threads[s].empty(), there = !line.otherwise[s].empty();
      out.both += here && there ? 1 : 0;
      out.here += here && !there ? 1 : 0;
      out.there += there && !here ? 1 : 0;
    }
  }
  return out;
}

}  // namespace pivotscope::viz
