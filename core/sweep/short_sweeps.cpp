// "All You Need Is Binary Search!" on an RTX A6000 of 6 MB of L2: 2^26 keys and 2^27 lookups unless a figure says
// otherwise (Section 2). Its BS is AO+BS here, its KS AO+PB+KS.
#include <fmt/format.h>

#include "core/sweep/paper_series.hpp"
#include "core/sweep/paper_sweeps.hpp"

namespace pivotscope {
namespace {

constexpr const char* usual_load = "keys=2^26 distribution=uniform lookups=2^27";

sweep made_of(std::string name, std::string sentence, const char* source, const sweep_grid& grid, sweep_plot plot,
              std::string saw) {
  plot.ticks = words_of(grid.ticks);
  return {.name = std::move(name),
          .sentence = std::move(sentence),
          .source = fmt::format("short, {}", source),
          .rows = rows_of(grid),
          .plot = std::move(plot),
          .saw = std::move(saw)};
}

std::vector<grid_tick> threads_ticks() {
  std::vector<grid_tick> ticks;
  for (const u32 threads : {1024u, 512u, 256u, 128u, 64u})
    ticks.push_back({.words = fmt::format("{}", threads), .config = fmt::format("threads={}", threads)});
  return ticks;
}

// What the paper draws across its plots.
std::vector<grid_series> with_levels(std::vector<grid_series> series) {
  series.push_back(as_level(open_table("HT", {50, 80})));
  for (grid_series& one : both_trees()) series.push_back(as_level(std::move(one)));
  return series;
}
std::string pinned(const char* how) { return fmt::format("pin={} {}", how, papers_scratch); }

std::vector<grid_series> optimised(const std::string& line) {
  return {{"lookups reordered", {line + " reorder=lookup"}},
          {"reordered twice", {line + " reorder=double"}},
          {"all optimisations", {fmt::format("{} reorder=double {}", line, pinned("full"))}}};
}

// Figures 11 to 13 are of one measurement.
sweep comparison(std::string name, std::string sentence, const char* source, plot_y y, std::string saw) {
  sweep_grid grid{"distribution=uniform lookups=2^27",
                  keys_ticks(15, 28),
                  {open_table("HT", {50, 80}),
                   {"BS", {"AO+BS"}},
                   {"BS, optimised", best_of("AO+BS").configs},
                   {"KS", {"AO+PB+KS fanout=17", "AO+PB+KS fanout=17 threads=512 per_thread=2"}}}};
  for (grid_series& one : both_trees()) grid.series.push_back(std::move(one));
  sweep made = made_of(std::move(name), std::move(sentence), source, grid,
                       {.x_words = "keys", .x = plot_x::keys, .y = y, .log_y = true}, std::move(saw));
  if (made.name != "short-11") made.rows_of = "short-11";
  return made;
}

}  // namespace

std::vector<sweep> short_sweeps() {
  std::vector<sweep> all;
  all.push_back(made_of(
      "short-4", "BS: schedule by threads a block", "Section 4.1, Figure 4",
      {usual_load, threads_ticks(), with_levels({{"dynamic", {"AO+BS {}"}}, {"static", {"AO+BS {} schedule=static"}}})},
      {.x_words = "threads a block"},
      "With the dynamic schedule the block hardly matters; with the static one 256 threads are the "
      "best, and better than "
      "that: more of them evict each other's lines."));
  all.push_back(made_of("short-6", "BS: pinning by threads a block", "Section 4.2, Figure 6",
                        {usual_load, threads_ticks(),
                         with_levels({{"none", {"AO+BS {} schedule=static"}},
                                      {"steps pinned", {"AO+BS {} schedule=static " + pinned("steps")}},
                                      {"fully pinned", {"AO+BS {} schedule=static " + pinned("full")}}})},
                        {.x_words = "threads a block"},
                        "Both kinds of pinning help, more so with few threads a block; 256 threads stay the best."));
  sweep_grid reordering{usual_load, papers_blocks(), optimised("AO+BS {} schedule=static")};
  reordering.series.push_back(as_level({"BS, not optimised", {"AO+BS"}}));
  reordering.series = with_levels(std::move(reordering.series));
  all.push_back(
      made_of("short-8", "BS: reordering by block", "Section 4.3, Figure 8", reordering,
              {.x_words = "threads a block / lookups a thread"},
              "Reordering helps most where a block has many lookups and few threads; 128/8 with all optimisations "
              "is as fast as a half full B+."));
  sweep_grid of_ks{usual_load, papers_blocks(), {{"none", {"AO+PB+KS {} fanout=17"}}}};
  of_ks.series.push_back({"steps pinned", {"AO+PB+KS {} fanout=17 " + pinned("steps")}});
  of_ks.series.push_back({"fully pinned", {"AO+PB+KS {} fanout=17 " + pinned("full")}});
  for (grid_series& one : optimised("AO+PB+KS {} fanout=17")) of_ks.series.push_back(std::move(one));
  of_ks.series = with_levels(std::move(of_ks.series));
  all.push_back(
      made_of("short-10", "KS of K = 17: the optimisations of BS by block", "Section 5.1, Figure 10", of_ks,
              {.x_words = "threads a block / lookups a thread"},
              "512/2 is the best block, and no optimisation makes it faster: what lies together is loaded together "
              "already. Without any, KS is far ahead of B+."));
  all.push_back(
      comparison("short-11", "lookups by n", "Section 5.2, Figure 11", plot_y::batch_ms,
                 "Optimised BS is faster than BS everywhere and than B+ up to about 2^25 keys; KS is the fastest "
                 "index with an order, and only HT is faster."));
  all.push_back(comparison("short-12", "bytes by n", "Section 5.2, Figure 12", plot_y::bytes,
                           "BS and optimised BS take the same, KS about 3.1% more, and HT and B+ much more."));
  all.push_back(comparison("short-13", "building by n", "Section 5.2, Figure 13", plot_y::build_ms,
                           "KS takes slightly longer to build than BS, and HT takes longer than both."));
  return all;
}

}  // namespace pivotscope
