// The hash join (gph, Section 7.3): a table is built on R, and each key of S is looked up in it. A lookup gives one row of R,
// which is all where R's keys are unique. Of an R with duplicates all rows are wanted: they are counted, and then written.
#include "core/sweep/gph_joins.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/sweep/gph_tables.hpp"

namespace pivotscope {
namespace {

constexpr const char* unique_r = "keys=2^24 distribution=uniform";
constexpr const char *crystal = "HT+OA lanes=1 window=1 probing=linear load=50",
                     *all_kept = "HT+BUCKET load=100 duplicates=on";

// |S| in |R|, by powers of two.
std::vector<grid_tick> ticks_of_s(u32 least_bits, u32 most_bits) {
  std::vector<grid_tick> ticks;
  for (u32 bits = least_bits; bits <= most_bits; ++bits)
    ticks.push_back({.words = fmt::format("{} |R|", 1u << bits), .load = fmt::format("lookups=2^{}", 24 + bits)});
  return ticks;
}
constexpr const char* s_words = "keys of S, R being 2^24";

// Crystal's table is filled by a thread a pair, and probed one slot after the other.
sweep join_by_table() {
  const sweep_grid grid{unique_r,
                        ticks_of_s(2, 6),
                        {{"HT (open), linear", {crystal}},
                         {"HT (open), best of four",
                          {"HT+OA lanes=1 window=4 load=50", "HT+OA lanes=2 window=8 load=50",
                           "HT+OA lanes=4 window=8 load=50", "HT+OA lanes=8 window=8 load=50"}},
                         {"GPH", {fmt::format("{} load=50", papers_gph)}},
                         {"GPH, 8 slots", {"GPH lanes=4 bucket=8 load=50", "GPH lanes=4 bucket=8 load=50 reads=kept"}},
                         {"HT+CUCKOO", {"HT+CUCKOO lanes=2 bucket=8 homes=3 load=50"}},
                         {"HT+BUCKET", {"HT+BUCKET load=100"}},
                         {"AO+PB+KS", {"AO+PB+KS"}},
                         {"PACKED", {"PACKED"}}}};
  return gph_sweep("gph-12", "a hash join: a table of R is built, and each key of S looked up",
                   "Section 7.3, Figure 12", grid, {.x_words = s_words, .y = plot_y::build_and_batch_ms},
                   "GPH in Crystal's place is ahead from 8 lookups an insert on, and the more so the more there are: "
                   "of its time building is 94% at |S| = |R|, and 20% at 64 |R|.");
}

sweep parts_of_join() {
  const sweep_grid grid{
      unique_r, ticks_of_s(0, 6), {{"HT (open), linear", {crystal}}, {"GPH", {fmt::format("{} load=50", papers_gph)}}}};
  return gph_sweep("gph-12b", "a hash join: what of its time is building", "Section 7.3, Figure 12(b)", grid,
                   {.x_words = s_words, .y = plot_y::join_parts},
                   "Of GPH's time building is 94% at |S| = |R|, and 20% at 64 |R|.");
}

// |S| = |R|, whose rows share fewer values the more of them each has. The tables are those that keep all rows of a key. One
// line asks for one row of each key of S, and another for all.
sweep join_of_duplicates() {
  std::vector<grid_tick> ticks;
  for (const u32 repeat : {1u, 2u, 4u, 8u, 16u})
    ticks.push_back({.words = fmt::to_string(repeat), .load = fmt::format("repeat={}", repeat)});
  const auto tables = [](const char* rows) {
    const auto named = [&](const char* table) { return fmt::format("{}, {}", table, rows); };
    return std::vector<grid_series>{
        {named("HT+BUCKET"), {all_kept}}, {named("AO+PB+KS"), {"AO+PB+KS"}}, {named("PACKED"), {"PACKED"}}};
  };
  const sweep_grid one_row{"keys=2^24 distribution=duplicates lookups=2^24", ticks, tables("one row")},
      all_rows{"keys=2^24 distribution=duplicates lookups=0 matches=2^24", ticks, tables("all rows")};
  sweep made = gph_sweep("gph-12-matches", "a hash join whose R has duplicates: one row for each key of S, or all",
                         "Section 7.3; the duplicates are ours", one_row,
                         {.x_words = "rows of a value of R, on average", .y = plot_y::join_ms},
                         "Nothing of this: the keys of its R are unique.");
  for (sweep_row& row : rows_of(all_rows)) made.rows.push_back(std::move(row));
  // Rows over the same keys lie together.
  std::stable_sort(made.rows.begin(), made.rows.end(),
                   [](const sweep_row& a, const sweep_row& b) { return a.tick < b.tick; });
  return made;
}

sweep parts_of_duplicates() {
  sweep made = join_of_duplicates();
  made.name = "gph-12-parts", made.rows_of = "gph-12-matches";
  made.sentence = "a hash join whose R has duplicates: building, probing, and writing all rows";
  made.plot->y = plot_y::join_parts;
  return made;
}

}  // namespace

std::vector<sweep> gph_joins() {
  std::vector<sweep> all;
  all.push_back(join_by_table());
  all.push_back(parts_of_join());
  all.push_back(join_of_duplicates());
  all.push_back(parts_of_duplicates());
  return all;
}

}  // namespace pivotscope
