// A sweep's plot: which dots there are, on which axes, and what of it an SVG has.
#include "core/sweep/sweep_svg.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/index/config_text.hpp"
#include "core/sweep/plot_lines.hpp"
#include "core/workload/host_memory.hpp"
#include "tests/app/given_machine.hpp"
#include "tests/support/golden.hpp"

namespace pivotscope {
namespace {

// A point of the row, whose runs took 1, 2, 3 and 4 times so many milliseconds.
sweep_point plotted_point(const sweep& of, std::string_view id, double ms) {
  sweep_point point{.row = *of.row(id), .machine = given_info(machine_kind::cuda)};
  point.ranking = {{.config = *config_from_line(point.row.configs.front()),
                    .index_bytes = 1 << 20,
                    .build_ms = 3,
                    .operations = 1000,
                    .samples_ms = {ms, 2 * ms, 3 * ms, 4 * ms},
                    .finalist = true}};
  point.sort_ms = 4;
  return point;
}

TEST(plot_lines, have_the_dots_of_their_series) {
  const sweep& of = **find_sweep("lightweight-1a");
  std::vector<sweep_point> points = {plotted_point(of, "AO+BS at 2^20", 2), plotted_point(of, "AO+BS at 2^15", 1),
                                     plotted_point(of, "HT (open) at 2^20", 3)};
  points.push_back({.row = *of.row("AO+BS at 2^21"), .problem = "no memory"});
  const std::vector<plot_line> lines = plot_lines(of, points);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].series, "HT (open)");
  EXPECT_TRUE(lines[1].dots.empty()) << "HT (buckets)";
  EXPECT_EQ(lines[2].series, "AO+BS");
  ASSERT_EQ(lines[2].dots.size(), 2u) << "what has no figures is not drawn";
  EXPECT_EQ(lines[2].dots[0].x, 1 << 15);
  EXPECT_EQ(lines[2].dots[1].x, 1 << 20);
  EXPECT_EQ(lines[2].dots[0].point, &points[1]);
  const plotted_value y = lines[2].dots[0].y;
  EXPECT_LE(y.low, y.value);
  EXPECT_LE(y.value, y.high);
  EXPECT_LT(y.low, y.high);
  EXPECT_FALSE(lines[2].level);
  const sweep& levels = **find_sweep("lightweight-15");
  points = {plotted_point(levels, "HT (open)", 2)};
  EXPECT_TRUE(plot_lines(levels, points).back().level);
}

TEST(plot_lines, have_one_dot_where_a_scale_made_counts_the_same) {
  const sweep& of = **find_sweep("lightweight-1a");
  std::vector<sweep_point> points;
  for (const char* id : {"AO+BS at 2^15", "AO+BS at 2^16", "AO+BS at 2^17"}) {
    points.push_back(plotted_point(of, id, 1));
    points.back().row = scaled(points.back().row, 16);
  }
  const std::vector<plot_line> lines = plot_lines(of, points);
  ASSERT_EQ(lines[2].dots.size(), 2u);
  EXPECT_EQ(lines[2].dots[0].x, 1);
  EXPECT_EQ(lines[2].dots[0].point, &points[1]) << "the last of them";
  EXPECT_EQ(lines[2].dots[1].x, 2);
}

TEST(plot_lines, know_every_value) {
  const sweep& of = **find_sweep("lightweight-1a");
  const sweep_point point = plotted_point(of, "AO+BS at 2^20", 2);
  EXPECT_DOUBLE_EQ(plotted(plot_y::batch_ms, point)->value, point.median_ms());
  EXPECT_DOUBLE_EQ(plotted(plot_y::rate, point)->value, point.best()->rate());
  EXPECT_DOUBLE_EQ(plotted(plot_y::rate_per_byte, point)->value, point.best()->rate() / (1 << 20));
  EXPECT_DOUBLE_EQ(plotted(plot_y::build_ms, point)->value, 7);
  EXPECT_DOUBLE_EQ(plotted(plot_y::bytes, point)->value, 1 << 20);
  EXPECT_DOUBLE_EQ(plotted(plot_y::build_ms, plotted_point(of, "HT (open) at 2^20", 2))->value, 3)
      << "nothing is sorted";
  const plotted_value together = *plotted(plot_y::build_and_batch_ms, point), batch = *plotted(plot_y::batch_ms, point);
  EXPECT_DOUBLE_EQ(together.value, 7 + batch.value);
  EXPECT_DOUBLE_EQ(together.low, 7 + batch.low);
  EXPECT_DOUBLE_EQ(together.high, 7 + batch.high);
  EXPECT_DOUBLE_EQ(plotted(plot_y::build_rate, point)->value, (1 << 20) / 7e-3) << "with the sort";
  EXPECT_DOUBLE_EQ(plotted(plot_y::build_rate, plotted_point(of, "HT (open) at 2^20", 2))->value, (1 << 20) / 3e-3);
  EXPECT_FALSE(plotted(plot_y::sectors, point)) << "not counted";
  sweep_point counted = point;
  counted.sectors = 6.5;
  EXPECT_DOUBLE_EQ(plotted(plot_y::sectors, counted)->value, 6.5);
  EXPECT_DOUBLE_EQ(plotted(plot_y::sectors, counted)->high, 6.5) << "of no runs";
  EXPECT_FALSE(plotted(plot_y::rate, {}));
}

// Of ranges: what an entry takes, of those that they ask for.
TEST(plot_lines, know_what_an_entry_of_a_range_takes) {
  const sweep& of = **find_sweep("cgrx-12");
  const sweep_point point = plotted_point(of, "RX at 2^3", 2);
  const double entries = (1 << 22) * 8.0;
  const plotted_value ns = *plotted(plot_y::entry_ns, point), ms = *plotted(plot_y::batch_ms, point);
  EXPECT_DOUBLE_EQ(ns.value, ms.value * 1e6 / entries);
  EXPECT_DOUBLE_EQ(ns.low, ms.low * 1e6 / entries);
  EXPECT_DOUBLE_EQ(ns.high, ms.high * 1e6 / entries);
  EXPECT_FALSE(plotted(plot_y::entry_ns, plotted_point(**find_sweep("cgrx-13"), "RX at 100%", 2))) << "lookups";
}

// A line a stage. Sorting is the first; a stage that a build does not have is no dot of its line.
TEST(plot_lines, know_the_stages_of_a_build) {
  const sweep& of = **find_sweep("cgrx-10a-parts");
  sweep_point point = plotted_point(of, "cgRX at 2^4", 2);
  point.ranking.front().build_stages = {{"build entries", 1.5}, {"bound groups", 0.25}};
  const auto stages = plot_y_parts(plot_y::scene_parts);
  ASSERT_EQ(stages.size(), 6u);
  const auto of_stage = [&](std::size_t i) {
    const auto value = plotted(plot_y::scene_parts, point, i);
    return value ? value->value : 0;
  };
  EXPECT_EQ(of_stage(0), *point.best_sort_ms());
  EXPECT_EQ(of_stage(1), 1.5);
  EXPECT_EQ(of_stage(2), 0);
  EXPECT_EQ(of_stage(5), 0.25);
  EXPECT_EQ(plot_lines(of, std::span(&point, 1)).size(), 6u);
  EXPECT_EQ(plot_lines(of, std::span(&point, 1))[5].series, "cgRX, bound groups");
}

TEST(plot_lines, know_what_a_gpu_counted) {
  const sweep& of = **find_sweep("gph-t2");
  const sweep_point uncounted = plotted_point(of, "lookups at WarpCore", 2);
  for (const plot_y y : {plot_y::occupancy, plot_y::warp_cycles, plot_y::busy_ms}) EXPECT_FALSE(plotted(y, uncounted));
  sweep_point counted = uncounted;
  counted.counters = {.occupancy = 0.5, .instructions = 1000, .cycles_per_instruction = 2.5};
  EXPECT_DOUBLE_EQ(plotted(plot_y::occupancy, counted)->value, 0.5);
  EXPECT_DOUBLE_EQ(plotted(plot_y::warp_cycles, counted)->value, 2500);
  const plotted_value busy = *plotted(plot_y::busy_ms, counted), ms = *plotted(plot_y::batch_ms, counted);
  EXPECT_DOUBLE_EQ(busy.value, ms.value / 2);
  EXPECT_DOUBLE_EQ(busy.low, ms.low / 2);
  EXPECT_DOUBLE_EQ(busy.high, ms.high / 2);
  for (const plot_y y : {plot_y::hit_rates, plot_y::memory_rates}) EXPECT_FALSE(plotted(y, counted)) << "an older one";
}

// Points of btree-6: with each tick's bits more misses.
std::vector<sweep_point> of_memories(const sweep& of) {
  std::vector<sweep_point> points;
  for (const sweep_row& row : of.rows) {
    const double n = 1 + *row.tick;
    points.push_back(plotted_point(of, row.id, 1));
    points.back().counters = {.occupancy = 0.5,
                              .instructions = 1000,
                              .cycles_per_instruction = 2.5,
                              .memory = memory_counters{.l1_hit_rate = 1 / n,
                                                        .l2_hit_rate = row.series == "BTREE" ? 1 - n / 22 : 0,
                                                        .l1_bytes_per_second = 6e12 / n,
                                                        .l2_bytes_per_second = 2e12 * n,
                                                        .dram_bytes_per_second = 1e12 * (n - 1)}};
  }
  return points;
}

TEST(plot_lines, have_a_line_for_each_memory_where_y_is_of_them) {
  const sweep &rates = **find_sweep("btree-6"), &hits = **find_sweep("btree-6-hits");
  const std::vector<sweep_point> points = of_memories(rates);
  const auto names = [](const std::vector<plot_line>& lines) {
    std::vector<std::string> all;
    for (const plot_line& line : lines) all.push_back(line.series);
    return all;
  };
  const std::vector<plot_line> bytes = plot_lines(rates, points);
  EXPECT_EQ(names(bytes), (std::vector<std::string>{"GPU B-Tree, L1", "GPU B-Tree, L2", "GPU B-Tree, DRAM", "BTREE, L1",
                                                    "BTREE, L2", "BTREE, DRAM"}));
  for (const plot_line& line : bytes) EXPECT_EQ(line.dots.size(), 11u) << line.series;
  EXPECT_EQ(bytes[3].part, "L1");
  EXPECT_EQ(bytes[3].dots[1].y.value, 3e12);
  EXPECT_EQ(bytes[4].dots[1].y.value, 4e12);
  EXPECT_EQ(bytes[5].dots[1].y.value, 1e12);
  EXPECT_EQ(bytes[5].dots[0].y.value, 0) << "nothing from DRAM is a value, too";
  const std::vector<plot_line> shares = plot_lines(hits, points);
  EXPECT_EQ(names(shares), (std::vector<std::string>{"GPU B-Tree, L1", "GPU B-Tree, L2", "BTREE, L1", "BTREE, L2"}));
  EXPECT_EQ(shares[1].dots[0].y.value, 0);
  EXPECT_EQ(shares[2].dots[3].y.value, 0.25);
  EXPECT_DOUBLE_EQ(shares[3].dots[0].y.value, 21.0 / 22);
  EXPECT_EQ(value_words(plot_y::hit_rates, 0.25, "L2"), "0.25 hit rate, by cache: L2");
  EXPECT_EQ(value_words(plot_y::batch_ms, 2, ""), "2 ms of the batch");
}

// Points of gph-3: x and y are counted.
std::vector<sweep_point> scattered(const sweep& of, const std::vector<std::pair<u64, double>>& cycles_and_occupancy) {
  std::vector<sweep_point> points;
  for (std::size_t i = 0; i < cycles_and_occupancy.size(); ++i) {
    points.push_back(plotted_point(of, of.rows[i].id, 1));
    points.back().counters = {.occupancy = cycles_and_occupancy[i].second,
                              .instructions = cycles_and_occupancy[i].first,
                              .cycles_per_instruction = 1};
  }
  return points;
}

TEST(plot_lines, of_a_scatter_have_a_straight_line_through_all_dots) {
  const sweep& of = **find_sweep("gph-3");
  EXPECT_TRUE(is_scatter(*of.plot));
  EXPECT_FALSE(is_log_x(*of.plot));
  // On a line: its slope is a point's time over the cycles.
  const std::vector<sweep_point> straight = scattered(of, {{100, 0.2}, {200, 0.3}, {400, 0.5}, {700, 0.8}});
  const std::vector<plot_line> lines = plot_lines(of, straight);
  ASSERT_EQ(lines.size(), 1u);
  ASSERT_EQ(lines[0].dots.size(), 4u);
  const double ms = straight[0].median_ms();
  const auto fit = fit_of(lines);
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->dots, 4u);
  EXPECT_NEAR(fit->slope, ms / 1000, 1e-9 * ms);
  EXPECT_NEAR(fit->at_zero, ms * 0.1, 1e-9 * ms);
  EXPECT_NEAR(fit->correlation, 1, 1e-12);
  EXPECT_EQ(fit_words(*fit), "Pearson's correlation of the 4 points is 1.0000");
  // Known of these four: x 1 2 3 4, y 1 3 2 4.
  const std::vector<sweep_point> loose = scattered(of, {{1, 0.1}, {2, 0.3}, {3, 0.2}, {4, 0.4}});
  EXPECT_NEAR(fit_of(plot_lines(of, loose))->correlation, 0.8, 1e-9);
  const std::vector<sweep_point> falling = scattered(of, {{1, 0.2}, {2, 0.1}});
  EXPECT_NEAR(fit_of(plot_lines(of, falling))->correlation, -1, 1e-12);
  // No line, or any, goes through these.
  EXPECT_FALSE(fit_of(plot_lines(of, {})));
  const std::vector<sweep_point> one = scattered(of, {{1, 0.1}}), above = scattered(of, {{5, 0.1}, {5, 0.2}}),
                                 level = scattered(of, {{5, 0.1}, {6, 0.1}});
  EXPECT_FALSE(fit_of(plot_lines(of, one)));
  EXPECT_FALSE(fit_of(plot_lines(of, level)));
  EXPECT_FALSE(fit_of(plot_lines(of, above)));
  // The axis begins at zero, with numbers people can read.
  const std::vector<plot_tick> ticks = x_ticks(*of.plot, lines, 15);
  ASSERT_GE(ticks.size(), 4u);
  EXPECT_LE(ticks.size(), 9u) << "eight steps, whatever there is room for";
  EXPECT_LE(x_ticks(*of.plot, lines, 4).size(), 5u);
  EXPECT_EQ(ticks.front().words, "0");
  EXPECT_EQ(ticks[1].words, "100");
  const std::string svg = sweep_svg(of, {}, straight);
  EXPECT_EQ(svg.find("<polyline"), svg.npos) << "nothing joins them";
  EXPECT_NE(svg.find("Pearson's correlation of the 4 points is 1.0000"), svg.npos) << svg;
  for (std::size_t i = 0; i < straight.size(); ++i)
    EXPECT_NE(svg.find(">" + of.plot->ticks[i] + "</text>"), svg.npos) << of.plot->ticks[i];
  // Dots too near to each other have their words at the first of them.
  const std::vector<sweep_point> crowded = scattered(of, {{100, 0.5}, {101, 0.501}, {102, 0.3}, {103, 0.499}});
  const std::vector<dot_label> labels = dot_labels(*of.plot, plot_lines(of, crowded));
  ASSERT_EQ(labels.size(), 2u);
  EXPECT_EQ(labels[0].words, "WarpCore, DyCuckoo, GPH");
  EXPECT_EQ(labels[1].words, "CUDPP");
}

TEST(plot_lines, have_ticks_that_people_can_read) {
  const sweep& of = **find_sweep("lightweight-1a");
  std::vector<sweep_point> points;
  for (const sweep_row& row : of.rows) points.push_back(plotted_point(of, row.id, 1));
  const std::vector<plot_line> lines = plot_lines(of, points);
  EXPECT_EQ(x_ticks(*of.plot, lines, 20).size(), 14u);
  const std::vector<plot_tick> fewer = x_ticks(*of.plot, lines, 7);
  ASSERT_EQ(fewer.size(), 7u);
  EXPECT_EQ(fewer.back().words, "2^28");
  EXPECT_EQ(fewer.front().words, "2^16");
  const auto words = [](const std::vector<plot_tick>& ticks) {
    std::string all;
    for (const plot_tick& tick : ticks) all += tick.words + " ";
    return all;
  };
  EXPECT_EQ(words(y_ticks(*of.plot, 0.4, 30)), "0.5 1 2 5 10 20 ");
  EXPECT_EQ(words(y_ticks(*of.plot, 10, 1e7)), "10 100 1 k 10 k 100 k 1 M 10 M ");
  sweep_plot linear = *of.plot;
  linear.log_y = false;
  EXPECT_EQ(words(y_ticks(linear, 0, 2.9)), "0 0.5 1 1.5 2 2.5 ");
  EXPECT_EQ(words(y_ticks(linear, 0, 0)), "");
  EXPECT_EQ(words(y_ticks(linear, 0, 110)), "0 20 40 60 80 100 ");
  EXPECT_EQ(leaves_cache_at(*of.plot, 72ull << 20).value_or(0), 9 << 20);
  EXPECT_EQ(leaves_cache_at(*(*find_sweep("lightweight-15"))->plot, 72ull << 20), std::nullopt);
}

// Each series by its own bytes, wherever a sorted array's would leave.
TEST(plot_lines, leave_the_cache_where_their_own_index_does) {
  const sweep& of = **find_sweep("lightweight-1a");
  std::vector<sweep_point> points;
  for (const u32 bits : {15u, 16u, 17u, 18u}) {
    points.push_back(plotted_point(of, fmt::format("AO+BS at 2^{}", bits), 1 << (bits - 15)));
    points.back().ranking[0].index_bytes = u64{1} << (bits + 5);  // 1, 2, 4 and 8 MiB
    points.push_back(plotted_point(of, fmt::format("HT (open) at 2^{}", bits), 1));
    points.back().ranking[0].index_bytes = u64{1} << (bits + 8);  // from 8 MiB on
  }
  const std::vector<plot_line> lines = plot_lines(of, points);
  ASSERT_EQ(lines[2].series, "AO+BS");
  const auto at = leaves_cache_at(*of.plot, lines[2], 3 << 20);
  ASSERT_TRUE(at);
  EXPECT_NEAR(at->x, 1.5 * (1 << 16), 1) << "bytes grow with the keys, and so do 3 MiB";
  const double low = lines[2].dots[1].y.value, high = lines[2].dots[2].y.value;
  EXPECT_NEAR(at->y, of.plot->log_y ? low * std::pow(high / low, std::log2(1.5)) : low + std::log2(1.5) * (high - low),
              1e-9)
      << "on the line that is drawn";
  EXPECT_NEAR(leaves_cache_at(*of.plot, lines[2], 4 << 20)->x, 1 << 17, 1) << "what fits just so";
  EXPECT_FALSE(leaves_cache_at(*of.plot, lines[0], 3 << 20)) << "its first point is past it";
  EXPECT_FALSE(leaves_cache_at(*of.plot, lines[2], 8 << 20)) << "its last point is within";
  EXPECT_FALSE(leaves_cache_at(*of.plot, lines[2], 0));
  sweep_plot by_place = *of.plot;
  by_place.x = plot_x::place;
  EXPECT_FALSE(leaves_cache_at(by_place, lines[2], 3 << 20));
  sweep_head head{.program = "p", .commit = "c", .machine = given_info(machine_kind::cuda)};
  const std::string svg = sweep_svg(of, head, points);
  EXPECT_NE(svg.find("<title>AO+BS: its index leaves the 3 MiB of L2 at 98.3 k keys</title>"), svg.npos);
  EXPECT_EQ(svg.find("HT (open): its index leaves"), svg.npos);
  EXPECT_NE(svg.find(">its own index leaves 3 MiB of L2</text>"), svg.npos);
  head.machine.l2_bytes = 64 << 20;
  EXPECT_EQ(sweep_svg(of, head, points).find("its own index leaves"), std::string::npos);
}

TEST(sweep_svgs, have_all_that_there_is_and_name_what_is_missing) {
  sweep of = **find_sweep("lightweight-1a");
  of.missing = {{"B+", "of another program"}};
  std::vector<sweep_point> points = {plotted_point(of, "AO+BS at 2^15", 1), plotted_point(of, "AO+BS at 2^28", 2)};
  sweep_point wrong = plotted_point(of, "AO+BS at 2^20", 3);
  wrong.ranking.clear(), wrong.wrong = true;
  points.insert(points.begin() + 1, wrong);
  sweep_head head{.program = "pivotscope 1 & <2>", .commit = "abc", .machine = given_info(machine_kind::cuda)};
  head.rounds = {.least = 2, .most = 2, .repeats = 7}, head.scale = 3;
  head.clocks_before = "5 MHz", head.clocks_after = "4 MHz";
  const std::string svg = sweep_svg(of, head, points);
  const auto has = [&](std::string_view part) { EXPECT_NE(svg.find(part), svg.npos) << part; };
  has("pivotscope 1 &amp; &lt;2&gt;, commit abc; driver 1.2; clocks before: 5 MHz; clocks after: 4 MHz; medians of 14");
  sweep_head merged = head;
  merged.clocks_before = merged.clocks_after = "";
  points.back().clocks = "3 MHz";
  EXPECT_NE(sweep_svg(of, merged, points).find("driver 1.2; clocks at the last point: 3 MHz; medians"),
            std::string::npos);
  sweep built = of;
  built.plot->y = plot_y::build_rate;
  EXPECT_EQ(sweep_svg(built, head, points).find("medians"), std::string::npos) << "a build is timed once";
  has(">HT (open): no points</text>");
  has(">missing: B+</text>");
  has("The paper saw: All indexes are faster over fewer keys");
  has("on Given Machine, every count divided by 2^3");
  has("a sorted array leaves the " + bytes_text(3 << 20) + " of L2");
  has("1 of 3 points have no figures.");
  has("<title>AO+BS at 2^28: AO+BS, ");
  EXPECT_EQ(svg.find("at 2^20"), svg.npos) << "a wrong answer's point";
  EXPECT_EQ(svg.find("nan"), svg.npos);
  for (const sweep& one : sweeps()) {
    if (!one.plot) continue;
    const std::string empty = sweep_svg(one, head, {});
    EXPECT_EQ(empty.find("nan"), empty.npos) << one.name;
    EXPECT_EQ(empty.find("inf\""), empty.npos) << one.name;
  }
}

// Nine tables' names in a row would run into each other; four sizes do not.
TEST(sweep_svgs, have_names_below_each_other_where_a_row_is_too_short) {
  sweep_head head;
  head.machine = given_info(machine_kind::cuda);
  const auto rows_of_names = [&](const char* name, std::string_view left, std::string_view right) {
    const sweep& of = **find_sweep(name);
    std::vector<sweep_point> points;
    for (const sweep_row& row : of.rows) points.push_back(plotted_point(of, row.id, 1));
    const std::string svg = sweep_svg(of, head, points);
    const auto y_of = [&](std::string_view words) {
      const std::size_t end = svg.find(fmt::format(">{}</text>", words)), begin = svg.rfind("<text", end);
      EXPECT_NE(end, svg.npos) << words;
      const std::size_t y = svg.find(" y=\"", begin);
      return svg.substr(y, svg.find('"', y + 4) - y);
    };
    return y_of(left) == y_of(right) ? 1 : 2;
  };
  EXPECT_EQ(rows_of_names("gph-t2", "open, 4 lanes", "open, 2 lanes"), 2);
  EXPECT_EQ(rows_of_names("gph-9", "1.25 GB: 64%", "1.5 GB: 53%"), 1);
}

// Words are broken where they have a space; where there is none for too long, anywhere, and no letter is lost or doubled.
TEST(sweep_svgs, break_lines_and_keep_every_letter) {
  sweep of = **find_sweep("lightweight-1a");
  std::string letters;
  for (u32 i = 0; i < 400; ++i) letters += static_cast<char>('a' + i % 23);
  letters += '!';
  for (const std::string& saw : {letters, std::string("seen here ") + letters}) {
    of.saw = saw;
    const std::string svg =
        sweep_svg(of, {.program = "p", .commit = "c", .machine = given_info(machine_kind::cuda)}, {});
    std::string all;
    std::size_t longest = 0, from = svg.find("The paper saw");
    ASSERT_NE(from, svg.npos);
    while (all.find('!') == all.npos) {
      const std::size_t end = svg.find("</text>", from);
      ASSERT_NE(end, svg.npos) << all;
      all += svg.substr(from, end - from);
      longest = std::max(longest, end - from);
      from = svg.find('>', svg.find("<text", end)) + 1;
    }
    EXPECT_NE(all.find(letters), all.npos) << all;
    EXPECT_LE(longest, 155u);
  }
}

// Each kind of plot, stroke by stroke.
TEST(sweep_svgs, are_drawn_as_they_were) {
  const sweep_head head{.program = "p", .commit = "c", .machine = given_info(machine_kind::cuda)};
  const sweep& by_keys = **find_sweep("lightweight-1a");
  std::vector<sweep_point> points;
  for (const u32 bits : {15u, 16u, 17u, 20u}) {
    points.push_back(plotted_point(by_keys, fmt::format("AO+BS at 2^{}", bits), 1 + bits % 5));
    points.back().ranking[0].index_bytes = u64{1} << (bits + 5);
    points.push_back(plotted_point(by_keys, fmt::format("HT (open) at 2^{}", bits), 0.5));
  }
  testing::expect_golden("tests/core/sweep/golden/by_keys.svg", sweep_svg(by_keys, head, points));
  const sweep& by_place = **find_sweep("lightweight-15");
  points = {plotted_point(by_place, "HT (open)", 2)};
  for (const sweep_row& row : by_place.rows)
    if (row.series == "none" && row.tick) points.push_back(plotted_point(by_place, row.id, 1 + *row.tick));
  testing::expect_golden("tests/core/sweep/golden/by_place.svg", sweep_plot_svg(by_place, head, points));
  const sweep& counted = **find_sweep("gph-3");
  testing::expect_golden(
      "tests/core/sweep/golden/counted.svg",
      sweep_svg(counted, head, scattered(counted, {{100, 0.5}, {210, 0.6}, {290, 0.3}, {405, 0.5}})));
  const sweep &rates = **find_sweep("btree-6"), &hits = **find_sweep("btree-6-hits");
  testing::expect_golden("tests/core/sweep/golden/by_memory.svg", sweep_svg(rates, head, of_memories(rates)));
  testing::expect_golden("tests/core/sweep/golden/by_cache.svg", sweep_plot_svg(hits, head, of_memories(hits)));
}

TEST(sweep_svgs, draw_series_that_can_be_told_apart) {
  std::set<std::pair<u32, u32>> styles;
  for (std::size_t i = 0; i < 24; ++i) {
    const series_style style = style_of_series(i);
    EXPECT_LT(style.shape, series_shapes);
    EXPECT_TRUE(styles.insert({style.rgb, style.shape}).second) << i;
  }
}

}  // namespace
}  // namespace pivotscope
