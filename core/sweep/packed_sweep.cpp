#include "core/sweep/packed_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pivotscope {
namespace {

using lines = std::vector<std::string>;

constexpr u64 lookups = 1ull << 27, ranges = 1ull << 16;

// 1e9 hits a second of 32-bit keys.
struct target {
  u32 bits;  // of the number of keys
  double rate;
};
constexpr target targets[] = {{16, 128e9}, {20, 105e9}, {22, 78e9}, {24, 48e9}, {26, 36e9}, {28, 30e9}};

// What was best there (docs/packed.md), with its neighbours.
lines candidates(u32 bits) {
  switch (bits) {
    case 16:
      return {"PACKED leaf=16 lanes=1 fill=80 per_thread=2 flight=2",
              "PACKED leaf=16 lanes=1 fill=80 per_thread=4 flight=2",
              "PACKED leaf=16 lanes=1 fill=80 per_thread=4 flight=4",
              "PACKED leaf=16 lanes=1 fill=80",
              "PACKED leaf=16 lanes=1",
              "PACKED leaf=32 lanes=1 per_thread=2 flight=2",
              "PACKED leaf=32 lanes=2",
              "PACKED leaf=32 lanes=1"};
    case 20:
      return {"PACKED leaf=32 fill=121 threads=1024 per_thread=16 schedule=static flight=4 scratch=226KiB",
              "PACKED leaf=32 fill=121 threads=1024 per_thread=8 schedule=static flight=4 scratch=226KiB",
              "PACKED leaf=32 fill=121 threads=1024 per_thread=16 schedule=static flight=2 scratch=226KiB",
              "PACKED leaf=32 fill=110 threads=1024 per_thread=16 schedule=static flight=2 scratch=160KiB",
              "PACKED leaf=32 lanes=1 fill=110 threads=1024 per_thread=16 schedule=static scratch=160KiB",
              "PACKED leaf=32 fill=105",
              "PACKED leaf=32 lanes=1",
              "PACKED lanes=4"};
    case 22:
      return {"PACKED leaf=32 fill=115 threads=1024 per_thread=8 schedule=static flight=4 scratch=192KiB",
              "PACKED leaf=32 fill=115 threads=768 per_thread=8 schedule=static flight=4 scratch=192KiB",
              "PACKED leaf=32 fill=115 threads=1024 per_thread=8 schedule=static flight=4 scratch=160KiB",
              "PACKED leaf=32 fill=115 threads=1024 per_thread=16 schedule=static flight=4 scratch=160KiB",
              "PACKED leaf=32 fill=115 threads=1024 per_thread=16 schedule=static flight=2 scratch=160KiB",
              "PACKED leaf=32 fill=115",
              "PACKED leaf=32 fill=115 threads=512",
              "PACKED leaf=32 fill=105",
              "PACKED leaf=32",
              "PACKED lanes=4 fill=105"};
    case 24:
      return {"PACKED lanes=4 fill=105", "PACKED fill=105",
              "PACKED lanes=4",          "PACKED lanes=4 fill=105 reads=kept",
              "PACKED leaf=32 fill=105", "PACKED lanes=4 block=32 fill=250"};
    case 26:
      return {"PACKED lanes=4 fill=105 reads=kept", "PACKED lanes=4 fill=115 reads=kept", "PACKED lanes=4 reads=kept",
              "PACKED lanes=4 fill=105 reads=once", "PACKED lanes=4 block=32 fill=400 reads=kept"};
    default:
      return {"PACKED lanes=4 block=32 fill=400 reads=kept", "PACKED lanes=4 block=32 fill=340 reads=kept",
              "PACKED lanes=4 block=32 fill=300 reads=kept", "PACKED lanes=4 block=32 fill=180 reads=kept",
              "PACKED lanes=4 fill=115 reads=kept"};
  }
}

// Marks tell leaves apart that begin at nearly equal steps; where they do not, separators are the better ones.
lines candidates_of_skew(u32 bits) {
  switch (bits) {
    case 24:
      return {"PACKED lanes=4"};
    case 26:
      return {"PACKED lanes=4 reads=kept"};
    default:
      return {"PACKED lanes=4 block=32 fill=180 reads=kept", "PACKED lanes=4 block=32 fill=280 reads=kept"};
  }
}

// A leaf of 64-bit keys has two packs where one of 32-bit keys has four.
lines candidates_of_wide(u32 bits) {
  lines list = candidates(bits);
  if (bits <= 20) list.push_back("PACKED lanes=2 threads=1024 schedule=static scratch=160KiB");
  if (bits == 20)
    list.push_back("PACKED leaf=32 lanes=1 fill=115 threads=1024 per_thread=16 schedule=static scratch=160KiB");
  if (bits >= 22) list.push_back("PACKED leaf=128 lanes=4 reads=once");
  if (bits == 26) list.push_back("PACKED lanes=4 block=32 fill=340 reads=kept");
  return list;
}

class rows {
 public:
  std::vector<sweep_row> take() {
    // Rows over the same keys lie together: these are made once.
    for (const target& t : targets) {
      hits(t);
      misses(t);
      if (t.bits == 26) ranges_of(t);
      if (t.bits == 28) sorted(t), builds(t);
      if (t.bits >= 24) skews(t);
      worst(t, key_width::u32, hits_at(t.bits));
      wide(t);
      worst(t, key_width::u64, "u64 " + hits_at(t.bits));
    }
    cpu();
    return std::move(all_);
  }

 private:
  static std::string size_text(u32 bits) { return fmt::format("2^{}", bits); }
  static workload over(u32 bits, distribution dist = distribution::uniform) {
    return {.keys = 1ull << bits, .dist = dist, .lookups = lookups};
  }
  static std::string hits_at(u32 bits) { return "hits " + size_text(bits); }

  void hits(const target& t) {
    all_.push_back({.id = hits_at(t.bits),
                    .load = over(t.bits),
                    .configs = candidates(t.bits),
                    .wants = {{measure::rate, t.rate}}});
  }
  void misses(const target& t) {
    for (const auto& [where, words] : {std::pair{miss_place::inside, "inside"}, {miss_place::outside, "outside"}}) {
      workload load = over(t.bits);
      load.hits = 0, load.misses = where;
      relative(fmt::format("misses {} {}", words, size_text(t.bits)), load, t, 0.9);
    }
  }
  // Neighbours share leaves, which a cache then has: other configs than that of unsorted hits are best.
  void sorted(const target& t) {
    workload load = over(t.bits);
    load.order = lookup_order::sorted;
    all_.push_back({.id = "sorted " + size_text(t.bits),
                    .load = load,
                    .configs = {"PACKED lanes=4 block=32 fill=180 reads=once", "PACKED lanes=4 block=32 fill=180",
                                "PACKED block=32 fill=180", "PACKED", "PACKED leaf=32 lanes=1",
                                "PACKED leaf=16 lanes=1 fill=80 per_thread=2 flight=2"},
                    .wants = {{measure::rate, 2, wanted_in::rate_of_row, hits_at(t.bits)}}});
  }
  void skews(const target& t) {
    for (const distribution dist :
         {distribution::narrow, distribution::gaps, distribution::clusters, distribution::half})
      all_.push_back({.id = fmt::format("{} {}", distribution_name(dist), size_text(t.bits)),
                      .load = over(t.bits, dist),
                      .configs = candidates_of_skew(t.bits),
                      .wants = {{measure::rate, 0.66 * t.rate}}});
  }
  // The worst input known, beside binary search of the sorted array.
  void worst(const target& t, key_width width, const std::string& same_index_as) {
    if (t.bits != 16 && t.bits != 24) return;  // where blocks lie in scratch, and where nodes go deepest past L2
    const workload load = over(t.bits, distribution::nested);
    const std::string words = fmt::format("{}nested {}", width == key_width::u64 ? "u64 " : "", size_text(t.bits));
    const std::string binary = words + " AO+BS";
    all_.push_back({.id = binary, .load = load, .width = width, .configs = {"AO+BS"}, .advised = false});
    all_.push_back({.id = words,
                    .load = load,
                    .width = width,
                    .configs_of = same_index_as,
                    .wants = {{measure::rate, 1, wanted_in::rate_of_row, binary}}});
  }
  // The same index as that of the uniform hits, at a share of their rate.
  void relative(std::string id, const workload& load, const target& t, double share) {
    all_.push_back({.id = std::move(id),
                    .load = load,
                    .configs_of = hits_at(t.bits),
                    .wants = {{measure::rate, share, wanted_in::rate_of_row, hits_at(t.bits)}}});
  }
  void wide(const target& t) {
    all_.push_back({.id = "u64 " + hits_at(t.bits),
                    .load = over(t.bits),
                    .width = key_width::u64,
                    .configs = candidates_of_wide(t.bits),
                    .wants = {{measure::rate, 0.6 * t.rate}}});
  }
  void ranges_of(const target& t) {
    const auto add = [&](u32 entries, want wanted) {
      workload load = over(t.bits);
      load.lookups = 0, load.ranges = ranges, load.range_hits = 1ull << entries;
      all_.push_back({.id = fmt::format("ranges of {} at {}", size_text(entries), size_text(t.bits)),
                      .load = load,
                      .configs = {"PACKED lanes=4 reads=once", "PACKED lanes=4", "PACKED", "PACKED leaf=128 lanes=8"},
                      .wants = {std::move(wanted)}});
    };
    add(6, {measure::time, 0.08});
    add(14, {measure::time, 1.2, wanted_in::stream_of_all});
  }
  // Each of these is to reach it.
  void builds(const target& t) {
    for (const char* line :
         {"PACKED lanes=4 block=32 fill=180 reads=once", "AO+BS", "AO+PB+KS", "EO+KS", "AO+PB+BS", "EO+BS"}) {
      workload load = over(t.bits);
      load.lookups = 1ull << 20;  // that the index is right
      const std::string_view words = line, method = words.substr(0, words.find(' '));
      all_.push_back({.id = fmt::format("sort and build {} {}", method, size_text(t.bits)),
                      .load = load,
                      .configs = {line},
                      .advised = false,
                      .wants = {{measure::sort_and_build, 1.15}}});
    }
  }
  void cpu() {
    const workload load{.keys = 1ull << 24, .dist = distribution::uniform, .lookups = 1ull << 22};
    const std::string standard = "cpu std::lower_bound 2^24", pivots = "cpu AO+PB+KS 2^24";
    all_.push_back({.id = standard, .load = load, .standard_search = true, .advised = false, .on = machine_kind::cpu});
    all_.push_back({.id = pivots,
                    .load = load,
                    .configs = {"AO+PB+KS", "AO+PB+KS fanout=17"},
                    .advised = false,
                    .on = machine_kind::cpu});
    all_.push_back({.id = "cpu PACKED 2^24",
                    .load = load,
                    .configs = {"PACKED lanes=1", "PACKED leaf=32 lanes=1", "PACKED leaf=128 lanes=1",
                                "PACKED lanes=1 block=32 fill=180"},
                    .on = machine_kind::cpu,
                    .wants = {{measure::rate, 9, wanted_in::rate_of_row, standard},
                              {measure::rate, 1, wanted_in::rate_of_row, pivots}}});
  }

  std::vector<sweep_row> all_;
};

}  // namespace

sweep packed_sweep() {
  return {
      .name = "packed",
      .sentence = "what PACKED is to reach at 2^16 to 2^28 keys: hits, misses, order, skew, ranges, builds, the CPU",
      .source = "docs/packed.md",
      .device = "H200",
      .rows = rows().take()};
}

}  // namespace pivotscope
