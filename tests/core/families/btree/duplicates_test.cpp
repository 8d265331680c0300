// Trees that keep all entries of a key. The oracle checks every answer, whole_tree every invariant after every batch.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/index/family.hpp"
#include "core/index/latched_model.hpp"
#include "core/index/model.hpp"
#include "core/index/operations.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/verify/interleaving.hpp"
#include "core/workload/generate/seeded_bijection.hpp"
#include "tests/core/families/btree/whole_tree.hpp"
#include "tests/support/table_on_cpu.hpp"

namespace pivotscope {
namespace {

using testing::table_on_cpu;
using testing::whole_tree;

const char* const layouts_with_duplicates[] = {"BTREE duplicates=on", "BTREE duplicates=on layout=soa",
                                               "BTREE duplicates=on keys=u64",
                                               "BTREE duplicates=on keys=u64 layout=soa"};

u64 greatest_of(const std::string& line) {
  return config_from_line(line)->keys == key_width::u32 ? u64{~u32{0}} : ~u64{0};
}
whole_tree with_runs_after(const std::string& line, const std::vector<u64>& keys, const script& s) {
  table_on_cpu tree(line, keys);
  const script_record record = tree.run(s);
  whole_tree whole(*record.index);
  EXPECT_EQ(whole.fault(), "") << line;
  return whole;
}
// Each insert is a batch of its own.
script one_by_one(key_width width, const std::vector<u64>& keys) {
  script s(width);
  for (const u64 key : keys) s.add({operation::insert, key}), s.add({operation::matches, key});
  return s;
}

// Few keys, each many times, at both ends of the key space and between.
TEST(trees_with_runs, of_every_small_size_are_whole) {
  u64 trees = 0;
  for (const std::string layout : layouts_with_duplicates) {
    const u64 greatest = greatest_of(layout);
    const std::vector<u64> values = {5, 6, greatest, greatest - 1, 0, 9, greatest - 2};
    for (const char* knobs : {" node=8 lanes=1 fill=100", " node=8 lanes=2 fill=50", " node=16 lanes=4 fill=70"}) {
      const std::string line = layout + knobs;
      for (u64 distinct = 1; distinct <= values.size(); distinct += 2) {
        for (u64 n = 0; n <= 150; n += n < 40 ? 1 : 11) {
          std::vector<u64> keys(n);
          for (u64 i = 0; i < n; ++i) keys[i] = values[i * 7 % distinct];
          script s(config_from_line(line)->keys);
          for (const u64 key : values) s.add({operation::matches, key});
          for (const u64 key : values) s.add({operation::find, key});
          s.add({operation::range, 5, greatest}), s.add({operation::range, 0, greatest - 1});
          s.add({operation::successor, 5}), s.add({operation::successor, greatest - 2});
          s.add({operation::insert, 5}), s.add({operation::insert, greatest});
          ASSERT_EQ(with_runs_after(line, keys, s).all_entries().size(), n + 2) << line << ", " << n << " keys";
          ++trees;
        }
      }
    }
  }
  EXPECT_EQ(trees, 4u * 3 * 4 * 51);
}

// All leaves of seven pairs of three keys, and all twos of inserts into them.
TEST(trees_with_runs, of_all_full_leaves_take_any_two_keys) {
  u64 trees = 0;
  for (const std::string layout : layouts_with_duplicates) {
    const std::string line = layout + " node=8 lanes=1 fill=100";
    const u64 greatest = greatest_of(layout);
    for (const std::vector<u64>& values :
         {std::vector<u64>{10, 11, 30}, std::vector<u64>{0, greatest - 2, greatest - 1}}) {
      const std::vector<u64> into = {0, 5, values[0], 11, 12, values[1], values[2], greatest - 1, greatest};
      for (u64 first = 0; first <= 7; ++first) {
        for (u64 second = 0; first + second <= 7; ++second) {
          std::vector<u64> keys;
          for (u64 i = 0; i < 7; ++i) keys.push_back(values[i < first ? 0 : i < first + second ? 1 : 2]);
          for (const u64 a : into) {
            for (const u64 b : into) {
              const script s = one_by_one(config_from_line(line)->keys, {a, b, a});
              ASSERT_EQ(with_runs_after(line, keys, s).all_entries().size(), 10u)
                  << line << ": " << first << ", " << second << " pairs, then " << a << ", " << b;
              ++trees;
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(trees, 4u * 2 * 36 * 81);
}

std::vector<std::size_t> sizes_of(const whole_tree& tree) {
  std::vector<std::size_t> sizes;
  for (const auto& leaf : tree.leaf_keys()) sizes.push_back(leaf.size());
  return sizes;
}

// What lies where: a run begins, its new leaves come behind its first one, and no separator leads to them.
TEST(trees_with_runs, put_new_leaves_of_a_run_behind_its_first_one) {
  for (const std::string layout : layouts_with_duplicates) {
    const std::string line = layout + " node=8 lanes=1 fill=100";
    const key_width width = config_from_line(line)->keys;
    const std::vector<u64> seven(7, 10);
    using sizes = std::vector<std::size_t>;
    // The last leaf is the greatest key's.
    EXPECT_EQ(sizes_of(with_runs_after(line, seven, script(width))), (sizes{7, 0}));
    const whole_tree begun = with_runs_after(line, seven, one_by_one(width, {10}));
    EXPECT_EQ(sizes_of(begun), (sizes{7, 1, 0}));
    EXPECT_EQ(begun.separators(0), (std::vector<std::vector<u64>>{{0, 11}}));
    EXPECT_EQ(sizes_of(with_runs_after(line, seven, one_by_one(width, std::vector<u64>(7, 10)))), (sizes{7, 7, 0}));
    const whole_tree longer = with_runs_after(line, seven, one_by_one(width, std::vector<u64>(9, 10)));
    EXPECT_EQ(sizes_of(longer), (sizes{7, 2, 7, 0}));
    EXPECT_EQ(longer.separators(0), (std::vector<std::vector<u64>>{{0, 11}}));
    // A key between two, and one below.
    const whole_tree between = with_runs_after(line, seven, one_by_one(width, {10, 10, 11, 9, 10}));
    EXPECT_EQ(sizes_of(between), (sizes{1, 7, 4, 0}));
    EXPECT_EQ(between.separators(0), (std::vector<std::vector<u64>>{{0, 10, 11}}));
    // The greatest key has no separator, nor has what follows the one before it.
    const u64 greatest = greatest_of(line);
    const whole_tree ends = with_runs_after(line, {}, one_by_one(width, std::vector<u64>(16, greatest)));
    EXPECT_EQ(sizes_of(ends), (sizes{0, 7, 2, 7}));
    EXPECT_EQ(ends.separators(0), (std::vector<std::vector<u64>>{{0}}));
    const whole_tree before_it = with_runs_after(line, {}, one_by_one(width, std::vector<u64>(16, greatest - 1)));
    EXPECT_EQ(sizes_of(before_it), (sizes{7, 2, 7, 0}));
    EXPECT_EQ(before_it.separators(0), (std::vector<std::vector<u64>>{{0}}));
  }
}

// Leaves of one key alone, beside which ever greater or lesser keys come: not a leaf for each.
TEST(trees_with_runs, split_no_leaf_for_each_key_beside_a_run) {
  for (const std::string layout : layouts_with_duplicates) {
    const std::string line = layout + " node=8 lanes=1 fill=100";
    const key_width width = config_from_line(line)->keys;
    for (const bool above : {false, true}) {
      for (const bool up : {false, true}) {
        std::vector<u64> keys;
        for (u64 i = 0; i < 300; ++i) keys.push_back(above ? 1001 + i : 700 + i);
        if (!up) std::ranges::reverse(keys);
        const whole_tree tree = with_runs_after(line, std::vector<u64>(20, 1000), one_by_one(width, keys));
        EXPECT_LE(tree.leaf_keys().size(), 5 + 300u / 3) << line << (above ? " above" : " below") << (up ? " up" : "");
      }
    }
  }
}

// One pair beside six equal ones, and ever lesser keys between: the side that has room gets them.
TEST(trees_with_runs, give_keys_between_to_the_lighter_side) {
  for (const std::string layout : layouts_with_duplicates) {
    const std::string line = layout + " node=8 lanes=1 fill=100";
    std::vector<u64> keys(6, 1000), between;
    keys.push_back(5000);
    for (u64 i = 0; i < 300; ++i) between.push_back(4000 - i);
    const whole_tree tree = with_runs_after(line, keys, one_by_one(config_from_line(line)->keys, between));
    EXPECT_LE(tree.leaf_keys().size(), 5 + 300u / 3) << line;
  }
}

TEST(trees_with_runs, lose_all_entries_of_a_key_at_once) {
  for (const std::string layout : layouts_with_duplicates) {
    const std::string line = layout + " node=8 lanes=1";
    const u64 greatest = greatest_of(line);
    for (const u64 key : {u64{0}, u64{100}, greatest - 1, greatest}) {
      std::vector<u64> keys(50, key);
      for (u64 i = 1; i < 40; ++i) keys.push_back(10 * i);
      const auto others = static_cast<u64>(std::ranges::count_if(keys, [&](u64 k) { return k != key; }));
      script s(config_from_line(line)->keys);
      s.add({operation::erase, key}), s.add({operation::erase, 77});
      s.add({operation::find, key}), s.add({operation::matches, key}), s.add({operation::successor, 0});
      EXPECT_EQ(with_runs_after(line, keys, s).all_entries().size(), others) << line << ", " << key;
      // Emptied leaves of the run take entries again.
      for (u64 i = 0; i < 60; ++i) s.add({operation::insert, key});
      s.add({operation::matches, key});
      s.add({operation::erase, 90}), s.add({operation::insert, 95}), s.add({operation::insert, 101});
      s.add({operation::range, 90, greatest});
      s.add(maintenance::rebuild);
      s.add({operation::matches, key}), s.add({operation::find, key});
      EXPECT_EQ(with_runs_after(line, keys, s).all_entries().size(), others - 1 + 60 + 2) << line << ", " << key;
    }
  }
}

// A run keeps its leaves and its key when its entries are erased. Its first leaf then takes lesser keys, and many of one,
// which begin a run of their own before it.
TEST(trees_with_runs, begin_before_a_run_that_has_lost_its_entries) {
  u64 trees = 0;
  for (const std::string layout : layouts_with_duplicates) {
    const std::string line = layout + " node=8 lanes=1 fill=100";
    for (const u64 less : {u64{7}, u64{9}}) {
      for (u64 inserts = 1; inserts <= 30; ++inserts) {
        std::vector<u64> keys(13, 10);
        keys.push_back(less);
        script s(config_from_line(line)->keys);
        s.add({operation::erase, 10});
        std::vector<u64> more(inserts, less);
        more.insert(more.end(), {8, 9, 10, 11, 10, 9});
        for (const u64 key : more) s.add({operation::insert, key}), s.add({operation::matches, key});
        s.add({operation::find, 10}), s.add({operation::range, 0, 100}), s.add({operation::successor, 8});
        s.add({operation::erase, less}), s.add({operation::matches, less}), s.add({operation::successor, 0});
        const u64 of_less = 1 + inserts + (less == 9 ? 2 : 0), all = 1 + inserts + 6;
        ASSERT_EQ(with_runs_after(line, keys, s).all_entries().size(), all - of_less)
            << line << ": " << inserts << " times " << less;
        ++trees;
      }
    }
  }
  EXPECT_EQ(trees, 4u * 2 * 30);
}

// Writes of few keys, one after the other: runs begin, grow, are emptied, and others begin in their leaves.
TEST(trees_with_runs, of_drawn_writes_are_whole) {
  for (const std::string layout : {"BTREE duplicates=on", "BTREE duplicates=on keys=u64 layout=soa"}) {
    const std::string line = layout + " node=8 lanes=1";
    const u64 greatest = greatest_of(line);
    for (u64 seed = 0; seed < 60; ++seed) {
      u64 drawn = 0;
      const auto below = [&](u64 n) { return random_bits(seed, drawn++) % n; };
      const u64 different = 2 + below(7), spread = 1 + below(3), of_erases = 2 + below(30);
      const u64 base = below(3) == 0 ? greatest - (different - 1) * spread : 10;
      std::vector<u64> keys(below(40));
      for (u64& key : keys) key = base + spread * below(different);
      script s(config_from_line(line)->keys);
      for (u64 i = 0; i < 300; ++i) {
        const u64 key = base + spread * below(different);
        s.add({below(of_erases) == 0 ? operation::erase : operation::insert, key});
        if (i % 3 == 0) s.add({operation::matches, base + spread * below(different)});
      }
      with_runs_after(line, keys, s);
      ASSERT_FALSE(HasFailure()) << line << ", seed " << seed;
    }
  }
}

// Thousands of writes of few keys at once: runs begin, grow and are split beside each other.
TEST(trees_with_runs, of_many_writes_at_once_are_whole) {
  for (const std::string layout : layouts_with_duplicates) {
    for (const char* knobs :
         {" node=8 lanes=1", " node=16 lanes=4 wait=spin", " node=32 lanes=8 fill=100 wait=backoff"}) {
      const std::string line = layout + knobs;
      SCOPED_TRACE(line);
      const u64 greatest = greatest_of(line);
      script s(config_from_line(line)->keys);
      const auto key_of = [&](u64 i) { return i % 11 == 0 ? greatest - i % 3 : i * 2654435761u % 97 * 3; };
      for (u64 i = 0; i < 4000; ++i) s.add({operation::insert, key_of(i)});
      for (u64 i = 0; i < 20; ++i) s.add({operation::matches, key_of(i)});
      s.begin_mixed();
      for (u64 i = 0; i < 2000; ++i) {
        s.add({operation::insert, key_of(i * 3)});
        s.add({operation::find, key_of(i)});
        if (i % 5 == 0) s.add({operation::erase, key_of(i * 5)});
        if (i % 7 == 0) s.add({operation::range, i, i + 50});
        if (i % 7 == 3) s.add({operation::successor, i});
      }
      s.end_mixed();
      s.add({operation::range, 0, greatest});
      with_runs_after(line, std::vector<u64>(30, 6), s);
    }
  }
}

// The leaves of the greatest key, to which no separator leads, and of the one before it. The first is full, its run begins
// or gets longer, while another operation looks, erases or inserts.
TEST(trees_with_runs, of_the_greatest_keys_may_be_written_by_several) {
  const auto cpu = detail::open_cpu();
  u64 schedules = 0;
  for (const char* line : {"BTREE duplicates=on node=8 lanes=1", "BTREE duplicates=on node=8 lanes=1 layout=soa"}) {
    const index_config config = *config_from_line(line);
    const u64 greatest = greatest_of(line);
    for (const u64 key : {greatest, greatest - 1}) {
      for (const u64 entries : {7u, 8u, 14u}) {
        for (const operation other : all_operations) {
          if (check_serves(config, other)) continue;
          const u64 asked = other == operation::successor ? key - 1 : key;
          interleaved_case c{.keys = {1, key, key}, .operations = {{operation::insert, key}, {other, asked}}};
          for (u64 i = 2; i < entries; ++i) c.before.emplace_back(operation::insert, key);
          if (other == operation::range) c.operations[1].high = greatest;
          const auto pair = interleaving::make(*cpu, config, c);
          ASSERT_TRUE(pair) << pair.error().words;
          const interleaving_report report = (*pair)->two_switches();
          schedules += report.schedules;
          ASSERT_FALSE(report.failing) << report.words << ": " << to_text(c);
        }
      }
    }
  }
  EXPECT_GT(schedules, 2000u);
}

// Every two operations, one of which writes, where a run is about to begin, to get longer or to be split.
TEST(trees_with_runs, that_meet_come_to_what_some_order_of_them_does) {
  const auto cpu = detail::open_cpu();
  u64 schedules = 0, starts = 0;
  for (const char* line :
       {"BTREE duplicates=on node=8 lanes=1", "BTREE duplicates=on node=8 lanes=1 keys=u64 layout=soa"}) {
    const index_config config = *config_from_line(line);
    for (const tight_start& start : family_of(config).tight_starts(config)) {
      ++starts;
      for (const operation first : {operation::insert, operation::erase}) {
        for (const operation second :
             {operation::insert, operation::erase, operation::find, operation::range, operation::successor}) {
          for (const u64 other : {start.next[0], start.next[1]}) {
            if (config.keys == key_width::u64 && other == start.next[1]) continue;
            interleaved_case c{.keys = start.keys, .before = start.before};
            c.operations = {{first, start.next[0]}, {second, other}};
            for (question& o : c.operations)
              if (o.kind == operation::range) o.high = o.key + 2;
            const auto pair = interleaving::make(*cpu, config, c);
            ASSERT_TRUE(pair) << pair.error().words;
            const interleaving_report report = (*pair)->two_switches();
            schedules += report.schedules;
            ASSERT_FALSE(report.failing) << start.name << ": " << report.words << ": " << to_text(c);
          }
        }
      }
    }
  }
  EXPECT_EQ(starts, 2u * 6);
  EXPECT_GT(schedules, 10'000u);
}

std::vector<std::string> steps_of(const std::string& line, const std::vector<u64>& keys, const script& s,
                                  operation kind, u64 key, std::string& words) {
  table_on_cpu tree(line, keys);
  const script_record record = tree.run(s);
  const lookup_trace trace = *trace_write(*record.index, kind, key);
  std::vector<std::string> steps;
  for (const trace_step& step : trace.steps) steps.push_back(step.where + ": " + step.brief), words += step.words + " ";
  words += trace.verdict;
  return steps;
}

// A trace of an insert has a step for each stage.
TEST(trees_with_runs, say_how_a_run_begins_and_gets_longer) {
  using list = std::vector<std::string>;
  for (const std::string layout : layouts_with_duplicates) {
    const std::string line = layout + " node=8 lanes=1 fill=100";
    const key_width width = config_from_line(line)->keys;
    const std::vector<u64> seven(7, 10);
    const auto tell = [&](u64 entries, operation kind, std::string& words) {
      return steps_of(line, seven, one_by_one(width, std::vector<u64>(entries - 7, 10)), kind, 10, words);
    };
    std::string words;
    const list begins = {"root: ",
                         "leaf 0: latched, full",
                         "root: parent latched",
                         "leaf 2: sibling filled",
                         "leaf 0: a run begins",
                         "leaf 0: pairs left",
                         "root: separator stored",
                         "leaf 0: unlatched"};
    EXPECT_EQ(tell(7, operation::insert, words), begins);
    EXPECT_NE(words.find("All of its keys are 10: a run begins."), std::string::npos) << words;
    EXPECT_NE(words.find("The parent gets the separator 11"), std::string::npos) << words;
    words.clear();
    EXPECT_EQ(tell(8, operation::insert, words),
              (list{"root: ", "leaf 0: latched, full", "leaf 2: next leaf", "leaf 0: unlatched"}));
    EXPECT_NE(words.find("The run of 10 goes on in leaf 2, which is latched and has room"), std::string::npos) << words;
    words.clear();
    EXPECT_EQ(tell(14, operation::insert, words),
              (list{"root: ", "leaf 0: latched, full", "leaf 2: next leaf", "leaf 0: new leaf", "leaf 0: in the run",
                    "leaf 0: unlatched"}));
    EXPECT_NE(words.find("A new leaf, 3, gets the entry."), std::string::npos) << words;
    EXPECT_NE(words.find("The run of 10 is longer."), std::string::npos) << words;
    words.clear();
    EXPECT_EQ(tell(14, operation::erase, words), (list{"root: ", "leaf 0: ", "leaf 2: "}));
    EXPECT_NE(words.find("7 of its entries have the key 10, and are removed."), std::string::npos) << words;
    // The greatest key's first leaf, without a way down.
    words.clear();
    const u64 greatest = greatest_of(line);
    EXPECT_EQ(steps_of(line, std::vector<u64>(7, greatest), script(width), operation::insert, greatest, words),
              (list{"leaf 1: latched, full", "leaf 1: new leaf", "leaf 1: in the run", "leaf 1: unlatched"}));
  }
}

// What Tree writes above the leaves.
TEST(trees_with_runs, name_leaves_to_which_no_separator_leads) {
  for (const std::string layout : layouts_with_duplicates) {
    const std::string line = layout + " node=8 lanes=1 fill=100";
    const key_width width = config_from_line(line)->keys;
    table_on_cpu tree(line, std::vector<u64>(7, 10));
    const script_record record = tree.run(one_by_one(width, std::vector<u64>(9, 10)));
    const auto model = model_of(*record.index);
    const region_reader reader = [&](region_id region, u64 byte, std::span<std::byte> out) {
      return record.index->read(region, byte, out).ok();
    };
    std::vector<tree_node> nodes = model->nodes();
    ASSERT_TRUE(model->arrange(nodes, reader));
    std::vector<node_state> states;
    ASSERT_TRUE(staged(*model)->states_of(nodes, reader, states));
    std::vector<std::string> words;
    for (const node_state& state : states) words.push_back(state.words);
    EXPECT_EQ(words, (std::vector<std::string>{"in a run", "greatest key's"})) << line;
  }
}

TEST(trees_with_runs, are_refused_where_writes_keep_one_entry) {
  for (const char* line : {"BTREE duplicates=on writes=combined", "BTREE duplicates=on latches=coupled"}) {
    const auto config = config_from_line(line);
    ASSERT_FALSE(config) << line;
    EXPECT_NE(config.error().words.find("keeps one entry a key: choose duplicates=off"), std::string::npos)
        << config.error().words;
  }
}

}  // namespace
}  // namespace pivotscope
