// "More Bang For Your Buck(et): Fast and Space-efficient Hardware-accelerated Coarse-granular Indexing on GPUs" on an RTX 4090:
// 2^26 keys and 2^27 lookups unless a figure says otherwise (Section 5.1). The paper's cgRX is the optimised scene,
// scaled, over packed rows that are searched by halves; here its rays go through our own hierarchy of boxes.
#include <fmt/format.h>

#include <algorithm>

#include "core/sweep/paper_series.hpp"
#include "core/sweep/paper_sweeps.hpp"

namespace pivotscope {
namespace {

constexpr const char* usual_load = "keys=2^26 lookups=2^27 distribution=mix";
constexpr const char* uniform_words = "keys that are uniform; the others are dense";

sweep cgrx_sweep(std::string name, std::string sentence, const char* source, const sweep_grid& grid, sweep_plot plot,
                 std::string saw) {
  plot.ticks = words_of(grid.ticks);
  return {.name = std::move(name),
          .sentence = std::move(sentence),
          .source = fmt::format("cgrx, {}", source),
          .rows = rows_of(grid),
          .plot = std::move(plot),
          .saw = std::move(saw)};
}

// The same rows, drawn otherwise.
sweep drawn_as(sweep made, const char* name, std::string sentence, const char* source, plot_y y, std::string saw) {
  made.rows_of = made.measured_as();
  made.name = name, made.sentence = std::move(sentence), made.source = fmt::format("cgrx, {}", source);
  made.plot->y = y, made.saw = std::move(saw);
  return made;
}

void set_width(sweep& of, key_width width) {
  for (sweep_row& row : of.rows) row.width = width;
}

// Small blocks, as some lookups have many more rays than others, and a block waits for its last. "{}" stands where the tick's
// part does.
grid_series by_rays(std::string name, const std::string& line) { return {std::move(name), {line + " threads=128"}}; }
grid_series papers_cgrx(u32 bucket) {
  return by_rays(fmt::format("cgRX, {}", bucket), fmt::format("CGRX layout=packed bucket={}", bucket));
}
grid_series rx_series() { return by_rays("RX", "RX"); }

std::vector<grid_tick> uniformity_ticks(const std::vector<u32>& percents) {
  std::vector<grid_tick> ticks;
  ticks.reserve(percents.size());
  for (const u32 percent : percents)
    ticks.push_back({.words = fmt::format("{}%", percent), .load = fmt::format("uniformity={}", percent / 100.0)});
  return ticks;
}

// The paper's rivals: WarpCore's table at a load of 80%, Awad's tree, binary search over a sorted array. And the fastest of the
// lightweight methods, which that paper did not have.
std::vector<grid_series> compared(const std::vector<u32>& buckets) {
  std::vector<grid_series> series;
  series.reserve(buckets.size() + 6);
  for (const u32 bucket : buckets) series.push_back(papers_cgrx(bucket));
  // Rows and planes so far apart that boxes hold one each, in large buckets: the best of ours.
  series.push_back(by_rays("cgRX, 256, rows apart", "CGRX layout=packed bucket=256 y_scale=23 z_scale=46"));
  series.push_back(rx_series());
  series.push_back(tree("B+", {50, 100}));
  series.push_back({"SA", {"AO+BS"}});
  series.push_back({"AO+PB+KS", {"AO+PB+KS"}});
  return series;
}
std::vector<grid_series> compared_with_table(const std::vector<u32>& buckets) {
  std::vector<grid_series> series = compared(buckets);
  series.insert(series.begin() + static_cast<std::ptrdiff_t>(buckets.size()) + 2, open_table("HT", {80}));
  return series;
}

// Both forms of the scene for four sizes of a bucket, over 32-bit and 64-bit keys.
sweep by_form(const char* name, const char* sentence, const char* source, const char* scales, std::string saw) {
  sweep_grid grid{usual_load, {}, {}};
  for (const char* width : {"32", "64"})
    for (const u32 percent : {0u, 50u, 100u})
      grid.ticks.push_back({.words = fmt::format("{} bits, {}%", width, percent),
                            .load = fmt::format("uniformity={}", percent / 100.0)});
  for (const char* form : {"naive", "optimised"})
    for (const u32 bucket : {4u, 16u, 256u, 65536u})
      grid.series.push_back(
          {fmt::format("{}, {}", form, bucket),
           {fmt::format("CGRX layout=packed form={} bucket={} {} threads=128", form, bucket, scales)}});
  sweep made = cgrx_sweep(name, sentence, source, grid,
                          {.x_words = "bits of a key; keys that are uniform", .y = plot_y::batch_ms, .log_y = true},
                          std::move(saw));
  for (sweep_row& row : made.rows)
    if (row.tick >= 3u) row.width = key_width::u64;
  return made;
}

// How a bucket lies in memory, and how it is searched. One by one is of no use in buckets of 65536, and refused there.
sweep by_bucket_search() {
  const auto grid_of = [](const char* search, const std::vector<u32>& buckets) {
    sweep_grid grid{fmt::format("{} uniformity=1", usual_load), {}, {}};
    for (const u32 bucket : buckets)
      grid.ticks.push_back({.words = fmt::to_string(bucket), .config = fmt::format("bucket={}", bucket)});
    for (const char* layout : {"column", "aligned", "packed"})
      grid.series.push_back({fmt::format("{}, {}", search, layout),
                             {fmt::format("CGRX {{}} search={} layout={} threads=128", search, layout)}});
    return grid;
  };
  sweep made = cgrx_sweep("cgrx-t1", "lookups by how a bucket lies in memory and is searched, of 64-bit keys",
                          "Section 5.3, Table 1", grid_of("binary", {4, 16, 256, 65536}),
                          {.x_words = "entries of a bucket", .y = plot_y::batch_ms, .log_y = true},
                          "By halves is never slower than entry by entry, and packed rows are the fastest: 95.5 ms in "
                          "buckets of 4, 102.8 of 16, 110.5 of 256, 121.3 of 65536.");
  for (sweep_row& row : rows_of(grid_of("linear", {4, 16, 256}))) made.rows.push_back(std::move(row));
  // Rows over the same keys lie together.
  std::stable_sort(made.rows.begin(), made.rows.end(),
                   [](const sweep_row& a, const sweep_row& b) { return a.tick < b.tick; });
  made.missing = {{"linear at 65536", "a lookup would read 32768 entries"}};
  set_width(made, key_width::u64);
  return made;
}

// Sizes of a bucket by powers of two: 64-bit keys of which none, half and all are uniform.
sweep_grid by_bucket_size() {
  sweep_grid grid{usual_load, {}, {}};
  for (u32 bits = 1; bits <= 16; ++bits)
    grid.ticks.push_back({.words = fmt::format("2^{}", bits), .config = fmt::format("bucket={}", 1u << bits)});
  return grid;
}
sweep by_bucket(const char* name, const char* sentence, const char* source, plot_y y, std::string saw) {
  sweep made = cgrx_sweep(name, sentence, source, by_bucket_size(),
                          {.x_words = "entries of a bucket", .y = y, .log_y = true}, std::move(saw));
  for (const u32 percent : {0u, 50u, 100u}) {
    sweep_grid grid = by_bucket_size();
    grid.load += fmt::format(" uniformity={}", percent / 100.0);
    grid.series = {by_rays(fmt::format("cgRX, {}% uniform", percent), "CGRX layout=packed {}")};
    for (sweep_row& row : rows_of(grid)) made.rows.push_back(std::move(row));
  }
  // RX has no buckets.
  sweep_grid fine = by_bucket_size();
  fine.load += " uniformity=1";
  fine.series = {as_level(by_rays("RX, 100% uniform", "RX"))};
  for (sweep_row& row : rows_of(fine)) made.rows.push_back(std::move(row));
  set_width(made, key_width::u64);
  return made;
}
// The stages of the build, and rays and buckets of the lookups.
sweep by_part() {
  sweep_grid grid = by_bucket_size();
  grid.load += " uniformity=1";
  grid.series = {by_rays("cgRX", "CGRX layout=packed {}")};
  sweep made =
      cgrx_sweep("cgrx-10a-parts", "what building cgRX's scene is made of, by its buckets, of uniform 64-bit keys",
                 "Section 5.4, Figure 10(a)", grid, {.x_words = "entries of a bucket", .y = plot_y::scene_parts},
                 "Most of it is the hierarchy of boxes, and that halves when a bucket doubles: 98 to 134 ms in all at "
                 "buckets of 2, "
                 "less than 20 from 256 on.");
  made.rays = true;
  set_width(made, key_width::u64);
  return made;
}

sweep by_uniformity() {
  const sweep_grid grid{usual_load, uniformity_ticks({0, 25, 50, 75, 100}), compared_with_table({4, 16, 64, 256})};
  return cgrx_sweep(
      "cgrx-11a", "bytes of an index of 32-bit keys, by how many keys are uniform", "Section 6.1, Figure 11(a)", grid,
      {.x_words = uniform_words, .y = plot_y::bytes, .log_y = true},
      "RX takes 2.2 to 2.6 GiB, B+ 1.1, and cgRX 1.0 in buckets of 4; in buckets of 16 it takes as much as "
      "HT, and of 64 hardly more than SA.");
}

sweep by_range() {
  sweep_grid grid{"keys=2^23 distribution=dense lookups=0 ranges=2^22", {}, compared({4, 16, 64, 256})};
  for (u32 bits = 0; bits <= 10; ++bits)
    grid.ticks.push_back({.words = fmt::format("2^{}", bits), .load = fmt::format("range_hits=2^{}", bits)});
  for (grid_series& one : grid.series)
    if (one.name == "AO+PB+KS") one.configs.push_back("AO+PB+KS scan=cooperative");
  return cgrx_sweep("cgrx-12", "ranges of dense 32-bit keys by their entries: what an entry takes",
                    "Section 6.2, Figure 12", grid,
                    {.x_words = "entries of a range", .x = plot_x::range_entries, .y = plot_y::entry_ns, .log_y = true},
                    "cgRX is ahead of RX and SA from two entries on: a lookup, and then a scan. At 4 entries the best "
                    "takes half of RX's time and 1.15 times B+'s, which adds up by the whole warp.");
}

sweep by_hits() {
  sweep_grid grid{"keys=2^26 lookups=2^27 distribution=uniform", {}, compared_with_table({16, 64, 256})};
  for (const u32 percent : {100u, 75u, 50u, 25u, 0u})
    grid.ticks.push_back({.words = fmt::format("{}%", percent),
                          .load = percent == 100 ? "hits=1" : fmt::format("hits={} misses=inside", percent / 100.0)});
  for (const u32 percent : {50u, 0u})
    grid.ticks.push_back({.words = fmt::format("{}%, misses outside", percent),
                          .load = fmt::format("hits={} misses=outside", percent / 100.0)});
  return cgrx_sweep(
      "cgrx-13", "lookups by how many of them hit, and where misses lie", "Section 6.3, Figure 13", grid,
      {.x_words = "lookups that hit", .y = plot_y::batch_ms},
      "RX gains much from misses, as no box has them; cgRX gains nothing inside the range of its keys, since it "
      "finds a representative for each, and much outside.");
}

sweep by_skew() {
  sweep_grid grid{"keys=2^26 lookups=2^27 distribution=uniform", {}, compared_with_table({16, 64, 256})};
  for (const char* s : {"0", "0.25", "0.5", "0.75", "1", "2", "3", "5"})
    grid.ticks.push_back({.words = s,
                          .load = std::string_view(s) == "0" ? std::string("popularity=uniform")
                                                             : fmt::format("popularity=zipf exponent={}", s)});
  return cgrx_sweep(
      "cgrx-14", "lookups by their skew", "Section 6.4, Figure 14", grid,
      {.x_words = "exponent of Zipf's law", .y = plot_y::batch_ms, .log_y = true},
      "Skew makes lookups faster, since caches hold what is asked for; but for B+, which waits for divergent "
      "addresses.");
}

// Eight waves of inserts and eight of erases, over 64-bit keys: 2.2 times as many entries in the middle. Each row's script is
// all waves up to its own. Rebuilding is a build of the entries that there are then.
sweep_grid by_wave(const char* lookups) {
  constexpr u64 first = u64{1} << 26, wave = 3 * first / 20;
  sweep_grid grid{fmt::format("distribution=uniform {}", lookups), {}, {}};
  for (u64 w = 1; w <= 16; ++w) {
    const u64 inserts = std::min<u64>(w, 8) * wave, erases = w > 8 ? (w - 8) * wave : 0;
    grid.ticks.push_back({.words = fmt::format("{}{}", w > 8 ? "-" : "+", w > 8 ? w - 8 : w),
                          .load = fmt::format("keys={} inserts={} erases={} batch={}", first, inserts, erases, wave)});
  }
  return grid;
}
// Batches of inserts that are so many of 10,000 keys: from where on building anew is as fast.
sweep_grid by_share(const char* lookups) {
  constexpr u64 keys = u64{1} << 26;
  sweep_grid grid{fmt::format("distribution=uniform {}", lookups), {}, {}};
  for (const u32 of_10000 : {1u, 10u, 50u, 100u, 200u, 500u, 1000u, 1500u})
    grid.ticks.push_back({.words = fmt::format("{}%", of_10000 / 100.0),
                          .load = fmt::format("keys={} inserts={}", keys, keys * of_10000 / 10000)});
  return grid;
}

// What a grid's scripts change, beside a build of the entries that there are then.
sweep beside_rebuilds(const char* name, const char* sentence, const char* source, sweep_grid changed, sweep_plot plot,
                      std::string saw) {
  sweep_grid built = changed;
  changed.series = {by_rays("CGRX+NODES, 32", "CGRX+NODES node=32")};
  built.series = {papers_cgrx(16)};
  built.load = "distribution=uniform";
  built.series[0].name = "cgRX, 16, rebuilt";
  for (grid_tick& tick : built.ticks) {
    const workload of = *workload_from_line(tick.load);
    tick.load = fmt::format("keys={} lookups={}", of.keys + of.recipe.inserts - of.recipe.erases,
                            plot.y == plot_y::wave_ms ? "2^20" : "2^27");
  }
  sweep made = cgrx_sweep(name, sentence, source, changed, std::move(plot), std::move(saw));
  for (sweep_row& row : rows_of(built)) made.rows.push_back(std::move(row));
  set_width(made, key_width::u64);
  return made;
}
sweep by_waves(const char* name, const char* sentence, const char* source, const char* lookups, plot_y y,
               std::string saw) {
  return beside_rebuilds(name, sentence, source, by_wave(lookups),
                         {.x_words = "waves of inserts, and then of erases", .y = y}, std::move(saw));
}

}  // namespace

std::vector<sweep> cgrx_sweeps() {
  std::vector<sweep> all;
  all.push_back(by_form(
      "cgrx-8a", "lookups by the form of the scene, unscaled", "Section 5.2, Figure 8(a)", "y_scale=0 z_scale=0",
      "64-bit keys of which half or all are uniform take seconds: boxes hold many rows, and the first ray "
      "is tested against the triangles of all."));
  all.push_back(by_form("cgrx-8b", "lookups by the form of the scene, scaled", "Section 5.2, Figure 8(b)",
                        "y_scale=15 z_scale=25",
                        "Far faster than unscaled. For 32-bit keys both forms are alike; for sparse 64-bit keys the "
                        "optimised one is ahead, the more so in small buckets, as it saves the second ray along x."));
  all.push_back(by_bucket_search());
  all.push_back(by_bucket("cgrx-10a", "sorting and building by the entries of a bucket, of 64-bit keys",
                          "Section 5.4, Figure 10(a)", plot_y::build_ms,
                          "98 to 134 ms at buckets of 2, less than 20 from 256 on, and nearly always less than RX."));
  const sweep builds = all.back(), parts = by_part();
  all.push_back(parts);
  all.push_back(
      drawn_as(builds, "cgrx-10b", "lookups by the entries of a bucket, of 64-bit keys", "Section 5.4, Figure 10(b)",
               plot_y::batch_ms,
               "Larger buckets make rays faster and searches slower; where the least time lies depends on the "
               "keys. 16 is middle of the road everywhere."));
  all.push_back(
      drawn_as(parts, "cgrx-10b-parts", "lookups: rays, and what follows, by the entries of a bucket",
               "Section 5.4, Figure 10(b)", plot_y::lookup_parts,
               "Rays take less time in a smaller scene, and the search of a bucket more; writing answers takes "
               "the same everywhere."));
  const sweep bytes = by_uniformity();
  all.push_back(bytes);
  all.push_back(
      drawn_as(bytes, "cgrx-11b", "lookups of 32-bit keys, by how many keys are uniform", "Section 6.1, Figure 11(b)",
               plot_y::batch_ms,
               "HT takes about 25 ms, RX 60, B+ 65 and SA 125; cgRX is best in buckets of 16, where it almost "
               "reaches B+."));
  all.push_back(
      drawn_as(bytes, "cgrx-11c", "lookups a second and byte, by how many keys are uniform",
               "Section 6.1, Figure 11(c)", plot_y::rate_per_byte,
               "Of the indexes that have ranges cgRX is the best in buckets of 16, 64 and 256: 3 times RX, 1.75 "
               "times B+, 1.5 times SA. HT is ahead of all."));
  all.push_back(by_range());
  all.push_back(by_hits());
  all.push_back(by_skew());
  all.push_back(by_waves("cgrx-15a", "a wave of updates, and building anew in its place", "Section 6.5, Figure 15(a)",
                         "lookups=0", plot_y::wave_ms,
                         "Updates take up to 5.5 times less than a rebuild, and grow more slowly with the index."));
  all.push_back(by_waves("cgrx-15b", "lookups after each wave of updates", "Section 6.5, Figure 15(b)", "lookups=2^27",
                         plot_y::batch_ms,
                         "Chains cost little: lookups take somewhat longer than in a rebuilt index, also as not all "
                         "optimisations of the scene are in."));
  all.push_back(
      beside_rebuilds("cgrx-15c", "a batch of inserts by its size, and building anew in its place",
                      "Section 6.5, beside Figure 15(a)", by_share("lookups=0"),
                      {.x_words = "inserts of the batch, as a share of the keys", .y = plot_y::wave_ms, .log_y = true},
                      "Batches of 15% alone: they take up to 5.5 times less than a rebuild."));
  return all;
}

}  // namespace pivotscope
