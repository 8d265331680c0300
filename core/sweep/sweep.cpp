#include "core/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/common/expect.hpp"
#include "core/run/standard_search.hpp"
#include "core/sweep/packed_sweep.hpp"
#include "core/sweep/paper_sweeps.hpp"
#include "core/workload/files/nearest_word.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view gather_program = "loads by groups of ";

// LSM's knob counts entries, as many as a batch has writes.
template <class Less>
std::string with_less_level0(const std::string& line, const Less& less) {
  constexpr std::string_view knob = " level0=";
  constexpr u64 least = 4;
  const std::size_t at = line.find(knob);
  if (at == line.npos) return line;
  const std::size_t begin = at + knob.size(), end = std::min(line.find(' ', begin), line.size());
  const outcome<u64> entries = parse_count(line.substr(begin, end - begin), "level0", least, max_lookups);
  PIVOTSCOPE_EXPECT(entries.ok());
  return line.substr(0, begin) + count_text(std::max(least, less(*entries))) + line.substr(end);
}

}  // namespace

const sweep_row* sweep::row(std::string_view id) const {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const sweep_row& r) { return r.id == id; });
  return at == rows.end() ? nullptr : &*at;
}

std::string_view plot_y_words(plot_y y) {
  switch (y) {
    case plot_y::batch_ms:
      return "ms of the batch";
    case plot_y::build_ms:
      return "ms of sort and build";
    case plot_y::build_and_batch_ms:
      return "ms of sort, build and batch";
    case plot_y::wave_ms:
      return "ms of the last batch, or of sort and build";
    case plot_y::growing_ms:
      return "ms of the batch, or of sort and build";
    case plot_y::build_rate:
      return "entries sorted and built a second";
    case plot_y::bytes:
      return "bytes of the index";
    case plot_y::rate:
      return "a second";
    case plot_y::rate_per_byte:
      return "a second and byte of the index";
    case plot_y::sectors:
      return "sectors a lookup, counted";
    case plot_y::occupancy:
      return "achieved occupancy (AO)";
    case plot_y::warp_cycles:
      return "cycles of all warps (EI x CPI)";
    case plot_y::busy_ms:
      return "ms of the batch x achieved occupancy (AO)";
    case plot_y::hit_rates:
      return "hit rate, by cache";
    case plot_y::memory_rates:
      return "bytes a second, by memory";
    case plot_y::join_ms:
      return "ms of sort, build, probe and write";
    case plot_y::join_parts:
      return "ms, by part of the join";
    case plot_y::load_factor:
      return "load factor: bytes of the entries over those of the index";
    case plot_y::entry_ns:
      return "ns an entry of a range";
    case plot_y::lookup_parts:
      return "ms, by part of the lookups";
    case plot_y::scene_parts:
      return "ms, by stage of the build";
  }
  return "";
}

std::span<const std::string_view> plot_y_parts(plot_y y) {
  static constexpr std::string_view memories[] = {"L1", "L2", "DRAM"}, join[] = {"build", "probe", "write"};
  // As the passes of CGRX are called; its keys are sorted before.
  static constexpr std::string_view scene[] = {"sort",       "build entries",   "number slots",
                                               "sort slots", "place triangles", "bound groups"};
  if (y == plot_y::join_parts) return join;
  if (y == plot_y::scene_parts) return scene;
  static constexpr std::string_view lookups[] = {"rays", "buckets"};
  if (y == plot_y::lookup_parts) return lookups;
  if (y == plot_y::memory_rates) return memories;
  return std::span(memories).first(y == plot_y::hit_rates ? 2 : 0);  // DRAM has all
}

std::vector<std::string> series_of(const sweep& of) {
  std::vector<std::string> names;
  for (const sweep_row& row : of.rows)
    if (!row.series.empty() && std::find(names.begin(), names.end(), row.series) == names.end())
      names.push_back(row.series);
  return names;
}

std::span<const sweep> sweeps() {
  static const std::vector<sweep> all = [] {
    std::vector<sweep> list = lightweight_sweeps();
    for (sweep& one : short_sweeps()) list.push_back(std::move(one));
    for (sweep& one : gph_sweeps()) list.push_back(std::move(one));
    for (sweep& one : btree_sweeps()) list.push_back(std::move(one));
    for (sweep& one : rx_sweeps()) list.push_back(std::move(one));
    for (sweep& one : cgrx_sweeps()) list.push_back(std::move(one));
    list.push_back(packed_sweep());
    return list;
  }();
  return all;
}

outcome<const sweep*> find_sweep(std::string_view name) {
  std::vector<std::string> names;
  for (const sweep& one : sweeps()) {
    if (one.name == name) return &one;
    names.push_back(one.name);
  }
  return problem{fmt::format("'{}' is not a sweep{}", name, suggestion(name, names))};
}

outcome<sweep> part_of(const sweep& whole, std::string_view part) {
  std::vector<bool> taken(whole.rows.size());
  // What a row leans on comes before it: from the last one on, each is known when it is come to.
  std::vector<std::string_view> wanted;
  for (std::size_t i = whole.rows.size(); i-- > 0;) {
    const sweep_row& row = whole.rows[i];
    taken[i] = row.id.find(part) != row.id.npos || std::find(wanted.begin(), wanted.end(), row.id) != wanted.end();
    if (!taken[i]) continue;
    wanted.push_back(row.configs_of);
    for (const want& one : row.wants) wanted.push_back(one.row);
  }
  sweep out = whole;
  out.rows.clear();
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (taken[i]) out.rows.push_back(whole.rows[i]);
  if (out.rows.empty()) return problem{fmt::format("no row of {} has '{}' in its name", whole.name, part)};
  return out;
}

std::optional<std::string> sweep_row::program() const {
  if (standard_search) return standard_search_name;
  if (gather_lanes != 0) return fmt::format("{}{}", gather_program, gather_lanes);
  return std::nullopt;
}
bool set_program(sweep_row& row, std::string_view words) {
  row.standard_search = words == standard_search_name, row.gather_lanes = 0;
  if (row.standard_search) return true;
  if (!words.starts_with(gather_program)) return false;
  const std::string_view number = words.substr(gather_program.size());
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), row.gather_lanes);
  return error == std::errc{} && end == number.data() + number.size() && row.gather_lanes != 0;
}
gather_question gather_of(const sweep_row& row) {
  constexpr u32 entry_bytes = sizeof(u32), threads = 1u << 16;  // the paper's
  // An array is whole units of 16 bytes, and no smaller than what a group loads.
  const u64 entries = std::max<u64>(ceil_div<u64>(row.load.keys, 4) * 4, 2 * u64{row.gather_lanes});
  return {.bytes = entries * entry_bytes,
          .entry_bytes = entry_bytes,
          .lanes = row.gather_lanes,
          .loading = row.gather_lanes,
          .align_bytes = entry_bytes,
          .threads = threads,
          .requests = std::max<u64>(1, row.load.lookups / row.gather_lanes)};
}

sweep_row scaled(const sweep_row& row, u32 bits) {
  const auto less = [&](u64 count) { return count == 0 ? 0 : std::max<u64>(1, bits < 64 ? count >> bits : 0); };
  sweep_row out = row;
  workload& w = out.load;
  w.keys = less(w.keys);
  for (const batch_count& one : batch_counts) w.*one.count = less(w.*one.count);
  w.recipe.inserts = less(w.recipe.inserts), w.recipe.erases = less(w.recipe.erases);
  // Rounded up, so that what several batches leave over is no batch of its own.
  if (const u64 batch = batch_of(w.recipe); has_script(w) && batch != whole_batch)
    w.recipe.batch = bits < 64 ? ((batch - 1) >> bits) + 1 : 1;
  for (std::string& line : out.configs) line = with_less_level0(line, less);
  w.range_hits = std::min(w.range_hits, w.keys);
  return out;
}

}  // namespace pivotscope
