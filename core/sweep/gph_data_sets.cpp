// Figures 9, 10 and 14 of gph over its other three data sets (Section 7.1). Their keys are hashed, so all that is left of the
// data is how many pairs there are, and how often each is looked up: from these two they are made.
#include "core/sweep/gph_data_sets.hpp"

#include <fmt/format.h>

#include "core/sweep/gph_tables.hpp"

namespace pivotscope {
namespace {

struct table_size {
  const char* gigabytes;
  u32 percent;  // the load of a table of so many bytes, rounded
};
struct data_set {
  const char *letter, *name, *load;
  std::vector<table_size> sizes;
  u32 usual_percent;  // the load in 1.5 GB
  std::vector<missing_series> missing = {};
};

// TaoBenchmark's 20% of keys are neighbours here, which a hash table does not notice.
std::vector<data_set> other_data_sets() {
  return {{"b",
           "Lineitem",
           "keys=100784453 distribution=uniform lookups=2e8",
           {{"1.25", 65}, {"1.5", 54}, {"1.75", 46}, {"2", 40}},
           54},
          {"c",
           "TaoBenchmark",
           "keys=165000000 distribution=uniform lookups=2e8 popularity=hot hot_keys=0.2 hot_lookups=0.8214",
           {{"1.5", 88}, {"1.75", 75}, {"2", 66}},
           88,
           {{"1.25 GB", "165 million pairs of 8 bytes take 1.32 GB"}}},
          {"d",
           "Reddit",
           "keys=54160677 distribution=uniform lookups=2e8",
           {{"1.25", 35}, {"1.5", 29}, {"1.75", 25}, {"2", 22}},
           29}};
}

// The paper's four, and one of ours.
std::vector<grid_series> tables_at(const std::string& load) {
  std::vector<grid_series> series;
  for (const auto& [name, line] : {std::pair("HT (open)", warpcore),
                                   {"DyCuckoo", dycuckoo},
                                   {"CUDPP", cudpp},
                                   {"GPH", papers_gph},
                                   {"GPH, 8 slots", "GPH lanes=4 bucket=8 reads=kept"}})
    series.push_back({name, {fmt::format("{} {}", line, load)}});
  return series;
}

// An open table has a least load (core/families/open_addressing/config.hpp), which stands where the paper's is less.
void fill_open_tables(sweep& made, const data_set& of) {
  constexpr u32 least = 30;
  bool some = false;
  std::vector<u32> percents = {of.usual_percent};
  for (const table_size& size : of.sizes) percents.push_back(size.percent);
  for (sweep_row& row : made.rows)
    for (const u32 percent : percents)
      if (percent < least && row.configs[0] == fmt::format("{} load={}", warpcore, percent))
        row.configs[0] = fmt::format("{} load={}", warpcore, least), some = true;
  if (some) made.missing.push_back({"HT (open) below 30%", "its least load is 30%, which stands there instead"});
}

sweep by_size(const data_set& of) {
  sweep_grid grid{fmt::format("{} hits=0.5", of.load), {}, tables_at("{}")};
  for (const table_size& size : of.sizes)
    grid.ticks.push_back({.words = fmt::format("{} GB: {}%", size.gigabytes, size.percent),
                          .config = fmt::format("load={}", size.percent)});
  const std::string source = fmt::format("Section 7.2, Figure 9({})", of.letter);
  sweep made = gph_sweep(fmt::format("gph-9{}", of.letter),
                         fmt::format("lookups by the table's size, half of them hits: {}, by its shape", of.name),
                         source.c_str(), grid, {.x_words = "bytes of the table: its load", .y = plot_y::rate},
                         "As over Random: GPH is the fastest, and over 8000 MOPS everywhere.");
  made.missing = of.missing;
  fill_open_tables(made, of);
  return made;
}

sweep by_hits(const data_set& of) {
  sweep_grid grid{of.load, {}, tables_at(fmt::format("load={}", of.usual_percent))};
  for (const u32 percent : {0u, 25u, 50u, 75u, 100u})
    grid.ticks.push_back({.words = fmt::format("{}%", percent), .load = fmt::format("hits={}", percent / 100.0)});
  const std::string source = fmt::format("Section 7.2, Figure 10({})", of.letter);
  sweep made = gph_sweep(
      fmt::format("gph-10{}", of.letter),
      fmt::format("lookups by how many of them hit, in a table of 1.5 GB: {}, by its shape", of.name), source.c_str(),
      grid, {.x_words = "lookups that hit", .y = plot_y::rate},
      *of.letter == 'c' ? "Where all hit CUDPP is a little faster than GPH: single slots of the keys that are "
                          "asked for most fit its caches."
                        : "As over Random: all gain with the hits, and GPH leads.");
  fill_open_tables(made, of);
  return made;
}

sweep building(const sweep& looked_up, const data_set& of) {
  sweep made = looked_up;
  made.name = fmt::format("gph-14{}", of.letter), made.rows_of = looked_up.name;
  made.sentence = fmt::format("building by the table's size: {}, by its shape", of.name);
  made.source = fmt::format("gph, Section 7.4, Figure 14({})", of.letter);
  made.plot->y = plot_y::build_rate;
  made.saw = "As over Random: GPH inserts slower than the others, and over 100 million a second.";
  return made;
}

}  // namespace

std::vector<sweep> gph_data_sets() {
  std::vector<sweep> all;
  for (const data_set& of : other_data_sets()) {
    const sweep looked_up = by_size(of);
    all.push_back(looked_up);
    all.push_back(by_hits(of));
    all.push_back(building(looked_up, of));
  }
  return all;
}

}  // namespace pivotscope
