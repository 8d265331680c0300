// "GPH: An Efficient and Effective Perfect Hashing Scheme for GPU Architectures" on a V100S of 6 MB of L2: 1e8 random pairs
// of 8 bytes and 2e8 lookups, in tables of 1.25 to 2 GB (Section 7.1). Of its four tables the one with open addressing is here.
#include <fmt/format.h>

#include "core/sweep/paper_series.hpp"
#include "core/sweep/paper_sweeps.hpp"

namespace pivotscope {
namespace {

constexpr const char* usual_load = "keys=1e8 distribution=uniform lookups=2e8";

// WarpCore as the paper ran it, and the best of ours beside it; "{}" where the tick's part stands.
std::vector<grid_series> tables(const std::string& load) {
  const auto line = [&](const char* lanes) { return fmt::format("HT+OA {} probing=double {}", lanes, load); };
  return {{"HT (open)", {line("lanes=8 window=8")}},
          {"HT (open), best of four",
           {line("lanes=1 window=4"), line("lanes=2 window=8"), line("lanes=4 window=8"), line("lanes=8 window=8")}}};
}

sweep made_of(std::string name, std::string sentence, const char* source, const sweep_grid& grid, sweep_plot plot,
              std::string saw) {
  constexpr const char* no_cuckoo = "cuckoo hashing is not built here yet";
  plot.ticks = words_of(grid.ticks);
  return {.name = std::move(name),
          .sentence = std::move(sentence),
          .source = fmt::format("gph, {}", source),
          .rows = rows_of(grid),
          .plot = std::move(plot),
          .missing = {{"CUDPP", no_cuckoo},
                      {"DyCuckoo", no_cuckoo},
                      {"GPH", "perfect hashing on a GPU is not built here yet"}},
          .saw = std::move(saw)};
}

// Pairs take 0.8 GB.
sweep_grid by_size() {
  sweep_grid grid{fmt::format("{} hits=0.5", usual_load), {}, tables("{}")};
  for (const auto& [gigabytes, percent] : {std::pair("1.25", 64), {"1.5", 53}, {"1.75", 46}, {"2", 40}})
    grid.ticks.push_back(
        {.words = fmt::format("{} GB: {}%", gigabytes, percent), .config = fmt::format("load={}", percent)});
  return grid;
}

sweep by_hits() {
  sweep_grid grid{usual_load, {}, tables("load=53")};
  for (const u32 percent : {0u, 25u, 50u, 75u, 100u})
    grid.ticks.push_back({.words = fmt::format("{}%", percent), .load = fmt::format("hits={}", percent / 100.0)});
  return made_of(
      "gph-10", "lookups by how many of them hit, in a table of 1.5 GB", "Section 7.2, Figure 10", grid,
      {.x_words = "lookups that hit", .y = plot_y::rate},
      "All are the faster the more lookups hit. Where none does, no table but GPH reaches 5000 MOPS, and GPH has "
      "over 8500; it is up to 2.11 times as fast as CUDPP, 3.63 times as DyCuckoo, 2.52 times as WarpCore.");
}

// Crystal's join builds a table of R, one thread a pair and linear probing, and looks each key of S up in it.
sweep by_join() {
  sweep_grid grid{"keys=2^24 distribution=uniform",
                  {},
                  {{"HT (open), linear", {"HT+OA lanes=1 window=1 probing=linear load=50"}},
                   {"HT (open), best of four",
                    {"HT+OA lanes=1 window=4 load=50", "HT+OA lanes=2 window=8 load=50",
                     "HT+OA lanes=4 window=8 load=50", "HT+OA lanes=8 window=8 load=50"}}}};
  for (u32 bits = 2; bits <= 6; ++bits)
    grid.ticks.push_back({.words = fmt::format("{} |R|", 1u << bits), .load = fmt::format("lookups=2^{}", 24 + bits)});
  sweep made =
      made_of("gph-12", "a hash join: a table of R is built, and each key of S looked up", "Section 7.3, Figure 12",
              grid, {.x_words = "keys of S, R being 2^24", .y = plot_y::build_and_batch_ms},
              "GPH in Crystal's place is ahead from 8 lookups an insert on, and the more so the more there are: "
              "of its time building is 94% at |S| = |R|, and 20% at 64 |R|.");
  made.missing = {{"GPH", "perfect hashing on a GPU is not built here yet"}};
  return made;
}

}  // namespace

std::vector<sweep> gph_sweeps() {
  constexpr const char* size_words = "bytes of the table of 1e8 pairs: its load";
  std::vector<sweep> all;
  all.push_back(
      made_of("gph-9", "lookups by the table's size, half of them hits", "Section 7.2, Figure 9", by_size(),
              {.x_words = size_words, .y = plot_y::rate},
              "GPH is the fastest, and the only one over 8000 MOPS everywhere: on average 1.74 to 2.29 times as "
              "fast as CUDPP, 3.82 to 3.88 times as DyCuckoo, 1.75 to 2.78 times as WarpCore, by the data. The "
              "others gain with the size, since a vacant slot ends a lookup."));
  all.push_back(by_hits());
  all.push_back(by_join());
  all.push_back(made_of("gph-14", "building by the table's size", "Section 7.4, Figure 14", by_size(),
                        {.x_words = size_words, .y = plot_y::build_rate},
                        "GPH inserts slower than the other tables, as it moves pairs and waits for locks, but over 100 "
                        "million a second."));
  all.back().rows_of = "gph-9";
  return all;
}

}  // namespace pivotscope
