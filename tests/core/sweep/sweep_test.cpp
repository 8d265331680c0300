// Sweeps as data: that each can be measured, and what scaling makes of it.
#include "core/sweep/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <set>

#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/index/operations.hpp"
#include "tests/support/golden.hpp"

namespace pivotscope {
namespace {

TEST(sweeps, have_names_and_rows_that_can_be_measured) {
  std::set<std::string> names;
  for (const sweep& one : sweeps()) {
    EXPECT_TRUE(names.insert(one.name).second);
    EXPECT_FALSE(one.sentence.empty() || one.source.empty() || one.rows.empty()) << one.name;
    EXPECT_EQ(*find_sweep(one.name), &one);
    std::set<std::string> before;
    for (const sweep_row& row : one.rows) {
      SCOPED_TRACE(row.id);
      EXPECT_EQ((row.configs.empty() ? 0 : 1) + (row.configs_of.empty() ? 0 : 1) + (row.program() ? 1 : 0), 1);
      for (const u32 bits : {0u, 6u, 14u, 32u}) EXPECT_EQ(check(scaled(row, bits).load, row.width), std::nullopt);
      for (const std::string& line : row.configs) {
        outcome<index_config> config = config_from_line(line);
        ASSERT_TRUE(config) << line;
        config->keys = row.width;
        EXPECT_EQ(check(*config), std::nullopt) << line;
        EXPECT_EQ(check_serves(*config, operation_of(row.load)), std::nullopt) << line;
        if (has_script(row.load)) {
          EXPECT_EQ(check_serves(*config, operation::insert), std::nullopt) << line;
        }
        EXPECT_EQ(to_line(*config_from_line(line)).substr(0, 3), line.substr(0, 3));
      }
      // What a row leans on comes before it.
      EXPECT_TRUE(row.configs_of.empty() || before.contains(row.configs_of));
      for (const want& wanted : row.wants) {
        EXPECT_EQ(wanted.in == wanted_in::rate_of_row, !wanted.row.empty());
        EXPECT_TRUE(wanted.row.empty() || before.contains(wanted.row));
        EXPECT_GT(wanted.value, 0);
      }
      EXPECT_TRUE(before.insert(row.id).second);
      EXPECT_EQ(one.row(row.id), &row);
    }
    EXPECT_EQ(one.row("nothing"), nullptr);
  }
  EXPECT_EQ(find_sweep("packd").error().words, "'packd' is not a sweep; did you mean 'packed'?");
}

// The papers' figures: how many points each has, and where they lie.
TEST(sweeps, of_the_papers_have_their_axes_and_series) {
  struct shape {
    const char* name;
    std::size_t ticks, series, rows, configs;
  };
  // Nine optimisations at eight blocks and four level lines; 27 of "the best of nine" are 8 x 4 x 9 configs.
  constexpr shape shapes[] = {{"lightweight-1a", 14, 4, 56, 98},
                              {"lightweight-1b", 2, 4, 8, 14},
                              {"lightweight-14a", 8, 13, 76, 79},
                              {"lightweight-14b", 8, 13, 76, 79},
                              {"lightweight-7", 11, 1, 11, 0},
                              {"lightweight-14c", 4, 6, 12, 47},
                              {"lightweight-15", 8, 13, 76, 79},
                              {"lightweight-16", 8, 8, 36, 295},
                              {"lightweight-17a", 8, 13, 76, 79},
                              {"lightweight-17b", 5, 6, 14, 47},
                              {"lightweight-18a", 8, 13, 76, 79},
                              {"lightweight-18b", 5, 6, 14, 47},
                              {"lightweight-19a", 5, 4, 20, 20},
                              {"lightweight-19b", 5, 4, 20, 20},
                              {"lightweight-20a", 14, 12, 168, 490},
                              {"lightweight-20b", 14, 12, 168, 490},
                              {"lightweight-21a", 14, 12, 168, 490},
                              {"lightweight-21b", 14, 12, 168, 490},
                              {"lightweight-22", 15, 7, 105, 165},
                              {"short-4", 5, 5, 13, 14},
                              {"short-6", 5, 6, 18, 19},
                              {"short-8", 8, 7, 28, 29},
                              {"short-10", 8, 9, 51, 52},
                              {"short-11", 14, 6, 84, 168},
                              {"short-12", 14, 6, 84, 168},
                              {"short-13", 14, 6, 84, 168},
                              {"gph-t2", 9, 1, 9, 9},
                              {"gph-3", 9, 1, 9, 9},
                              {"gph-9", 4, 7, 28, 48},
                              {"gph-10", 5, 7, 35, 60},
                              {"gph-11a", 4, 7, 28, 48},
                              {"gph-11b", 5, 7, 35, 60},
                              {"gph-11c", 4, 7, 28, 48},
                              {"gph-11d", 5, 7, 35, 60},
                              {"gph-9b", 4, 5, 20, 20},
                              {"gph-10b", 5, 5, 25, 25},
                              {"gph-14b", 4, 5, 20, 20},
                              {"gph-9c", 3, 5, 15, 15},
                              {"gph-10c", 5, 5, 25, 25},
                              {"gph-14c", 3, 5, 15, 15},
                              {"gph-9d", 4, 5, 20, 20},
                              {"gph-10d", 5, 5, 25, 25},
                              {"gph-14d", 4, 5, 20, 20},
                              {"gph-12", 5, 8, 40, 60},
                              {"gph-12b", 7, 2, 14, 14},
                              {"gph-12-matches", 5, 6, 30, 30},
                              {"gph-12-parts", 5, 6, 30, 30},
                              {"gph-13a", 4, 3, 12, 12},
                              {"gph-13b", 3, 3, 9, 9},
                              {"gph-14", 4, 7, 28, 48},
                              {"gph-15a", 9, 3, 27, 27},
                              {"gph-15a-builds", 9, 3, 27, 27},
                              {"gph-15a-lookups", 9, 3, 27, 27},
                              {"gph-15b", 2, 2, 4, 4},
                              {"gph-15c", 5, 4, 20, 20},
                              {"btree-2a", 11, 4, 44, 44},
                              {"btree-2b", 11, 4, 44, 44},
                              {"btree-2c", 11, 4, 44, 44},
                              {"btree-3", 9, 10, 72, 72},
                              {"btree-4", 11, 7, 77, 77},
                              {"btree-5", 11, 6, 66, 66},
                              {"btree-6", 11, 2, 22, 22},
                              {"btree-6-hits", 11, 2, 22, 22},
                              {"btree-a1", 9, 13, 112, 112},
                              {"btree-t3", 7, 4, 28, 28},
                              {"cgrx-1a", 7, 5, 35, 42},
                              {"cgrx-1b", 11, 4, 44, 55},
                              {"cgrx-1c", 8, 5, 40, 48},
                              {"cgrx-8a", 6, 8, 48, 48},
                              {"cgrx-8b", 6, 8, 48, 48},
                              {"cgrx-t1", 4, 6, 21, 21},
                              {"cgrx-10a", 16, 4, 49, 49},
                              {"cgrx-10a-parts", 16, 1, 16, 16},
                              {"cgrx-10b", 16, 4, 49, 49},
                              {"cgrx-10b-parts", 16, 1, 16, 16},
                              {"cgrx-11a", 5, 10, 50, 55},
                              {"cgrx-11b", 5, 10, 50, 55},
                              {"cgrx-11c", 5, 10, 50, 55},
                              {"cgrx-12", 11, 9, 99, 121},
                              {"cgrx-13", 7, 9, 63, 70},
                              {"cgrx-14", 8, 9, 72, 80},
                              {"cgrx-15a", 16, 2, 32, 32},
                              {"cgrx-15b", 16, 2, 32, 32},
                              {"cgrx-15c", 8, 2, 16, 16}};
  std::size_t papers = 0;
  for (const sweep& one : sweeps()) papers += one.plot.has_value();
  EXPECT_EQ(papers, std::size(shapes));
  for (const shape& wanted : shapes) {
    SCOPED_TRACE(wanted.name);
    const sweep& of = **find_sweep(wanted.name);
    ASSERT_TRUE(of.plot);
    EXPECT_EQ(of.plot->ticks.size(), wanted.ticks);
    EXPECT_EQ(series_of(of).size(), wanted.series);
    EXPECT_EQ(of.rows.size(), wanted.rows);
    std::size_t configs = 0;
    for (const sweep_row& row : of.rows) {
      configs += row.configs.size();
      EXPECT_FALSE(row.advised) << row.id;
      EXPECT_TRUE(row.wants.empty() || of.device == "TITAN V") << row.id;
      EXPECT_FALSE(row.series.empty()) << row.id;
      EXPECT_TRUE(!row.tick || *row.tick < wanted.ticks) << row.id;
      EXPECT_EQ(row.id, row.tick ? row.series + " at " + of.plot->ticks[*row.tick] : row.series);
    }
    EXPECT_EQ(configs, wanted.configs);
    EXPECT_FALSE(of.saw.empty());
  }
}

std::string row_line(const sweep_row& row) {
  std::string line = "  " + row.id + ": " + to_line(row.load) + (row.width == key_width::u64 ? " u64:" : " u32:");
  for (const std::string& config : row.configs) line += " | " + config;
  if (!row.configs_of.empty()) line += " of " + row.configs_of;
  if (row.program()) line += " " + *row.program();
  if (row.on) line += fmt::format(" on {}", static_cast<int>(*row.on));
  for (const want& w : row.wants)
    line += fmt::format(" wants {} {} {} {}", static_cast<int>(w.what), w.value, static_cast<int>(w.in), w.row);
  return line + "\n";
}

// Every word and figure, so that none changes unseen: of a series its first and its last row, of a sweep without series each.
TEST(sweeps, say_what_they_said) {
  std::string text;
  for (const sweep& one : sweeps()) {
    text += fmt::format("{}: {}\n  {}{}{}\n", one.name, one.sentence, one.source,
                        one.device.empty() ? "" : ", on " + one.device, one.counters ? ", counted" : "");
    if (!one.rows_of.empty()) text += "  rows of " + one.rows_of + "\n";
    for (const missing_series& gone : one.missing) text += "  without " + gone.name + ": " + gone.why + "\n";
    if (!one.saw.empty()) text += "  saw: " + one.saw + "\n";
    if (!one.plot) {
      for (const sweep_row& row : one.rows) text += row_line(row);
      continue;
    }
    text += fmt::format("  {} ({}): {}; {}{}\n", one.plot->x_words, static_cast<int>(one.plot->x),
                        fmt::join(one.plot->ticks, ", "), plot_y_words(one.plot->y), one.plot->log_y ? ", log" : "");
    if (!one.rows_of.empty()) continue;
    for (const std::string& series : series_of(one)) {
      std::vector<const sweep_row*> rows;
      for (const sweep_row& row : one.rows)
        if (row.series == series) rows.push_back(&row);
      text += row_line(*rows.front());
      if (rows.size() > 1) text += row_line(*rows.back());
    }
  }
  testing::expect_golden("tests/core/sweep/golden/sweeps.txt", text);
}

// Workloads of the papers: L has 2^28 keys and 2^27 lookups, S 2^26 keys, ranges are 2^16.
TEST(sweeps, of_the_papers_ask_what_the_papers_asked) {
  const auto load = [](std::string_view name, std::string_view id) {
    const sweep_row* row = (*find_sweep(name))->row(id);
    EXPECT_NE(row, nullptr) << name << ": " << id;
    return row ? row->load : workload{};
  };
  const workload large{.keys = 1ull << 28, .dist = distribution::uniform, .lookups = 1ull << 27};
  EXPECT_EQ(load("lightweight-14a", "none at 1024/1"), large);
  EXPECT_EQ(load("lightweight-14a", "HT (open)"), large);
  workload sorted = large;
  sorted.order = lookup_order::sorted;
  EXPECT_EQ(load("lightweight-1b", "AO+BS at sorted"), sorted);
  workload small = large;
  small.keys = 1ull << 15;
  EXPECT_EQ(load("lightweight-20a", "EO+KS at 2^15"), small);
  workload ranges = large;
  ranges.lookups = 0, ranges.ranges = 1ull << 16, ranges.range_hits = 1ull << 14;
  EXPECT_EQ(load("lightweight-19b", "alone, aos at AO+BS"), ranges);
  EXPECT_EQ(load("lightweight-22", "AO+PB+KS at 2^14"), ranges);
  workload fewer = large;
  fewer.keys = 1ull << 26;
  EXPECT_EQ(load("short-10", "none at 512/2"), fewer);
  workload pairs{.keys = 100'000'000, .dist = distribution::uniform, .lookups = 200'000'000, .hits = 0.5};
  EXPECT_EQ(load("gph-9", "HT (open) at 1.25 GB: 64%"), pairs);
  pairs.hits = 0;
  EXPECT_EQ(load("gph-10", "HT (open) at 0%"), pairs);
  pairs.hits = 1;
  EXPECT_EQ(load("gph-10", "HT (open), best of four at 100%"), pairs);
}

// The B-tree's paper measures writes as well. Each index has as many entries as its tick says when it is timed.
TEST(sweeps, of_the_btree_write_what_the_paper_wrote) {
  const auto line = [](std::string_view name, std::string_view id) {
    const sweep_row* row = (*find_sweep(name))->row(id);
    return row == nullptr ? std::string("none") : to_line(row->load);
  };
  const std::string uniform = " distribution=uniform seed=1 ";
  EXPECT_EQ(line("btree-2a", "BTREE at 2^20"), "keys=2^20" + uniform + "lookups=2^20 hits=1");
  EXPECT_EQ(line("btree-2b", "SA at 2^16"), "keys=2^16" + uniform + "lookups=0 hits=1 ranges=2^16 range_hits=8");
  EXPECT_EQ(line("btree-2c", "GPU B-Tree at 2^26"), "keys=2^26" + uniform + "lookups=0 hits=1 successors=2^26");
  // Three batches of an eighth; five of the eight entries of a range are among the keys.
  const std::string grown = "inserts=393216 erases=0 mix=1 batch=2^17";
  EXPECT_EQ(line("btree-2a", "LSM at 2^20"), "keys=655360" + uniform + "lookups=2^20 hits=1 " + grown);
  EXPECT_EQ(line("btree-2b", "LSM at 2^20"),
            "keys=655360" + uniform + "lookups=0 hits=1 ranges=2^20 range_hits=5 " + grown);
  EXPECT_EQ(line("btree-3", "GPU B-Tree, 2^18 inserted at 2^20"),
            "keys=786432" + uniform + "lookups=0 hits=1 inserts=2^18 erases=0 mix=0");
  EXPECT_EQ(line("btree-3", "BTREE, rebuilt at 2^20"), "keys=2^20" + uniform + "lookups=2^16 hits=1");
  EXPECT_EQ(line("btree-4", "GPU B-Tree, 50% at 2^26"),
            "keys=2^26" + uniform + "lookups=0 hits=1 inserts=0 erases=2^25 mix=0");
  EXPECT_EQ(line("btree-5", "BTREE, 0.6 updates at 2^20"),
            "keys=2^20" + uniform + "lookups=0 hits=1 inserts=314572 erases=314572 mix=0.6");
  // What the GPU counts is of the lookups of 2a, by the same trees.
  const sweep &counted = **find_sweep("btree-6"), &timed = **find_sweep("btree-2a");
  EXPECT_TRUE(counted.counters);
  for (const sweep_row& row : counted.rows) {
    ASSERT_NE(timed.row(row.id), nullptr) << row.id;
    EXPECT_EQ(row.load, timed.row(row.id)->load);
    EXPECT_EQ(row.configs, timed.row(row.id)->configs);
    EXPECT_TRUE(row.wants.empty()) << "the paper gives no number of it, but beside another GPU";
  }
  EXPECT_EQ(line("btree-t3", "LSM at 2^22"),
            "keys=0" + uniform + "lookups=0 hits=1 inserts=2^24 erases=0 mix=1 batch=2^22");
  EXPECT_EQ((*find_sweep("btree-t3"))->row("LSM at 2^22")->configs, std::vector<std::string>{"LSM level0=2^22"});
  EXPECT_EQ((*find_sweep("btree-t3"))->row("SA at 2^22")->wants.at(0).value, 1472.7e6);
  EXPECT_EQ(line("btree-a1", "spin, inner nodes by L1 at 2^16"),
            "keys=2^10" + uniform + "lookups=0 hits=1 inserts=2^16 erases=0 mix=1 batch=2^16");
  EXPECT_EQ((*find_sweep("btree-a1"))->row("restart, no fences: wrong at 2^16")->configs,
            std::vector<std::string>{"BTREE wait=restart fences=none l1=bypassed look=each"});
  EXPECT_EQ((*find_sweep("btree-a1"))->row("latch coupling at 2^16")->wants.at(0).value, 0.166e6);
  // As many entries before the lookups as before the updates.
  EXPECT_EQ(line("cgrx-1c", "RX, refit at 2^16"),
            "keys=2^26" + uniform + "lookups=2^22 hits=1 inserts=2^15 erases=2^15 mix=1 batch=2^16");
  EXPECT_EQ((*find_sweep("cgrx-1c"))->row("RX, refit at 2^16")->configs, std::vector<std::string>{"RX updates=refit"});
  EXPECT_EQ((*find_sweep("btree-2a"))->row("GPU B-Tree at 2^20")->configs,
            std::vector<std::string>{"BTREE lanes=16 node=16 fill=53 l1=bypassed look=each"});
}

TEST(sweeps, put_the_ticks_part_into_the_config) {
  const sweep& of = **find_sweep("lightweight-14a");
  EXPECT_EQ(of.row("fully pinned, reordered twice at 128/16")->configs,
            (std::vector<std::string>{
                "AO+BS threads=128 per_thread=16 schedule=static pin=full scratch=96KiB reorder=double"}));
  EXPECT_EQ(of.row("HT (open)")->configs.size(), 2u) << "the better one of 50% and 80%";
  EXPECT_EQ(of.row("HT (open)")->tick, std::nullopt);
  EXPECT_EQ((*find_sweep("lightweight-19a"))->row("cooperative, soa at EO+KS")->configs,
            std::vector<std::string>{"EO+KS layout=soa scan=cooperative"});
}

// gph's tables are said by their bytes, ours by their load.
TEST(sweeps, of_gph_have_tables_of_the_sizes_that_they_name) {
  const sweep& of = **find_sweep("gph-9");
  for (const auto& [tick, gigabytes] :
       {std::pair("1.25 GB: 64%", 1.25), {"1.5 GB: 53%", 1.5}, {"1.75 GB: 46%", 1.75}, {"2 GB: 40%", 2.0}}) {
    for (const std::string& series : series_of(of)) {
      const sweep_row* row = of.row(series + " at " + tick);
      ASSERT_NE(row, nullptr) << tick;
      for (const std::string& line : row->configs) {
        double bytes = 0;
        for (const index_region& region : regions_of(*config_from_line(line), row->load.keys))
          bytes += static_cast<double>(region.bytes());
        // GPH's cell index, latches and spill come on top.
        EXPECT_NEAR(bytes / 1e9, gigabytes, (line.starts_with("GPH") ? 0.07 : 0.02) * gigabytes) << line;
      }
    }
  }
  // Of the other data sets each table at each size, but for an open one that would be emptier than it may.
  std::size_t tables = 0;
  for (const char* name : {"gph-9b", "gph-9c", "gph-9d"}) {
    for (const sweep_row& row : (*find_sweep(name))->rows) {
      const std::string& tick = (*find_sweep(name))->plot->ticks[*row.tick];
      const double gigabytes = std::stod(tick);
      double bytes = 0;
      for (const index_region& region : regions_of(*config_from_line(row.configs[0]), row.load.keys))
        bytes += static_cast<double>(region.bytes());
      if (row.configs[0] == "HT+OA lanes=8 window=8 probing=double load=30") {
        EXPECT_LT(bytes / 1e9, gigabytes);
        continue;
      }
      EXPECT_NEAR(bytes / 1e9, gigabytes, (row.series.starts_with("GPH") ? 0.08 : 0.025) * gigabytes) << row.id;
      ++tables;
    }
  }
  EXPECT_EQ(tables, 20u + 15u + 20u - 3u);
  EXPECT_EQ((*find_sweep("gph-10"))->row("HT (open) at 25%")->configs,
            std::vector<std::string>{"HT+OA lanes=8 window=8 probing=double load=53"});
}

TEST(sweeps, name_what_they_lack) {
  for (const sweep& one : sweeps())
    for (const missing_series& lacks : one.missing) EXPECT_FALSE(lacks.name.empty() || lacks.why.empty()) << one.name;
}

// The papers' B+: half full and full, as two series, or as the better one of both.
TEST(sweeps, have_the_papers_tree) {
  using names = std::vector<std::string>;
  const std::string half = "BTREE lanes=16 node=16 fill=50", full = "BTREE lanes=16 node=16 fill=100";
  const auto configs = [](const char* name, const char* id) {
    const sweep_row* row = (*find_sweep(name))->row(id);
    return row == nullptr ? names{} : row->configs;
  };
  for (const char* name : {"14a", "14b", "14c", "15", "16", "17a", "17b", "18a", "18b"})
    EXPECT_EQ(configs(("lightweight-" + std::string(name)).c_str(), "B+"), (names{half, full})) << name;
  EXPECT_EQ(configs("lightweight-1a", "B+ at 2^15"), (names{half, full}));
  EXPECT_EQ(configs("lightweight-1b", "B+ at sorted"), (names{half, full}));
  for (const char* id : {"B+ half full at 2^15", "B+ half full at 2^28"})
    EXPECT_EQ(configs("lightweight-20a", id), names{half}) << id;
  EXPECT_EQ(configs("lightweight-20a", "B+ full at 2^15"), names{full});
  EXPECT_EQ(configs("lightweight-22", "B+ half full at 2^0"), names{half});
  EXPECT_EQ(configs("lightweight-22", "B+ full at 2^14"), names{full});
  for (const char* name : {"short-4", "short-6", "short-8", "short-10"}) {
    EXPECT_EQ(configs(name, "B+ half full"), names{half}) << name;
    EXPECT_EQ(configs(name, "B+ full"), names{full}) << name;
  }
  EXPECT_EQ(configs("short-11", "B+ full at 2^28"), names{full});
  for (const char* name : {"lightweight-7", "lightweight-19a", "lightweight-19b"})
    for (const std::string& series : series_of(**find_sweep(name))) EXPECT_NE(series.substr(0, 2), "B+") << name;
}

TEST(sweeps, another_plot_of_the_same_rows_says_so) {
  std::size_t others = 0;
  for (const sweep& one : sweeps()) {
    if (one.rows_of.empty()) continue;
    ++others;
    const sweep& first = **find_sweep(one.rows_of);
    EXPECT_TRUE(first.rows_of.empty());
    EXPECT_EQ(one.counters, first.counters) << one.name;
    ASSERT_EQ(one.rows.size(), first.rows.size());
    for (std::size_t i = 0; i < one.rows.size(); ++i) {
      EXPECT_EQ(one.rows[i].id, first.rows[i].id);
      EXPECT_EQ(one.rows[i].load, first.rows[i].load);
      EXPECT_EQ(one.rows[i].configs, first.rows[i].configs);
    }
  }
  EXPECT_EQ(others, 20u);
}

// The table that the packed index is measured by, number by number.
TEST(sweeps, packed_wants_what_was_asked_of_it) {
  const sweep& packed = **find_sweep("packed");
  const std::pair<u32, double> table[] = {{16, 128}, {20, 105}, {22, 78}, {24, 48}, {26, 36}, {28, 30}};
  for (const auto& [bits, rate] : table) {
    const sweep_row* hits = packed.row("hits 2^" + std::to_string(bits));
    ASSERT_TRUE(hits);
    EXPECT_EQ(hits->load, (workload{.keys = 1ull << bits, .dist = distribution::uniform, .lookups = 1ull << 27}));
    EXPECT_EQ(hits->wants.at(0).value, rate * 1e9);
    const sweep_row* wide = packed.row("u64 hits 2^" + std::to_string(bits));
    ASSERT_TRUE(wide);
    EXPECT_EQ(wide->width, key_width::u64);
    EXPECT_DOUBLE_EQ(wide->wants.at(0).value, 0.6 * rate * 1e9);
    for (const char* where : {"inside", "outside"}) {
      const sweep_row* misses = packed.row(std::string("misses ") + where + " 2^" + std::to_string(bits));
      ASSERT_TRUE(misses);
      EXPECT_EQ(misses->load.hits, 0);
      EXPECT_EQ(misses->wants.at(0).value, 0.9);
      EXPECT_EQ(misses->wants.at(0).row, hits->id);
      EXPECT_EQ(misses->configs_of, hits->id) << "the same index";
    }
  }
  EXPECT_EQ(packed.row("sorted 2^28")->load.order, lookup_order::sorted);
  EXPECT_EQ(packed.row("sorted 2^28")->wants.at(0).value, 2);
  for (const char* skew : {"narrow", "gaps", "clusters", "half"})
    EXPECT_DOUBLE_EQ(packed.row(std::string(skew) + " 2^28")->wants.at(0).value, 0.66 * 30e9);
  for (const char* worst : {"nested 2^16", "u64 nested 2^16", "nested 2^24", "u64 nested 2^24"}) {
    EXPECT_EQ(packed.row(worst)->wants.at(0).value, 1);
    EXPECT_EQ(packed.row(worst)->wants.at(0).row, std::string(worst) + " AO+BS");
  }
  EXPECT_EQ(packed.row("ranges of 2^6 at 2^26")->wants.at(0).value, 0.08);
  EXPECT_EQ(packed.row("ranges of 2^14 at 2^26")->wants.at(0).in, wanted_in::stream_of_all);
  for (const char* method : {"PACKED", "AO+BS", "AO+PB+KS", "EO+KS", "AO+PB+BS", "EO+BS"})
    EXPECT_EQ(packed.row(std::string("sort and build ") + method + " 2^28")->wants.at(0).value, 1.15);
  EXPECT_EQ(packed.row("cpu PACKED 2^24")->wants.size(), 2u);
  EXPECT_EQ(packed.row("cpu PACKED 2^24")->on, machine_kind::cpu);
}

TEST(sweeps, a_part_has_what_its_rows_lean_on) {
  const sweep& packed = **find_sweep("packed");
  const auto ids = [&](std::string_view part) {
    std::vector<std::string> list;
    const outcome<sweep> some = part_of(packed, part);
    for (const sweep_row& row : some->rows) list.push_back(row.id);
    return list;
  };
  using names = std::vector<std::string>;
  EXPECT_EQ(ids("sorted"), (names{"hits 2^28", "sorted 2^28"}));
  EXPECT_EQ(ids("cpu PACKED"), (names{"cpu std::lower_bound 2^24", "cpu AO+PB+KS 2^24", "cpu PACKED 2^24"}));
  EXPECT_EQ(ids("outside 2^20"), (names{"hits 2^20", "misses outside 2^20"}));
  EXPECT_EQ(ids("").size(), packed.rows.size());
  EXPECT_EQ(part_of(packed, "2^99").error().words, "no row of packed has '2^99' in its name");
}

TEST(sweeps, scaled_have_fewer_of_all) {
  const sweep_row row{.load = {.keys = 1 << 10, .dist = distribution::uniform, .lookups = 1 << 6, .ranges = 0}};
  EXPECT_EQ(scaled(row, 0).load, row.load);
  EXPECT_EQ(scaled(row, 3).load.keys, 128u);
  EXPECT_EQ(scaled(row, 3).load.lookups, 8u);
  EXPECT_EQ(scaled(row, 3).load.ranges, 0u) << "what is not there does not come";
  EXPECT_EQ(scaled(row, 32).load.keys, 1u);
  const sweep_row ranges{.load = {.keys = 1 << 20, .lookups = 0, .ranges = 64, .range_hits = 1 << 14}};
  EXPECT_EQ(scaled(ranges, 10).load.range_hits, 1u << 10) << "no more than there are keys";
}

// A script's counts, and LSM's first level, which has room for a batch.
TEST(sweeps, scaled_have_smaller_scripts) {
  const sweep_row row{.load = *workload_from_line("keys=2^20 lookups=0 inserts=2^16 erases=2^10 mix=1 batch=2^12"),
                      .configs = {"LSM level0=2^12", "LSM level0=2^12 threads=128", "BTREE"}};
  EXPECT_EQ(scaled(row, 0).configs, row.configs);
  EXPECT_EQ(scaled(row, 4).load.recipe, (script_recipe{.inserts = 1 << 12, .erases = 1 << 6, .mix = 1, .batch = 256}));
  EXPECT_EQ(scaled(row, 4).configs,
            (std::vector<std::string>{"LSM level0=256", "LSM level0=256 threads=128", "BTREE"}));
  EXPECT_EQ(scaled(row, 12).configs.front(), "LSM level0=4") << "the least";
  EXPECT_EQ(scaled(row, 32).load.recipe, (script_recipe{.inserts = 1, .erases = 1, .mix = 1, .batch = 1}));
  const sweep_row waves{.load = *workload_from_line("keys=2^20 lookups=0 inserts=2^16 erases=2^16 batch=2^13")};
  EXPECT_EQ(scaled(waves, 4).load.recipe, (script_recipe{.inserts = 1 << 12, .erases = 1 << 12, .batch = 512}));
  const sweep_row odd{.load = *workload_from_line("keys=2^20 lookups=0 inserts=1000 erases=3000 batch=1000")};
  for (const u32 bits : {1u, 2u, 3u, 4u, 5u, 6u}) {
    const script_recipe less = scaled(odd, bits).load.recipe;
    EXPECT_EQ(ceil_div(less.inserts, less.batch), 1u) << bits;
    EXPECT_EQ(ceil_div(less.erases, less.batch), 3u) << bits;
  }
  const sweep_row whole{.load = *workload_from_line("keys=2^20 lookups=0 inserts=2^16 erases=2^16")};
  EXPECT_EQ(scaled(whole, 4).load.recipe, (script_recipe{.inserts = 1 << 12, .erases = 1 << 12})) << "all at once";
  const sweep_row none{.load = *workload_from_line("keys=2^20 lookups=2^10")};
  EXPECT_EQ(scaled(none, 4).load.recipe, script_recipe{}) << "what is not there does not come";
}

}  // namespace
}  // namespace pivotscope
