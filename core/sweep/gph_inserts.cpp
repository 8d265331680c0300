// What decides how GPH's inserts go (gph, Section 7.4, Figure 15): its knobs R and M, the bytes of a pair, and skew.
#include "core/sweep/gph_inserts.hpp"

#include <fmt/format.h>

#include "core/sweep/gph_tables.hpp"

namespace pivotscope {
namespace {

// R virtual buckets of M slots have room for the keys of a cell, or they have not: a cell of 13 keys never fits two buckets
// of four. What finds no place is spilled, and so the table grows. Its load factor is by its bytes, of all its parts.
sweep by_shape() {
  sweep_grid grid{"keys=5e7 distribution=uniform lookups=1e8 hits=0.5",
                  {},
                  {{"load 70", {"GPH lanes=4 {} bits=8 per_cell=13 load=70"}},
                   {"load 95", {"GPH lanes=4 {} bits=8 per_cell=13 load=95"}},
                   {"load 95, 4 keys a cell", {"GPH lanes=4 {} bits=8 per_cell=4 load=95"}}}};
  for (const u32 virtuals : {2u, 4u, 8u})
    for (const u32 slots : {4u, 8u, 16u})
      grid.ticks.push_back({.words = fmt::format("{} x {}", virtuals, slots),
                            .config = fmt::format("virtuals={} bucket={}", virtuals, slots)});
  return gph_sweep("gph-15a", "the load factor that GPH reaches, by virtual buckets of a cell and slots of a bucket",
                   "Section 7.4, Figure 15(a)", grid, {.x_words = "R x M", .y = plot_y::load_factor},
                   "Both R and M decide how full the table gets.");
}

// The same tables by what they cost.
sweep by_shape_as(const char* name, const char* sentence, plot_y y) {
  sweep made = by_shape();
  made.name = name, made.sentence = sentence, made.rows_of = "gph-15a";
  made.plot->y = y;
  return made;
}

// By the bytes of a pair: a key of 32 bits and its row id; a key of 64 bits, its row id and as many bytes that nobody reads.
sweep by_pair_bytes() {
  sweep_grid grid{
      "keys=1e8 distribution=uniform lookups=2^20",
      {{.words = "8 bytes"}, {.words = "16 bytes"}},
      {{"GPH", {fmt::format("{} {{}} load=53", papers_gph)}}, {"GPH, 8 slots", {"GPH lanes=4 bucket=8 {} load=53"}}}};
  sweep made =
      gph_sweep("gph-15b", "building by the bytes of a pair", "Section 7.4, Figure 15(b)", grid,
                {.x_words = "a key and its value", .y = plot_y::build_rate},
                "Pairs of 4 bytes go in 46.8% faster than those of 8, pairs of 16 bytes 38.4% slower: bytes cost.");
  for (sweep_row& row : made.rows)
    if (row.tick == 1u) row.width = key_width::u64;
  made.missing = {{"4 bytes", "a key of 32 bits and a row id take 8"}};
  return made;
}

// Records by Zipf's law: with s = 0 almost two in three share their key with another, with s = 4 nine in ten have the same
// one. A record whose key is there takes its row id's place.
sweep by_skew() {
  sweep_grid grid{"keys=5e7 distribution=zipf lookups=2^20",
                  {},
                  {{"GPH", {fmt::format("{} load=53", papers_gph)}},
                   {"GPH, 8 slots", {"GPH lanes=4 bucket=8 load=53"}},
                   {"HT (open)", {fmt::format("{} load=53", warpcore)}},
                   {"HT+CUCKOO", {"HT+CUCKOO lanes=2 bucket=8 homes=3 load=53"}}}};
  for (const u32 s : {0u, 1u, 2u, 3u, 4u})
    grid.ticks.push_back({.words = fmt::to_string(s), .load = fmt::format("exponent={}", s)});
  return gph_sweep("gph-15c", "building by the records' skew", "Section 7.4, Figure 15(c)", grid,
                   {.x_words = "exponent of Zipf's law, of 5e7 records", .y = plot_y::build_rate},
                   "GPH inserts skewed records faster: one whose key is there overwrites it, and moves nothing.");
}

}  // namespace

std::vector<sweep> gph_inserts() {
  std::vector<sweep> all;
  all.push_back(by_shape());
  all.push_back(by_shape_as("gph-15a-builds", "building GPH, by virtual buckets of a cell and slots of a bucket",
                            plot_y::build_rate));
  all.push_back(by_shape_as("gph-15a-lookups", "lookups in GPH, by virtual buckets of a cell and slots of a bucket",
                            plot_y::rate));
  all.push_back(by_pair_bytes());
  all.push_back(by_skew());
  return all;
}

}  // namespace pivotscope
