// "Is Binary Search Really All You Need?" on an RTX 4090 of 72 MB of L2: 2^28 keys and 2^27 lookups unless a figure says
// otherwise (Section 5.1).
#include <fmt/format.h>

#include "core/sweep/paper_series.hpp"
#include "core/sweep/paper_sweeps.hpp"

namespace pivotscope {
namespace {

constexpr const char* lookups_alone = "distribution=uniform lookups=2^27";
constexpr const char* usual_load = "keys=2^28 distribution=uniform lookups=2^27";
constexpr const char* blocks_axis = "threads a block / lookups a thread";

std::string figure_source(const char* which) { return fmt::format("lightweight, {}", which); }

// HT and AO+BS without anything, which the paper draws across its plots.
void add_levels(sweep_grid& grid) {
  grid.series.push_back(as_level({"AO+BS, not optimised", {"AO+BS"}}));
  grid.series.push_back(as_level(open_table("HT (open)", {50, 80})));
  grid.series.push_back(as_level(bucket_table("HT (buckets)", {100, 150})));
  grid.series.push_back(as_level(tree("B+", {50, 100})));
}

std::vector<grid_series> unoptimised() {
  return {open_table("HT (open)", {50, 80}),
          bucket_table("HT (buckets)", {100, 150}),
          {"AO+BS", {"AO+BS"}},
          tree("B+", {50, 100})};
}

sweep by_keys(std::string name, std::string sentence, const char* source, std::vector<grid_series> series, plot_y y) {
  const sweep_grid grid{lookups_alone, keys_ticks(15, 28), std::move(series)};
  return {.name = std::move(name),
          .sentence = std::move(sentence),
          .source = figure_source(source),
          .rows = rows_of(grid),
          .plot = sweep_plot{"keys", plot_x::keys, words_of(grid.ticks), y, true}};
}

sweep by_places(std::string name, std::string sentence, const char* source, std::string axis, const sweep_grid& grid) {
  return {.name = std::move(name),
          .sentence = std::move(sentence),
          .source = figure_source(source),
          .rows = rows_of(grid),
          .plot = sweep_plot{std::move(axis), plot_x::place, words_of(grid.ticks), plot_y::batch_ms, false}};
}

sweep by_block(std::string name, std::string sentence, const char* source, const std::string& line) {
  sweep_grid grid{usual_load, papers_blocks(), series_by_optimisation(line)};
  add_levels(grid);
  return by_places(std::move(name), std::move(sentence), source, blocks_axis, grid);
}

// A K-ary search without optimisations by its fanout, each with the best of the blocks of 1024 lookups.
sweep by_fanout(std::string name, const char* source, const std::string& method) {
  sweep_grid grid{.load = usual_load};
  for (const u32 fanout : {3u, 5u, 9u, 17u, 33u})
    grid.ticks.push_back({.words = fmt::format("K = {}", fanout), .config = fmt::format("fanout={}", fanout)});
  for (const char* layout : {"aos", "soa"}) {
    grid_series series{.name = layout, .configs = {}};
    for (const block_shape& shape : {block_shape{1024, 1}, {512, 2}, {256, 4}, {128, 8}})
      series.configs.push_back(fmt::format("{} {{}} layout={} {}", method, layout, block_words(shape)));
    grid.series.push_back(std::move(series));
  }
  add_levels(grid);
  return by_places(std::move(name), method + ": fanout and layout", source, "fanout", grid);
}

// 2^16 ranges.
sweep by_scan(std::string name, const char* source, u32 hits_bits) {
  sweep_grid grid{.load =
                      fmt::format("keys=2^28 distribution=uniform lookups=0 ranges=2^16 range_hits=2^{}", hits_bits)};
  for (const char* method : {"AO+BS", "EO+BS", "AO+PB+BS", "EO+KS", "AO+PB+KS"})
    grid.ticks.push_back({.words = method, .config = method});
  for (const char* scan : {"alone", "cooperative"})
    for (const char* layout : {"aos", "soa"})
      grid.series.push_back(
          {fmt::format("{}, {}", scan, layout), {fmt::format("{{}} layout={} scan={}", layout, scan)}});
  return by_places(std::move(name), fmt::format("ranges of 2^{} entries: who scans them, and the layout", hits_bits),
                   source, "method", grid);
}

sweep hits_a_range() {
  sweep_grid grid{.load = "keys=2^28 distribution=uniform lookups=0 ranges=2^16"};
  for (u32 bits = 0; bits <= 14; ++bits)
    grid.ticks.push_back({.words = fmt::format("2^{}", bits), .load = fmt::format("range_hits=2^{}", bits)});
  for (const char* method : {"AO+BS", "EO+BS", "AO+PB+BS"})
    grid.series.push_back({method, {fmt::format("{} scan=cooperative", method)}});
  for (const char* method : {"EO+KS", "AO+PB+KS"})
    grid.series.push_back({method, {method, fmt::format("{} fanout=17", method), fmt::format("{} fanout=33", method)}});
  for (grid_series& one : both_trees()) grid.series.push_back(std::move(one));
  sweep made = by_places("lightweight-22", "range lookups by the entries of a range", "Section 6, Figure 22",
                         "entries of a range", grid);
  made.plot = sweep_plot{"entries of a range", plot_x::range_entries, words_of(grid.ticks), plot_y::batch_ms, true};
  return made;
}

// 2^16 threads in groups, 1024 times each: a group draws a place of 2^28 entries, and its threads load neighbours from there on.
sweep coalesced_loads() {
  sweep made{.name = "lightweight-7",
             .sentence = "loads of no index: 2^26 of 2^28 32-bit entries, by threads that load neighbours together",
             .source = figure_source("Section 3.4, Figure 7"),
             .plot = sweep_plot{"threads of a group", plot_x::place, {}, plot_y::batch_ms, true}};
  for (u32 lanes = 1; lanes <= 1024; lanes *= 2) {
    made.rows.push_back({.id = fmt::format("loads at {}", lanes),
                         .load = *workload_from_line("keys=2^28 distribution=uniform lookups=2^26"),
                         .gather_lanes = lanes,
                         .advised = false,
                         .series = "loads",
                         .tick = static_cast<u32>(made.plot->ticks.size())});
    made.plot->ticks.push_back(fmt::format("{}", lanes));
  }
  return made;
}

sweep layouts_and_schedules() {
  sweep_grid grid{.load = usual_load};
  for (const char* schedule : {"static", "dynamic"})
    for (const char* layout : {"aos", "soa"})
      grid.ticks.push_back({.words = fmt::format("{}, {}", schedule, layout),
                            .config = fmt::format("schedule={} layout={}", schedule, layout)});
  const std::string line = "AO+BS {} threads=128 per_thread=16";
  grid.series = {{"none", {line}}, {"best of nine", candidates_by_optimisation(line)}};
  add_levels(grid);
  return by_places("lightweight-14c", "AO+BS: schedule and layout at 128/16", "Section 5.2, Figure 14c",
                   "schedule, layout", grid);
}

sweep pivot_levels() {
  sweep_grid grid{usual_load, papers_blocks(), {}};
  for (const u32 levels : {10u, 20u, 24u, 27u})
    grid.series.push_back(
        {fmt::format("{} levels", levels), candidates_by_optimisation(fmt::format("AO+PB+BS {{}} pivots={}", levels))});
  add_levels(grid);
  return by_places("lightweight-16", "AO+PB+BS: levels of the pivot buffer, each with its best optimisations",
                   "Section 5.4, Figure 16", blocks_axis, grid);
}

// Figures 20 and 21 are of one measurement.
std::vector<grid_series> compared() {
  std::vector<grid_series> series = {open_table("HT (open) 50%", {50}), open_table("HT (open) 80%", {80}),
                                     bucket_table("HT (buckets) 100%", {100}),
                                     bucket_table("HT (buckets) 150%", {150})};
  for (grid_series& one : best_of_each()) series.push_back(std::move(one));
  series.push_back({"AO+BS, not optimised", {"AO+BS"}});
  for (grid_series& one : both_trees()) series.push_back(std::move(one));
  return series;
}
sweep comparison(std::string name, std::string sentence, const char* source, plot_y y) {
  sweep made = by_keys(std::move(name), std::move(sentence), source, compared(), y);
  if (made.name != "lightweight-20a") made.rows_of = "lightweight-20a";
  return made;
}

sweep that_saw(sweep made, std::string words) {
  made.saw = std::move(words);
  return made;
}

}  // namespace

std::vector<sweep> lightweight_sweeps() {
  std::vector<sweep> all;
  const auto add = [&](sweep made, std::string saw) { all.push_back(that_saw(std::move(made), std::move(saw))); };

  add(by_keys("lightweight-1a", "lookups by n, nothing optimised", "Section 1, Figure 1a", unoptimised(),
              plot_y::batch_ms),
      "All indexes are faster over fewer keys, AO+BS the most: it stays in the caches for longer, and over the "
      "smallest "
      "sets it is ahead of B+ and HT.");

  sweep_grid order{lookups_alone + std::string(" keys=2^28"),
                   {{.words = "unsorted"}, {.words = "sorted", .load = "order=sorted"}},
                   unoptimised()};
  add(by_places("lightweight-1b", "lookups in random order and sorted", "Section 1, Figure 1b", "order of the lookups",
                order),
      "All gain from sorted lookups, and AO+BS gains the most: then it is much faster than every other index.");

  add(coalesced_loads(),
      "Half the time for each doubling of the group, up to 16 threads; 32 gain less, and more than 32 nothing: a load "
      "of 16 "
      "neighbouring entries costs as much as one of a single entry.");

  add(by_block("lightweight-14a", "AO+BS: pinning and reordering by block, static schedule", "Section 5.2, Figure 14a",
               "AO+BS {} schedule=static"),
      "Pinning and reordering each make AO+BS much faster, reordering twice more than once; how much depends on the "
      "block.");
  add(by_block("lightweight-14b", "AO+BS: pinning and reordering by block, dynamic schedule", "Section 5.2, Figure 14b",
               "AO+BS {}"),
      "Mostly slower than with the static schedule. Pinning makes small blocks slower, since each fills its scratch "
      "anew; "
      "reordering is best with few threads of many lookups: 128/16. B+ is 1.75 times as fast as that.");
  add(layouts_and_schedules(), "The layout hardly matters; struct of arrays is slightly faster with both schedules.");
  add(by_block("lightweight-15", "EO+BS: pinning and reordering by block", "Section 5.3, Figure 15", "EO+BS {}"),
      "Pinning brings nothing, since the order is kind to caches already; reordering brings more than it does for "
      "AO+BS. "
      "B+ is 1.35 times as fast.");
  add(pivot_levels(),
      "Up to 24 levels make lookups faster, for 64 MB, or 3% of the index; all 27 make them slower, since the last 16 "
      "entries lie in one cache line anyway. B+ is 1.25 times as fast.");
  add(by_block("lightweight-17a", "EO+KS: pinning and reordering by block", "Section 5.5, Figure 17a", "EO+KS {}"),
      "Pinning makes it much slower: scratch that is taken keeps other blocks off the SM. Reordering brings nothing.");
  add(by_fanout("lightweight-17b", "Section 5.5, Figure 17b", "EO+KS"),
      "Large nodes want struct of arrays and small ones array of structs; so laid out, all take about as long. EO+KS "
      "is 1.6 "
      "times as fast as B+, and HT 1.6 times as fast as EO+KS.");
  add(by_block("lightweight-18a", "AO+PB+KS: pinning and reordering by block", "Section 5.6, Figure 18a",
               "AO+PB+KS {}"),
      "As with EO+KS, but less so.");
  add(by_fanout("lightweight-18b", "Section 5.6, Figure 18b", "AO+PB+KS"),
      "Array of structs is faster, and a larger fanout is slower. At its best it is as fast as EO+KS.");
  add(by_scan("lightweight-19a", "Section 5.7, Figure 19a", 6),
      "Scanning together is always faster, even where a range hardly passes the threshold of 32. Array of structs is "
      "faster "
      "for all methods.");
  add(by_scan("lightweight-19b", "Section 5.7, Figure 19b", 14),
      "Scanning together is always faster; array of structs is faster for all methods, since row ids lie beside the "
      "keys.");
  add(comparison("lightweight-20a", "lookups by n, each method at its best", "Section 6, Figure 20a", plot_y::batch_ms),
      "EO+BS is the fastest of all over small sets, and keeps up with the hash tables up to 2^24. KS is slow over "
      "small sets "
      "and hardly slower over large ones: from 2^26 on only hash tables are faster.");
  add(comparison("lightweight-20b", "lookups a second and byte by n, each method at its best", "Section 6, Figure 20b",
                 plot_y::rate_per_byte),
      "The measure of how a method pays for its speed in memory: the lightweight indexes take hardly more than the "
      "entries.");
  add(comparison("lightweight-21a", "building by n", "Section 6, Figure 21a", plot_y::build_ms),
      "The lightweight indexes build about as fast as B+ and much faster than HT: 2^28 entries in about 50 ms at "
      "most.");
  add(comparison("lightweight-21b", "bytes by n", "Section 6, Figure 21b", plot_y::bytes),
      "The lightweight indexes are the smallest of all, also those with a pivot buffer.");
  add(hits_a_range(),
      "AO+PB+KS is the fastest lightweight method and as fast as a full B+; EO+KS is a little slower, the less so the "
      "longer "
      "the ranges are.");
  return all;
}

}  // namespace pivotscope
