#include "core/traffic/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "core/index/check.hpp"
#include "core/index/family.hpp"
#include "core/index/paged_index.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/simt/tile_order.hpp"

namespace pivotscope {
namespace {

constexpr u32 warp_threads = 32;

// A sector of an array, as one number; neighbours stay neighbours, also when it is shifted to count larger blocks.
u64 sector_of(region_id array, u64 byte) { return static_cast<u64>(array) << 48 | byte / sector_bytes; }

// Bytes of the levels [0, last], with what lies beside their cells in other regions.
u64 bytes_of_levels(const index_model& model, u32 last, u32 block) {
  u64 packed = 0, scattered = 0, all = 0, most_scattered = 0;
  for (u32 r = 0; r < model.regions().size(); ++r) {
    const region_info& region = model.regions()[r];
    if (region.cells == 0 || region.beside) continue;
    const auto bytes_of = [&](u64 cells) {
      u64 bytes = region.bytes_of(cells);
      for (const region_info& other : model.regions())
        if (other.cells != 0 && other.beside == region_id(r)) bytes += other.bytes_of(cells);
      return bytes;
    };
    all += bytes_of(region.cells);
    most_scattered = std::max(most_scattered, region.bytes());
    u64 cells[max_levels] = {};
    model.count_levels(region_id(r), 0, region.cells, cells);
    for (u32 level = 0; level <= last && level < model.levels(); ++level) {
      if (model.level_run(level))
        packed += bytes_of(cells[level]);
      else
        scattered += cells[level] * block;
    }
  }
  if (last >= model.levels()) return all;
  return packed + std::min(scattered, most_scattered);
}

// How much of the first level that does not fit has no room either, 0 to 1.
double part_without_room(const index_model& model, u32 levels, u64 bytes, u32 block) {
  const u64 above = levels == 0 ? 0 : bytes_of_levels(model, levels - 1, block);
  const u64 with_it = bytes_of_levels(model, levels, block);
  if (with_it <= bytes) return 0;
  return static_cast<double>(with_it - bytes) / static_cast<double>(with_it - above);
}

// The tile's lookups in the order in which the machine serves them.
template <class Key>
std::vector<u32> served_order(const index_config& config, std::span<const Key> tile, std::pair<u32, u32> bits) {
  std::vector<u32> places;
  order_tile(tile, config.launch.reorder == reorder_kind::none ? 0 : bits.first,
             config.launch.reorder == reorder_kind::none ? 0 : bits.second, places);
  return places;
}

struct weighted_sector {
  u64 sector;
  double weight;
  bool scattered = false;  // its neighbours are of other levels, or past L2
};

// Distinct sectors as requests: those of a line together. Gives those that are scattered.
double add_requests(std::vector<weighted_sector>& sectors, line_requests& out) {
  double scattered = 0;
  constexpr u64 in_line = line_bytes / sector_bytes;
  std::sort(sectors.begin(), sectors.end(), [](const auto& a, const auto& b) { return a.sector < b.sector; });
  for (std::size_t first = 0, end = 0; first < sectors.size(); first = end) {
    while (end < sectors.size() && sectors[end].sector / in_line == sectors[first].sector / in_line) ++end;
    out[end - first] += sectors[first].weight;
    if (sectors[first].scattered) scattered += sectors[first].weight;
  }
  return scattered;
}

struct level_place {
  double past_l1 = 0;      // the part of its sectors that L1 does not have
  bool scattered = false;  // its cells lie anywhere in the index, or past L2
};

class tile_counter {
 public:
  tile_counter(const index_config& config, std::span<const level_place> levels, traffic& sum)
      : config_(config), levels_(levels), sum_(sum) {}

  void begin_tile() { forget(); }

  // The traces of a warp's lookups, at most 32, thread by thread.
  void serve(std::span<const lookup_trace> warp) {
    if (config_.launch.reorder == reorder_kind::none) forget();
    const u32 group = group_threads(config_);
    for (u32 member = 0; member < group; ++member) {
      together_.clear();
      for (u64 i = member; i < warp.size(); i += group) together_.push_back(&warp[i]);
      serve_together();
    }
  }

 private:
  void forget() {
    seen_sectors_.clear();
    seen_atoms_.clear();
  }

  // One lookup a group, in step.
  void serve_together() {
    std::size_t steps = 0;
    for (const lookup_trace* trace : together_) {
      sum_.steps += trace->steps.size();
      steps = std::max(steps, trace->steps.size());
    }
    for (std::size_t i = 0; i < steps; ++i) {
      within_.clear();
      past_.clear();
      new_sectors_.clear();
      new_atoms_.clear();
      loads_ = false;
      for (const lookup_trace* trace : together_) {
        if (i < trace->steps.size()) take(trace->steps[i]);
      }
      add_wait();
      count(within_, sum_.within_l2);
      count(past_, sum_.past_l2);
      sum_.scattered_requests += add_requests(new_sectors_, sum_.l2_requests);
      std::sort(new_atoms_.begin(), new_atoms_.end());
      for (std::size_t a = 0; a < new_atoms_.size();) {
        const bool two = a + 1 < new_atoms_.size() && new_atoms_[a] / 2 == new_atoms_[a + 1] / 2;
        ++sum_.dram_requests[two ? 2 : 1];
        a += two ? 2 : 1;
      }
    }
  }

  void add_wait() {
    if (!loads_) return;
    double past_l1 = 0;
    for (const weighted_sector& s : new_sectors_) past_l1 = std::max(past_l1, s.weight);
    if (!new_atoms_.empty())
      ++sum_.waits.dram;
    else
      sum_.waits.l2 += past_l1, sum_.waits.l1 += 1 - past_l1;
  }

  void take(const trace_step& step) {
    const auto [past_l1, scattered] = levels_[step.level];
    const bool past_l2 = step.level >= sum_.l2_levels;
    for (const memory_access& a : step.accesses) {
      loads_ = true;
      if (a.space == memory_space::scratch) {
        sum_.scratch_bytes += a.bytes;
        continue;
      }
      warp_requests& requests = past_l2 ? sum_.past_l2 : sum_.within_l2;
      ++requests.loads;
      requests.bytes += a.bytes;
      const u64 end = sector_of(a.array, a.byte_offset + a.bytes - 1);
      for (u64 sector = sector_of(a.array, a.byte_offset); sector <= end; ++sector) {
        (past_l2 ? past_ : within_).push_back(sector);
        if (past_l1 > 0 && seen_sectors_.insert(sector).second) new_sectors_.push_back({sector, past_l1, scattered});
        const u64 atom = sector / (atom_bytes / sector_bytes);
        if (past_l2 && seen_atoms_.insert(atom).second) new_atoms_.push_back(atom);
      }
    }
  }

  static void count(std::vector<u64>& sectors, warp_requests& requests) {
    std::sort(sectors.begin(), sectors.end());
    const auto distinct = [&](u64 in_sectors) {
      u64 blocks = 0, last = ~0ull;
      for (const u64 sector : sectors) {
        if (sector / in_sectors != last) ++blocks, last = sector / in_sectors;
      }
      return blocks;
    };
    requests.sectors += distinct(1);
    requests.atoms += distinct(atom_bytes / sector_bytes);
    requests.lines += distinct(line_bytes / sector_bytes);
  }

  const index_config& config_;
  std::span<const level_place> levels_;
  traffic& sum_;
  std::vector<const lookup_trace*> together_;
  bool loads_ = false;  // the step
  std::vector<u64> within_, past_, new_atoms_;
  std::vector<weighted_sector> new_sectors_;
  std::unordered_set<u64> seen_sectors_, seen_atoms_;
};

// What a block fetches to fill its scratch: a warp asks for 32 keys at a time.
void count_fill(const index_model& model, u64 l1_free, traffic& sum) {
  const pinned_cells pins = model.pinned().value_or(pinned_cells{});
  std::unordered_set<u64> lines, asked;
  std::vector<weighted_sector> warp;
  const std::size_t count =
      pins.of_part > 0 ? std::min<std::size_t>(pins.of_part, pins.cells.size()) : pins.cells.size();
  for (std::size_t i = 0; i < count; ++i) {
    const cell_ref from = pins.cells[i];
    const u64 sector = sector_of(from.region, model.region(from.region).byte_of(from.cell));
    if (asked.insert(sector).second) warp.push_back({sector, 1});
    lines.insert(sector / (line_bytes / sector_bytes));
    if (i % warp_threads == warp_threads - 1 || i + 1 == count) {
      add_requests(warp, sum.fill_requests);
      warp.clear();
      asked.clear();
    }
  }
  sum.fill_bytes = count * pins.cell_bytes;
  sum.fill_in_l1 = lines.size() * line_bytes <= l1_free;
}

template <class Key>
status count_tiles(const stored_index& index, std::span<const Key> lookups, std::span<const level_place> levels,
                   const job_control& control, traffic& sum) {
  const index_config& config = index.config();
  const u64 tile = tile_lookups(config.launch);
  sum.answers.resize(lookups.size());
  tile_counter counter(config, levels, sum);
  std::vector<u64> keys;
  for (u64 first = 0; first < lookups.size(); first += tile, ++sum.tiles) {
    const std::span<const Key> here = lookups.subspan(first, std::min<u64>(tile, lookups.size() - first));
    const std::vector<u32> places = served_order(config, here, index.sort_bits());
    counter.begin_tile();
    for (u64 begin = 0; begin < places.size(); begin += warp_threads) {
      if (control.cancelled()) return job_control::cancelled_problem();
      control.progress("tracing lookups", static_cast<double>(first + begin) / static_cast<double>(lookups.size()));
      const std::span<const u32> served =
          std::span(places).subspan(begin, std::min<u64>(warp_threads, places.size() - begin));
      keys.clear();
      for (const u32 place : served) keys.push_back(here[place]);
      const outcome<std::vector<lookup_trace>> warp = trace_warp(index, keys);
      if (!warp) return warp.error();
      for (std::size_t i = 0; i < served.size(); ++i) sum.answers[first + served[i]] = (*warp)[i].row;
      counter.serve(*warp);
    }
  }
  return fine();
}

// Warps that a multiprocessor has at once, as far as threads, blocks and scratch decide it; registers and the sort of a tile may
// leave room for fewer.
u64 warps_at_once(const index_config& config, const traffic_machine& gpu) {
  const launch_config& launch = config.launch;
  constexpr u64 reserved = 1024;  // of a block's scratch, by the driver
  u64 blocks = std::min<u64>(gpu.blocks, gpu.threads / launch.threads);
  if (const u64 scratch = family_of(config).pinned_bytes(config); scratch > 0)
    blocks = std::min(blocks, (greatest_scratch + reserved) / (scratch + reserved));
  if (launch.schedule == schedule_kind::fixed) blocks = std::min<u64>(blocks, launch.blocks_per_sm);
  return std::max<u64>(1, blocks) * ceil_div<u64>(launch.threads, warp_threads);
}

u64 within(u64 bytes, u64 taken) { return bytes > taken ? bytes - taken : 0; }

}  // namespace

std::string traffic_model_words(const device_rates& rates) {
  return fmt::format("model: counted from traces; the least time by {}", rates.words());
}

traffic_machine modelled_gpu(const machine_info& on, device_rates rates) {
  traffic_machine gpu{.rates = std::move(rates)};
  if (on.kind != machine_kind::cuda) return gpu;
  gpu.processors = on.processors;
  if (on.l2_bytes != 0) gpu.l2_bytes = on.l2_bytes;
  return gpu;
}

u32 levels_that_fit(const index_model& model, u64 bytes, u32 block) {
  u32 levels = 0;
  while (levels <= model.levels() && bytes_of_levels(model, levels, block) <= bytes) ++levels;
  return levels;
}

outcome<traffic> count_traffic(const stored_index& of, const key_array& lookups, u64 sample, const traffic_machine& gpu,
                               const job_control& control) {
  const paged_index index(of);  // a trace reads cell by cell
  const index_config& config = index.config();
  const auto model = model_of(index);
  const u64 l1_free = within(gpu.l1_bytes, family_of(config).pinned_bytes(config));
  traffic sum;
  sum.l1_levels = levels_that_fit(*model, l1_free, line_bytes);
  sum.l2_levels = levels_that_fit(*model, gpu.l2_bytes, atom_bytes);
  sum.index_bytes = index.bytes();
  sum.past_l2_bytes = sum.l2_levels > model->levels() ? 0
                      : sum.l2_levels == 0
                          ? sum.index_bytes
                          : within(sum.index_bytes, bytes_of_levels(*model, sum.l2_levels - 1, atom_bytes));
  count_fill(*model, l1_free, sum);
  std::array<level_place, max_levels + 1> levels{};
  for (u32 level = sum.l1_levels; level <= model->levels(); ++level) {
    levels[level].past_l1 = level == sum.l1_levels ? part_without_room(*model, level, l1_free, line_bytes) : 1;
    levels[level].scattered = level >= sum.l2_levels || level == model->levels() || !model->level_run(level);
  }
  const u64 tile = tile_lookups(config.launch);
  sum.lookups = std::min<u64>(lookups.size(), ceil_div<u64>(sample, tile) * tile);
  const status counted = config.keys == key_width::u32
                             ? count_tiles<u32>(index, lookups.as<u32>().first(sum.lookups), levels, control, sum)
                             : count_tiles<u64>(index, lookups.as<u64>().first(sum.lookups), levels, control, sum);
  if (!counted) return counted.error();
  return sum;
}

traffic_prediction predict(const traffic& counted, const index_config& config, u64 lookups,
                           const traffic_machine& gpu) {
  traffic_prediction prediction{.lookups = lookups};
  if (counted.lookups == 0 || lookups == 0) return prediction;
  const double all = static_cast<double>(lookups), scale = all / static_cast<double>(counted.lookups);
  const u64 tiles = ceil_div<u64>(lookups, tile_lookups(config.launch));
  // Each block fills its scratch once: one a tile, or as many as the grid has.
  const u64 grid = u64{gpu.processors} * config.launch.blocks_per_sm;
  const u64 blocks = config.launch.schedule == schedule_kind::dynamic ? tiles : std::min(tiles, grid);
  const double fills = static_cast<double>(blocks);
  const device_rates& rates = gpu.rates;
  const double batch = all * (key_bytes(config.keys) + u32{sizeof(u32)});  // lookups in, row ids out
  double l1_lines = static_cast<double>(counted.lines()) * scale + batch / line_bytes;
  double l2_seconds = 0;
  for (u32 i = 1; i < rates.l2.size(); ++i) {
    l1_lines += fills * counted.fill_requests[i];
    const double filling = counted.fill_in_l1 ? 0 : fills * counted.fill_requests[i];
    l2_seconds += (counted.l2_requests[i] * scale + filling) / rates.l2[i];
  }
  double dram_seconds = batch / rates.stream_bytes;
  for (u32 i = 1; i < counted.dram_requests.size(); ++i) {
    dram_seconds +=
        static_cast<double>(counted.dram_requests[i]) * scale / rates.gathers_per_second(counted.past_l2_bytes, i);
  }
  prediction.fill_bytes = fills * sectors_of(counted.fill_requests) * sector_bytes / all;
  prediction.l1_ms = 1e3 * l1_lines / rates.l1_lines;
  prediction.l2_ms = 1e3 * l2_seconds;
  if (const std::optional<double> rate = rates.scattered_per_second(counted.index_bytes))
    prediction.pages_ms = 1e3 * counted.scattered_requests * scale / *rate;
  prediction.dram_ms = 1e3 * dram_seconds;
  const double warps = std::min(std::ceil(all / warp_threads),
                                static_cast<double>(gpu.processors) * static_cast<double>(warps_at_once(config, gpu)));
  const double steps_seconds = counted.waits.l1 * rates.latency.l1 + counted.waits.l2 * rates.latency.l2 +
                               counted.waits.dram * rates.latency.dram;
  prediction.latency_ms = 1e3 * steps_seconds * scale / warps / family_of(config).lookups_in_flight(config);
  return prediction;
}

void to_json(nlohmann::json& json, const traffic& counted) {
  const auto each = [&](auto sum) {
    return counted.lookups == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(counted.lookups);
  };
  const auto requests = [&](const warp_requests& r) -> nlohmann::json {
    return {{"loads", each(r.loads)},
            {"bytes", each(r.bytes)},
            {"sectors", each(r.sectors)},
            {"atoms", each(r.atoms)},
            {"lines", each(r.lines)}};
  };
  json = {{"lookups", counted.lookups},
          {"tiles", counted.tiles},
          {"index_bytes", counted.index_bytes},
          {"past_l2_bytes", counted.past_l2_bytes},
          {"l1_levels", counted.l1_levels},
          {"l2_levels", counted.l2_levels},
          {"fill_bytes_a_block", counted.fill_bytes},
          {"fill_sectors_a_block", sectors_of(counted.fill_requests)},
          {"fill_in_l1", counted.fill_in_l1},
          {"per_lookup",
           {{"steps", each(counted.steps)},
            {"within_l2", requests(counted.within_l2)},
            {"past_l2", requests(counted.past_l2)},
            {"scratch_bytes", each(counted.scratch_bytes)},
            {"l2_sectors", each(counted.l2_sectors())},
            {"scattered_requests", each(counted.scattered_requests)},
            {"dram_atoms", each(counted.dram_atoms())},
            {"waits_l1", each(counted.waits.l1)},
            {"waits_l2", each(counted.waits.l2)},
            {"waits_dram", each(counted.waits.dram)}}}};
}

nlohmann::json prediction_json(const traffic_prediction& prediction, const std::string& words) {
  return {{"words", words},
          {"lookups", prediction.lookups},
          {"fill_bytes", prediction.fill_bytes},
          {"l1_ms", prediction.l1_ms},
          {"l2_ms", prediction.l2_ms},
          {"pages_ms", prediction.pages_ms},
          {"dram_ms", prediction.dram_ms},
          {"latency_ms", prediction.latency_ms},
          {"bound", prediction.bound()},
          {"ms", prediction.ms()},
          {"lookups_per_second", prediction.lookups_per_second()}};
}

}  // namespace pivotscope
