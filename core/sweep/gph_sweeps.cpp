// "GPH: An Efficient and Effective Perfect Hashing Scheme for GPU Architectures" on a V100S of 6 MB of L2: 1e8 random pairs
// of 8 bytes and 2e8 lookups, in tables of 1.25 to 2 GB (Section 7.1). Its four tables as the paper ran them, and the best of ours
// beside them. In files of their own: its other data sets, its hash join, and what it says of inserts.
#include <fmt/format.h>

#include "core/sweep/gph_data_sets.hpp"
#include "core/sweep/gph_inserts.hpp"
#include "core/sweep/gph_joins.hpp"
#include "core/sweep/gph_tables.hpp"
#include "core/sweep/paper_sweeps.hpp"

namespace pivotscope {
namespace {

constexpr const char* usual_load = "keys=1e8 distribution=uniform lookups=2e8";

// Behind each line comes its load: "load=53", or "{}" where the tick's part stands.
std::vector<std::string> with_load(const std::vector<std::string>& lines, const std::string& load) {
  std::vector<std::string> all;
  all.reserve(lines.size());
  for (const std::string& line : lines) all.push_back(fmt::format("{} {}", line, load));
  return all;
}
std::vector<grid_series> tables(const std::string& load) {
  const auto of = [&](const char* name, const std::vector<std::string>& lines) {
    return grid_series{name, with_load(lines, load)};
  };
  return {
      of("HT (open)", {warpcore}),
      of("DyCuckoo", {dycuckoo}),
      of("CUDPP", {cudpp}),
      of("GPH", {papers_gph}),
      of("HT (open), best of four", {"HT+OA lanes=1 window=4 probing=double", "HT+OA lanes=2 window=8 probing=double",
                                     "HT+OA lanes=4 window=8 probing=double", warpcore}),
      of("HT+CUCKOO, best of two", {"HT+CUCKOO lanes=2 bucket=8 homes=3", "HT+CUCKOO lanes=4 bucket=8 homes=3"}),
      of("GPH, best of two", {"GPH lanes=4 bucket=8 reads=kept", "GPH lanes=4 bucket=8"})};
}

// Pairs take 0.8 GB.
sweep_grid by_size() {
  sweep_grid grid{fmt::format("{} hits=0.5", usual_load), {}, tables("{}")};
  for (const auto& [gigabytes, percent] : {std::pair("1.25", 64), {"1.5", 53}, {"1.75", 46}, {"2", 40}})
    grid.ticks.push_back(
        {.words = fmt::format("{} GB: {}%", gigabytes, percent), .config = fmt::format("load={}", percent)});
  return grid;
}

sweep_grid by_hits() {
  sweep_grid grid{usual_load, {}, tables("load=53")};
  for (const u32 percent : {0u, 25u, 50u, 75u, 100u})
    grid.ticks.push_back({.words = fmt::format("{}%", percent), .load = fmt::format("hits={}", percent / 100.0)});
  return grid;
}

// The paper's four; and ours by the lanes of a lookup.
sweep_grid by_table() {
  sweep_grid grid{fmt::format("{} hits=0.5", usual_load), {}, {{"lookups", {"{} load=53"}}}};
  for (const auto& [words, config] : {std::pair("WarpCore", warpcore),
                                      {"DyCuckoo", dycuckoo},
                                      {"CUDPP", cudpp},
                                      {"GPH", papers_gph},
                                      {"open, 4 lanes", "HT+OA lanes=4 window=8 probing=double"},
                                      {"open, 2 lanes", "HT+OA lanes=2 window=8 probing=double"},
                                      {"open, 1 lane", "HT+OA lanes=1 window=4 probing=double"},
                                      {"cuckoo, 2 lanes", "HT+CUCKOO lanes=2 bucket=8 homes=3"},
                                      {"GPH, 8 slots", "GPH lanes=4 bucket=8 reads=kept"}})
    grid.ticks.push_back({.words = words, .config = config});
  return grid;
}

// The paper's three: with and without what it brings.
sweep_grid by_design(const std::vector<grid_tick>& ticks) {
  return {fmt::format("{} hits=0.5", usual_load),
          ticks,
          {{"BR-ON, PH-ON", {"GPH {} per_cell=13 load=53"}},
           {"BR-OFF, PH-ON", {"GPH {} per_cell=13 load=53 requests=single"}},
           {"BR-OFF, PH-OFF", {"GPH {} load=53 requests=single hashing=in_turn"}}}};
}

// What the GPU counts of lookups, at the best config of each point.
sweep counted(sweep of, std::string rows_of) {
  of.counters = true, of.rows_of = std::move(rows_of);
  return of;
}

constexpr const char* hits_words = "lookups that hit";

sweep throughput_by_hits() {
  return gph_sweep(
      "gph-10", "lookups by how many of them hit, in a table of 1.5 GB", "Section 7.2, Figure 10", by_hits(),
      {.x_words = hits_words, .y = plot_y::rate},
      "All are the faster the more lookups hit. Where none does, no table but GPH reaches 5000 MOPS, and GPH has "
      "over 8500; it is up to 2.11 times as fast as CUDPP, 3.63 times as DyCuckoo, 2.52 times as WarpCore.");
}

}  // namespace

std::vector<sweep> gph_sweeps() {
  constexpr const char* size_words = "bytes of the table of 1e8 pairs: its load";
  constexpr const char* table_words = "tables; the paper's four first";
  std::vector<sweep> all;
  all.push_back(counted(
      gph_sweep(
          "gph-t2", "lookups by table, and what the GPU counts meanwhile", "Section 3.3, Table 2", by_table(),
          {.x_words = table_words, .y = plot_y::batch_ms},
          "WarpCore: AO 70.9%, EI 9.36e9, CPI 22.6, 45.3 ms. DyCuckoo 86.9%, 18.7e9, 24.8, 88.1 ms; CUDPP 92.4%, "
          "0.73e9, 445, 55.2 ms; GPH 98.2%, 6.43e9, 23.2, 22.9 ms. EI is set by how many lookups share a warp, CPI "
          "by how their loads lie together, and AO falls where lookups probe unequally often."),
      ""));
  all.push_back(counted(
      gph_sweep("gph-3", "time x AO over EI x CPI: the paper's model of a lookup's time", "Section 3.4, Figure 3",
                by_table(),
                {.x_words = "cycles of all warps (EI x CPI)", .x = plot_x::warp_cycles, .y = plot_y::busy_ms},
                "Time grows with EI x CPI / AO: over its tables Pearson's correlation of time x AO and EI x CPI is "
                "0.9993."),
      "gph-t2"));
  all.push_back(
      gph_sweep("gph-9", "lookups by the table's size, half of them hits", "Section 7.2, Figure 9", by_size(),
                {.x_words = size_words, .y = plot_y::rate},
                "GPH is the fastest, and the only one over 8000 MOPS everywhere: on average 1.74 to 2.29 times as "
                "fast as CUDPP, 3.82 to 3.88 times as DyCuckoo, 1.75 to 2.78 times as WarpCore, by the data. The "
                "others gain with the size, since a vacant slot ends a lookup."));
  all.push_back(throughput_by_hits());
  constexpr const char *ao = "Section 7.2, Figure 11(a) and (b)", *cycles = "Section 7.2, Figure 11(c) and (d)";
  constexpr const char* ao_saw =
      "GPH's is nearly 100%, as each of its lookups is one probe; DyCuckoo's about 86%; WarpCore's is the lowest, "
      "since "
      "some of its warps probe more than others.";
  constexpr const char* cycles_saw =
      "GPH stays at 140e9, the least of all; CUDPP and DyCuckoo take the most in small tables and for lookups that "
      "miss, which probe more.";
  all.push_back(counted(gph_sweep("gph-11a", "achieved occupancy by the table's size", ao, by_size(),
                                  {.x_words = size_words, .y = plot_y::occupancy}, ao_saw),
                        ""));
  all.push_back(counted(gph_sweep("gph-11b", "achieved occupancy by how many lookups hit", ao, by_hits(),
                                  {.x_words = hits_words, .y = plot_y::occupancy}, ao_saw),
                        ""));
  all.push_back(counted(gph_sweep("gph-11c", "cycles of all warps by the table's size", cycles, by_size(),
                                  {.x_words = size_words, .y = plot_y::warp_cycles}, cycles_saw),
                        "gph-11a"));
  all.push_back(counted(gph_sweep("gph-11d", "cycles of all warps by how many lookups hit", cycles, by_hits(),
                                  {.x_words = hits_words, .y = plot_y::warp_cycles}, cycles_saw),
                        "gph-11b"));
  for (sweep& one : gph_data_sets()) all.push_back(std::move(one));
  for (sweep& join : gph_joins()) all.push_back(std::move(join));
  constexpr const char *designs = "lookups with and without the bucket requester, and without perfect hashing",
                       *designs_saw =
                           "Each of the two is a gain in all cases. The requester's is the greatest with four lanes: "
                           "two lack the registers. Buckets of 8 and 16 slots are alike.";
  std::vector<grid_tick> by_group, by_bucket;
  for (const u32 lanes : {2u, 4u, 8u, 16u})
    by_group.push_back({.words = fmt::to_string(lanes), .config = fmt::format("lanes={} bucket=16", lanes)});
  for (const u32 slots : {4u, 8u, 16u})
    by_bucket.push_back({.words = fmt::to_string(slots), .config = fmt::format("lanes=4 bucket={}", slots)});
  all.push_back(gph_sweep("gph-13a", fmt::format("{}, by lanes", designs), "Section 7.4, Figure 13(a)",
                          by_design(by_group), {.x_words = "lanes of a lookup, |g|", .y = plot_y::rate}, designs_saw));
  all.push_back(gph_sweep("gph-13b", fmt::format("{}, by slots", designs), "Section 7.4, Figure 13(b)",
                          by_design(by_bucket), {.x_words = "slots of a bucket, M", .y = plot_y::rate}, designs_saw));
  all.push_back(
      gph_sweep("gph-14", "building by the table's size", "Section 7.4, Figure 14", by_size(),
                {.x_words = size_words, .y = plot_y::build_rate},
                "GPH inserts slower than the other tables, as it moves pairs and waits for locks, but over 100 "
                "million a second."));
  all.back().rows_of = "gph-9";
  for (sweep& one : gph_inserts()) all.push_back(std::move(one));
  return all;
}

}  // namespace pivotscope
