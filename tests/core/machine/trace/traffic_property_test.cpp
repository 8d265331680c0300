// count_traffic() against a count by sets of raw addresses, byte by byte, over the traces of the same lookups; and the
// model's formula by the numbers of docs/traffic.md.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/families/ordered/mapping.hpp"
#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/traffic/traffic.hpp"
#include "tests/support/any_config.hpp"
#include "tests/support/any_keys.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

using address = std::pair<region_id, u64>;  // a byte, or a block of bytes

address block(const address& byte, u64 size) { return {byte.first, byte.second / size}; }

// Bytes of the levels [0, count), a key at a time.
u64 bytes_of_levels(const ordered_config& c, const index_shape& s, u32 count, u64 block_bytes) {
  const u64 key = c.keys == key_width::u32 ? 4 : 8, entry = c.layout == entry_layout::aos ? 2 * key : key;
  const u64 row = c.layout == entry_layout::soa ? 4 : 0;
  if (count == 0) return 0;
  if (count > s.levels) return s.entry_slots * (entry + row) + s.pivot_slots * key;
  u64 bytes = 0, scattered = 0;
  for (u64 slot = 0; slot < s.entry_slots; ++slot) {
    if (entry_rank(c, s, slot) == no_rank || entry_level(c, s, slot) >= count) continue;
    (c.order == order_kind::ascending ? scattered : bytes) +=
        c.order == order_kind::ascending ? block_bytes : entry + row;
  }
  for (u64 slot = 0; slot < s.pivot_slots; ++slot) bytes += pivot_level(c, s, slot) < count ? key : 0;
  return bytes + std::min(scattered, s.entry_slots * entry);
}

u32 levels_within(const ordered_config& c, const index_shape& s, u64 bytes, u64 block_bytes) {
  u32 levels = 0;
  while (levels <= s.levels && bytes_of_levels(c, s, levels + 1, block_bytes) <= bytes) ++levels;
  return levels;
}

// The places of a tile in the order of service, by a stable insertion sort of the bits that tell keys apart.
std::vector<u64> service(const ordered_config& c, std::vector<u64> tile, u64 least, u64 greatest) {
  std::vector<u64> places;
  u32 end = 0, telling = 4;
  while (end < 64 && least >> end != greatest >> end) ++end;
  for (u64 t = c.launch.threads * c.launch.per_thread - 1; t > 0; t /= 2) ++telling;
  const u32 begin = end > telling ? end - telling : 0;
  const auto digits = [&](u64 key) { return (end == 64 ? key : key & ((1ull << end) - 1)) >> begin; };
  for (u64 place = 0; place < tile.size(); ++place) {
    std::size_t at = places.size();
    while (c.launch.reorder != reorder_kind::none && at > 0 && digits(tile[places[at - 1]]) > digits(tile[place])) --at;
    places.insert(places.begin() + static_cast<std::ptrdiff_t>(at), place);
  }
  return places;
}

class by_sets {
 public:
  by_sets(const built_index& index, const traffic_machine& gpu)
      : index_(index), c_(ordered_config::of(index.config())), s_(shape_of(index)), gpu_(gpu) {
    const u64 taken = c_.pin == pin_kind::none ? 0 : c_.scratch;
    l1_ = gpu.l1_bytes > taken ? gpu.l1_bytes - taken : 0;
    sum.l1_levels = levels_within(c_, s_, l1_, 128);
    sum.l2_levels = levels_within(c_, s_, gpu.l2_bytes, 64);
    sum.index_bytes =
        index.bytes(ordered_region::entries) + index.bytes(ordered_region::rows) + index.bytes(ordered_region::pivots);
    const u64 kept = bytes_of_levels(c_, s_, sum.l2_levels, 64);
    sum.past_l2_bytes = sum.l2_levels > s_.levels || kept > sum.index_bytes ? 0 : sum.index_bytes - kept;
    fill();
  }

  void tile(const std::vector<u64>& lookups, u64 least, u64 greatest) {
    forget();
    const std::vector<u64> places = service(c_, lookups, least, greatest);
    std::vector<u32> answers(lookups.size());
    for (u64 first = 0; first < places.size(); first += 32) {
      std::vector<lookup_trace> warp;
      for (u64 i = first; i < std::min<u64>(first + 32, places.size()); ++i) {
        warp.push_back(*trace_lookup(index_, lookups[places[i]]));
        answers[places[i]] = warp.back().row;
      }
      serve(warp);
    }
    sum.answers.insert(sum.answers.end(), answers.begin(), answers.end());
    sum.lookups += lookups.size();
    ++sum.tiles;
  }

  traffic sum;

 private:
  void forget() { fetched_sectors_.clear(), fetched_atoms_.clear(); }

  // The part of a level's requests that L1 does not answer.
  double past_l1(u32 level) const {
    if (level != sum.l1_levels) return level < sum.l1_levels ? 0 : 1;
    const u64 above = bytes_of_levels(c_, s_, level, 128), with_it = bytes_of_levels(c_, s_, level + 1, 128);
    return static_cast<double>(with_it - l1_) / static_cast<double>(with_it - above);
  }

  void serve(const std::vector<lookup_trace>& warp) {
    if (c_.launch.reorder == reorder_kind::none) forget();
    u32 group = 1;
    while (group < c_.lanes) group *= 2;
    for (const lookup_trace& t : warp) sum.steps += t.steps.size();
    for (u32 member = 0; member < group; ++member) {
      for (std::size_t step = 0; step < max_levels + 8; ++step) {
        std::set<address> within, past;  // bytes
        double weight = 0;
        bool scattered = false, loads = false;
        for (std::size_t i = member; i < warp.size(); i += group) {
          if (step >= warp[i].steps.size()) continue;
          const trace_step& s = warp[i].steps[step];
          weight = past_l1(s.level);
          scattered = s.level >= sum.l2_levels || s.level == model_->levels() || !model_->level_run(s.level);
          const bool past_l2 = s.level >= sum.l2_levels;
          loads |= !s.accesses.empty();
          for (const memory_access& a : s.accesses) {
            if (a.space == memory_space::scratch) {
              sum.scratch_bytes += a.bytes;
              continue;
            }
            warp_requests& r = past_l2 ? sum.past_l2 : sum.within_l2;
            ++r.loads, r.bytes += a.bytes;
            for (u64 b = 0; b < a.bytes; ++b) (past_l2 ? past : within).insert({a.array, a.byte_offset + b});
          }
        }
        add(within, sum.within_l2);
        add(past, sum.past_l2);
        const slowest_load slowest = request(within, past, weight, scattered);
        if (slowest == slowest_load::dram)
          ++sum.waits.dram;
        else if (slowest == slowest_load::past_l1)
          sum.waits.l2 += weight, sum.waits.l1 += 1 - weight;
        else if (loads)
          ++sum.waits.l1;
      }
    }
  }

  static std::set<address> blocks(const std::set<address>& bytes, u64 size) {
    std::set<address> found;
    for (const address& b : bytes) found.insert(block(b, size));
    return found;
  }

  static void add(const std::set<address>& bytes, warp_requests& r) {
    r.sectors += blocks(bytes, 32).size();
    r.atoms += blocks(bytes, 64).size();
    r.lines += blocks(bytes, 128).size();
  }

  enum class slowest_load { l1, past_l1, dram };

  // What was not fetched before, as requests of a line each.
  slowest_load request(const std::set<address>& within, const std::set<address>& past, double weight, bool scattered) {
    std::map<address, u64> sectors_of_line, atoms_of_line;
    std::set<address> all = within;
    all.insert(past.begin(), past.end());
    for (const address& sector : blocks(all, 32)) {
      if (weight > 0 && fetched_sectors_.insert(sector).second) ++sectors_of_line[block(sector, 4)];
    }
    for (const address& atom : blocks(past, 64)) {
      if (fetched_atoms_.insert(atom).second) ++atoms_of_line[block(atom, 2)];
    }
    for (const auto& [line, sectors] : sectors_of_line)
      sum.l2_requests[sectors] += weight, sum.scattered_requests += scattered ? weight : 0;
    for (const auto& [line, atoms] : atoms_of_line) ++sum.dram_requests[atoms];
    return !atoms_of_line.empty()     ? slowest_load::dram
           : !sectors_of_line.empty() ? slowest_load::past_l1
                                      : slowest_load::l1;
  }

  // Each warp of the block asks for 32 keys at a time.
  void fill() {
    const pin_plan plan = plan_pins(c_, s_);
    const u64 key = c_.keys == key_width::u32 ? 4 : 8;
    std::set<address> lines;
    for (u32 first = 0; first < plan.total; first += 32) {
      std::set<address> sectors;
      for (u32 i = first; i < std::min(first + 32, plan.total); ++i) {
        const pinned_slot from = pin_source(c_, s_, plan, i);
        const bool aos = c_.layout == entry_layout::aos && from.array == ordered_region::entries;
        const address byte{from.array, from.slot * key * (aos ? 2 : 1)};
        sectors.insert(block(byte, 32)), lines.insert(block(byte, 128));
      }
      std::map<address, u64> of_line;
      for (const address& sector : sectors) ++of_line[block(sector, 4)];
      for (const auto& [line, count] : of_line) ++sum.fill_requests[count];
    }
    sum.fill_bytes = plan.total * key;
    sum.fill_in_l1 = lines.size() * 128 <= l1_;
  }

  const built_index& index_;
  const ordered_config c_;
  const index_shape s_;
  const std::shared_ptr<const index_model> model_ = model_of(static_cast<const stored_index&>(index_));
  const traffic_machine gpu_;
  u64 l1_ = 0;
  std::set<address> fetched_sectors_, fetched_atoms_;
};

void expect_near(double a, double b) { RC_ASSERT(std::abs(a - b) <= 1e-9 * (1 + std::abs(b))); }

void expect_same(const traffic& counted, const traffic& right) {
  RC_ASSERT(counted.lookups == right.lookups);
  RC_ASSERT(counted.tiles == right.tiles);
  RC_ASSERT(counted.steps == right.steps);
  for (const auto part : {&traffic::within_l2, &traffic::past_l2}) {
    RC_ASSERT((counted.*part).loads == (right.*part).loads);
    RC_ASSERT((counted.*part).bytes == (right.*part).bytes);
    RC_ASSERT((counted.*part).sectors == (right.*part).sectors);
    RC_ASSERT((counted.*part).atoms == (right.*part).atoms);
    RC_ASSERT((counted.*part).lines == (right.*part).lines);
  }
  RC_ASSERT(counted.loads() == right.within_l2.loads + right.past_l2.loads);
  RC_ASSERT(counted.bytes() == right.within_l2.bytes + right.past_l2.bytes);
  RC_ASSERT(counted.sectors() == right.within_l2.sectors + right.past_l2.sectors);
  RC_ASSERT(counted.atoms() == right.within_l2.atoms + right.past_l2.atoms);
  RC_ASSERT(counted.lines() == right.within_l2.lines + right.past_l2.lines);
  RC_ASSERT(counted.scratch_bytes == right.scratch_bytes);
  for (u32 i = 0; i < 5; ++i) expect_near(counted.l2_requests[i], right.l2_requests[i]);
  for (u32 i = 0; i < 5; ++i) RC_ASSERT(counted.fill_requests[i] == right.fill_requests[i]);
  for (u32 i = 0; i < 3; ++i) RC_ASSERT(counted.dram_requests[i] == right.dram_requests[i]);
  expect_near(counted.scattered_requests, right.scattered_requests);
  expect_near(counted.waits.l1, right.waits.l1);
  expect_near(counted.waits.l2, right.waits.l2);
  expect_near(counted.waits.dram, right.waits.dram);
  RC_ASSERT(counted.fill_bytes == right.fill_bytes);
  RC_ASSERT(counted.fill_in_l1 == right.fill_in_l1);
  RC_ASSERT(counted.l1_levels == right.l1_levels);
  RC_ASSERT(counted.l2_levels == right.l2_levels);
  RC_ASSERT(counted.index_bytes == right.index_bytes);
  RC_ASSERT(counted.past_l2_bytes == right.past_l2_bytes);
  RC_ASSERT(counted.answers == right.answers);
}

// Requests a second past L2: the table of docs/traffic.md, in GB and G/s.
double gathers(double bytes, u32 atoms) {
  const std::map<double, std::pair<double, double>> table = {
      {0.032, {119, 73}}, {0.064, {67, 53}}, {0.128, {48, 42}}, {0.512, {38, 33}}, {2, {36, 30}}};
  const auto rate = [&](const auto& row) { return 1e9 * (atoms == 1 ? row.second.first : row.second.second); };
  const double size = bytes / 1e9;
  const auto above = table.lower_bound(size);
  if (above == table.begin()) return rate(*above);
  const auto below = std::prev(above);
  if (above == table.end()) return rate(*below);
  const double part = (std::log2(size) - std::log2(below->first)) / (std::log2(above->first) - std::log2(below->first));
  return (1 - part) * rate(*below) + part * rate(*above);
}

// Warps that a multiprocessor has room for: 32 blocks, 2048 threads, 227 KiB of scratch and 1 KiB a block beside it.
double warps_with_room(const ordered_config& c) {
  u64 blocks = 0, scratch = 0;
  while (blocks < 32 && (blocks + 1) * c.launch.threads <= 2048) {
    scratch += c.pin == pin_kind::none || c.scratch == 0 ? 0 : c.scratch + 1024;
    if (scratch > 228 * 1024 || (c.launch.schedule == schedule_kind::fixed && blocks == c.launch.blocks_per_sm)) break;
    ++blocks;
  }
  return static_cast<double>(std::max<u64>(blocks, 1) * ((c.launch.threads + 31) / 32));
}

void expect_prediction(const traffic& t, const ordered_config& c, u64 lookups, const traffic_machine& gpu) {
  const traffic_prediction said = predict(t, c, lookups, gpu);
  RC_ASSERT(said.lookups == lookups);
  if (lookups == 0 || t.lookups == 0) {
    RC_ASSERT(said.ms() == 0.0);
    RC_ASSERT(said.lookups_per_second() == 0.0);
    return;
  }
  const double all = static_cast<double>(lookups), times = all / static_cast<double>(t.lookups);
  const u64 tile = u64{c.launch.threads} * c.launch.per_thread, tiles = (lookups + tile - 1) / tile;
  const double fills = static_cast<double>(c.launch.schedule == schedule_kind::fixed
                                               ? std::min<u64>(tiles, u64{gpu.processors} * c.launch.blocks_per_sm)
                                               : tiles);
  const double rates[] = {0, 150e9, 79e9, 73e9, 73e9};
  const double batch = all * ((c.keys == key_width::u32 ? 4 : 8) + 4);
  double l2 = 0, sectors = 0;
  double lines = static_cast<double>(t.within_l2.lines + t.past_l2.lines) * times + batch / 128;
  for (u32 i = 1; i <= 4; ++i) {
    l2 += t.l2_requests[i] * times / rates[i];
    if (!t.fill_in_l1) l2 += fills * t.fill_requests[i] / rates[i];
    sectors += i * t.fill_requests[i];
    lines += fills * t.fill_requests[i];
  }
  double dram = batch / 4.27e12;
  for (u32 i = 1; i <= 2; ++i) {
    dram += static_cast<double>(t.dram_requests[i]) * times / gathers(static_cast<double>(t.past_l2_bytes), i);
  }
  const double waits = t.waits.l1 * 97e-9 + t.waits.l2 * 226e-9 + t.waits.dram * 615e-9;
  const double latency = waits * times / std::min(std::ceil(all / 32), gpu.processors * warps_with_room(c)) / c.flight;
  const double l1 = lines / 261e9, longest = std::max({l1, l2, dram, latency});
  expect_near(said.l1_ms, 1000 * l1);
  expect_near(said.l2_ms, 1000 * l2);
  expect_near(said.dram_ms, 1000 * dram);
  expect_near(said.latency_ms, 1000 * latency);
  expect_near(said.ms(), 1000 * longest);
  expect_near(said.lookups_per_second() / 1e9, all / longest / 1e9);
  expect_near(said.fill_bytes, fills * sectors * 32 / all);
}

template <class Key>
void expect_counted_by_sets(const ordered_config& config) {
  ordered_config c = config;
  if (*rc::gen::inRange(0, 3) > 0) c.launch.threads = 64, c.launch.per_thread = c.flight = 1;  // several tiles
  std::vector<Key> keys = *testing::any_keys<Key>();
  if (keys.size() > 800) keys.resize(800);
  std::vector<Key> lookups(*rc::gen::inRange<std::size_t>(0, 100));
  const u64 seed = *rc::gen::arbitrary<u64>();
  for (std::size_t i = 0; i < lookups.size(); ++i) {
    const u64 random = (seed + i) * 0x9E3779B97F4A7C15ull;
    lookups[i] = keys.empty() || random % 7 == 0 ? static_cast<Key>(random) : keys[(random >> 32) % keys.size()];
  }
  const auto index = testing::build_on_cpu(c, key_array(keys));
  const u64 caches = 2 * index->bytes() + 1 + (c.pin == pin_kind::none ? 0 : c.scratch);
  const traffic_machine gpu{.l1_bytes = *rc::gen::inRange<u64>(0, caches),
                            .l2_bytes = *rc::gen::inRange<u64>(0, caches),
                            .processors = *rc::gen::inRange<u32>(1, 4)};
  const u64 sample = *rc::gen::inRange<u64>(0, 200);
  RC_LOG() << to_line(c) << " n=" << keys.size() << " lookups " << lookups.size() << " sample " << sample << "\n";
  const outcome<traffic> counted = count_traffic(*index, key_array(lookups), sample, gpu, job_control{});
  RC_ASSERT(counted.ok());

  by_sets right(*index, gpu);
  const u64 tile = u64{c.launch.threads} * c.launch.per_thread;
  const u64 least = keys.empty() ? 0 : *std::min_element(keys.begin(), keys.end());
  const u64 greatest = keys.empty() ? 0 : *std::max_element(keys.begin(), keys.end());
  for (u64 first = 0; first < lookups.size() && first < sample; first += tile) {
    const auto begin = lookups.begin() + static_cast<std::ptrdiff_t>(first);
    const u64 size = std::min(tile, lookups.size() - first);
    right.tile(std::vector<u64>(begin, begin + static_cast<std::ptrdiff_t>(size)), least, greatest);
  }
  expect_same(*counted, right.sum);
  expect_prediction(*counted, c, *rc::gen::element<u64>(0, 1, 1000, 1ull << 27), gpu);
}

RC_GTEST_PROP(TrafficProperty, EveryFieldIsWhatSetsOfAddressesCount, ()) {
  const ordered_config c = *testing::any_config();
  testing::with_key_of(c, [&]<class Key>(Key) { expect_counted_by_sets<Key>(c); });
}

// Any counts: sizes that a small index does not have.
RC_GTEST_PROP(TrafficProperty, ThePredictionIsTheFormula, ()) {
  traffic t;
  t.lookups = *rc::gen::inRange<u64>(0, 5000);
  for (u32 i = 1; i < 5; ++i) t.l2_requests[i] = *rc::gen::inRange(0, 20'000) / 4.0;
  for (u32 i = 1; i < 5; ++i) t.fill_requests[i] = *rc::gen::inRange(0, 2000);
  for (u32 i = 1; i < 3; ++i) t.dram_requests[i] = *rc::gen::inRange<u64>(0, 20'000);
  t.within_l2.lines = *rc::gen::inRange<u64>(0, 50'000), t.past_l2.lines = *rc::gen::inRange<u64>(0, 50'000);
  t.past_l2_bytes = *rc::gen::oneOf(rc::gen::inRange<u64>(0, 3'000'000'000), rc::gen::inRange<u64>(0, 200'000'000));
  t.fill_in_l1 = *rc::gen::arbitrary<bool>();
  for (const auto wait : {&traffic::step_waits::l1, &traffic::step_waits::l2, &traffic::step_waits::dram}) {
    t.waits.*wait = *rc::gen::inRange(0, 40'000) / 8.0;
  }
  const ordered_config c = *testing::any_config();
  const u64 lookups = *rc::gen::inRange<u64>(0, 1ull << 28);
  expect_prediction(t, c, lookups, {.processors = *rc::gen::inRange<u32>(1, 200)});
}

}  // namespace
}  // namespace pivotscope
