// What a sweep keeps in a folder: whatever goes wrong, and whenever, no point is lost that was measured, and none is
// measured twice.
#include "core/sweep/sweep_folder.hpp"

#include <gtest/gtest.h>

#include "core/common/sealed_json.hpp"
#include "core/common/whole_file.hpp"
#include "core/sweep/point_text.hpp"
#include "core/sweep/run_sweep.hpp"
#include "core/sweep/sweep_figures.hpp"
#include "core/sweep/sweep_shard.hpp"
#include "tests/app/given_machine.hpp"
#include "tests/support/failing_file_calls.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

// Four rows, of which the second is about the first one's config and relative to it; the third cannot be measured, the
// fourth answers wrong.
sweep four_rows() {
  const workload load{.keys = 300, .dist = distribution::uniform, .lookups = 200};
  workload impossible = load;
  impossible.keys = 3, impossible.dist = distribution::dense, impossible.hits = 0,
  impossible.misses = miss_place::inside;
  sweep_row first{.id = "first", .load = load, .configs = {"EO+BS", "AO+BS"}};
  first.series = "a", first.tick = 0;
  sweep_row second{.id = "second", .load = load, .configs_of = "first", .advised = false};
  second.wants = {{measure::rate, 0.5, wanted_in::rate_of_row, "first"}, {measure::sort_and_build, 9}};
  return {.name = "four",
          .sentence = "for tests",
          .source = "here",
          .rows = {first,
                   second,
                   {.id = "third", .load = impossible, .configs = {"AO+BS"}},
                   {.id = "fourth", .load = load, .configs = {"EO+KS fanout=5"}, .advised = false}}};
}

folder_head head_for(const sweep& of, u32 scale = 0) {
  folder_head head = head_of(of, scale, {.least = 2, .most = 2, .repeats = 7});
  head.program = "pivotscope 1", head.commit = "abc", head.machine = given_info(machine_kind::cpu);
  return head;
}

struct swept {
  status done = fine();
  std::vector<sweep_point> points = {};
  std::vector<std::string> measured = {};  // by this run
};

// Goes on with it, as the command line does; on a clock of its own.
swept sweep_into(const fs::path& folder, const sweep& what, const sweep& whole) {
  swept out;
  outcome<sweep_folder> into = sweep_folder::open(folder, whole, head_for(whole));
  if (!into) {
    out.done = into.error();
    return out;
  }
  for (const sweep_point& point : into->points())
    if (what.row(point.row.id) != nullptr) out.points.push_back(point);
  given_machine on(machine_kind::cpu);
  const auto stopped = [] { return std::chrono::steady_clock::time_point{}; };
  out.done = run_sweep(what, on, {}, {.now = stopped}, {}, out.points, [&](const sweep_point& point) {
    out.measured.push_back(point.row.id);
    return into->keep(point);
  });
  return out;
}
swept sweep_into(const fs::path& folder, const sweep& what) { return sweep_into(folder, what, what); }

// All that is told of them, but for the clocks, which are the computer's own.
std::string told(const sweep& of, std::vector<sweep_point> points) {
  for (sweep_point& point : points) point.clocks = "";
  return sweep_json(of, {}, points);
}

TEST(sweep_folders, keep_all_that_is_told) {
  const file_tree tree;
  const sweep what = four_rows();
  const swept first = sweep_into(tree.root() / "a", what);
  ASSERT_TRUE(first.done) << first.done.error().words;
  ASSERT_EQ(first.points.size(), 4u);
  EXPECT_EQ(first.measured, (std::vector<std::string>{"first", "second", "third", "fourth"}));
  EXPECT_EQ(first.points[1].wants.size(), 2u);
  EXPECT_FALSE(first.points[2].problem.empty());
  EXPECT_TRUE(first.points[3].wrong);
  const swept again = sweep_into(tree.root() / "a", what);
  EXPECT_TRUE(again.measured.empty());
  EXPECT_EQ(told(what, again.points), told(what, first.points));
  EXPECT_EQ(again.points[0].advised, first.points[0].advised);
  EXPECT_TRUE(again.points[3].wrong);
  EXPECT_EQ(files_of(tree.root() / "a").size(), 6u) << "a head, a lock, and a file for each row";
}

// Its "config" has no line.
TEST(sweep_folders, keep_a_search_without_an_index) {
  const file_tree tree;
  const workload load{.keys = 300, .dist = distribution::uniform, .lookups = 200};
  sweep what = four_rows();
  what.rows = {{.id = "standard", .load = load, .standard_search = true, .advised = false}};
  const swept first = sweep_into(tree.root() / "a", what);
  ASSERT_TRUE(first.done) << first.done.error().words;
  ASSERT_EQ(first.points.size(), 1u);
  ASSERT_NE(first.points[0].best(), nullptr) << first.points[0].problem;
  const swept again = sweep_into(tree.root() / "a", what);
  ASSERT_TRUE(again.done) << again.done.error().words;
  EXPECT_TRUE(again.measured.empty());
  EXPECT_EQ(told(what, again.points), told(what, first.points));
}

// As kill -9, a full disk or a power cut leave it, at each call of a file: what was kept is there, byte by byte, the rest
// is measured, and at most one row is measured twice.
TEST(sweep_folders, lose_one_point_at_most_whatever_happens) {
  const file_tree tree;
  const fs::path folder = tree.root() / "a";
  const sweep what = four_rows();
  const std::string all = told(what, sweep_into(tree.root() / "whole", what).points);
  u32 faults = 0, went_on = 0;
  with_every_fault(
      [&] { fs::remove_all(folder); }, [&] { return sweep_into(folder, what); },
      [&](const swept& before, const file_fault&, const failing_file_calls&) {
        ++faults;
        if (fs::exists(folder)) let_writers_die(folder);
        const std::map<std::string, std::string> kept =
            fs::exists(folder) ? files_of(folder) : std::map<std::string, std::string>{};
        const swept after = sweep_into(folder, what);
        ASSERT_TRUE(after.done) << after.done.error().words;
        EXPECT_EQ(told(what, after.points), all);
        EXPECT_GE(before.measured.size() + after.measured.size(), 4u);
        EXPECT_LE(before.measured.size() + after.measured.size(), 5u) << "the one that was not kept";
        went_on += !after.measured.empty();
        const std::map<std::string, std::string> now = files_of(folder);
        for (const auto& [name, bytes] : kept) {
          if (name.ends_with(".json")) {
            EXPECT_EQ(now.at(name), bytes) << name << " was written again";
          }
        }
        EXPECT_EQ(std::count_if(now.begin(), now.end(), [](const auto& f) { return f.first.ends_with(".json"); }), 5);
      });
  EXPECT_GT(faults, 100u);
  EXPECT_GT(went_on, 50u);
}

TEST(sweep_folders, are_one_process_s_at_a_time) {
  const file_tree tree;
  const sweep what = four_rows();
  const fs::path folder = tree.root() / "a";
  {
    const outcome<file_lock> held = take_folder(folder);
    ASSERT_TRUE(held);
    const swept second = sweep_into(folder, what);
    ASSERT_FALSE(second.done);
    EXPECT_TRUE(second.measured.empty());
    EXPECT_NE(
        second.done.error().words.find(fmt::format("is at work in {}: process {} on ", folder.string(), ::getpid())),
        std::string::npos)
        << second.done.error().words;
    ASSERT_TRUE(sweep_into(tree.root() / "b", what).done);
    const std::vector<fs::path> sources = {tree.root() / "b"};
    EXPECT_NE(merge_folders(sources, folder).error().words.find("another sweep is at work in "), std::string::npos);
    EXPECT_EQ(files_of(folder).size(), 1u) << "nothing but the lock";
  }
  EXPECT_TRUE(sweep_into(folder, what).done) << "a lock that nobody holds is none";
}

TEST(sweep_folders, are_of_one_measurement) {
  const file_tree tree;
  const sweep what = four_rows();
  ASSERT_TRUE(sweep_folder::open(tree.root() / "a", what, head_for(what)));
  const auto refusal = [&](const folder_head& head) {
    const auto opened = sweep_folder::open(tree.root() / "a", what, head);
    return opened ? std::string("accepted") : opened.error().words;
  };
  const auto has = [](const std::string& text, std::string_view part) {
    EXPECT_NE(text.find(part), text.npos) << text;
  };
  EXPECT_EQ(refusal(head_for(what)), "accepted");
  folder_head other = head_for(what);
  other.commit = "def";
  has(refusal(other),
      "was measured by pivotscope 1, commit abc, and this run by pivotscope 1, commit def; take another");
  has(refusal(head_for(what, 3)), "their workloads differ: in ");
  has(refusal(head_for(what, 3)), "counts are cut by 0 bits, in this run by 3");
  other = head_for(what), other.rounds.repeats = 8;
  has(refusal(other), "2 rounds of 7 runs each, and this run has 2 rounds of 8 runs each; ");
  other = head_for(what), other.machine.name = "Other";
  has(refusal(other), "was measured on Given Machine, driver 1.2 (made for tests), and this run on Other");
  other = head_for(what), other.machine.driver = "1.3";
  has(refusal(other),
      "was measured on Given Machine, driver 1.2 (made for tests), and this run on Given Machine, driver");
  other = head_for(what), other.machine.detail += "; compiled kernels are kept in /somebody/else";
  EXPECT_EQ(refusal(other), "accepted") << "the place of a cache is none of the machine's";
  sweep seed = what;
  seed.rows[0].load.seed = 9;
  has(refusal(head_for(seed)), "\"first: keys=300 distribution=uniform seed=1 ");
  other = head_for(what), other.sweep = "five";
  has(refusal(other), "has rows of the sweep four, and this run of five");
}

std::string text_of(const fs::path& file) {
  std::string text;
  EXPECT_EQ(read_whole_file(file, text), 0) << file;
  return text;
}

// The text with another value, as a program would have written it.
std::string sealed_with(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  nlohmann::json json = nlohmann::json::parse(text);
  json.erase("checksum");
  return sealed(json.dump(1) + "\n");
}

struct read_folder {
  std::string problem = {};
  std::vector<std::string> damaged = {}, rows = {};
};
read_folder rows_in(const fs::path& folder, const sweep& what) {
  const outcome<sweep_folder> read = sweep_folder::read(folder, what);
  if (!read) return {.problem = read.error().words};
  read_folder out{.damaged = read->damaged()};
  for (const sweep_point& point : read->points()) out.rows.push_back(point.row.id);
  return out;
}

// A measurement in a small folder, and every byte of every file of it wrong: it is named, stays where it is, and
// its row counts as not measured; without a head that is right there is no folder. Merging is alike.
TEST(sweep_folders, tell_a_wrong_byte_wherever_it_is) {
  const file_tree tree;
  sweep what = four_rows();
  what.rows.resize(2);
  const fs::path folder = tree.root() / "a", target = tree.root() / "both";
  ASSERT_TRUE(sweep_into(folder, what).done);
  const std::vector<fs::path> sources = {folder};
  u64 damages = 0;
  for (const auto& [name, text] : files_of(folder)) {
    if (!name.ends_with(".json")) continue;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const auto other =
          static_cast<char>(text[at] ^ (at % 2 == 0 ? 1 : 0x6f));  // a digit too is one then, or a letter
      std::string bad = text;
      bad[at] = other;
      tree.write(folder / name, bad);
      SCOPED_TRACE(fmt::format("byte {} of {} is {:#04x}", at, name, static_cast<u32>(static_cast<u8>(other))));
      ++damages;
      const read_folder now = rows_in(folder, what);
      if (name == "head.json") {
        const auto merged = merge_folders(sources, target);
        ASSERT_NE(now.problem.find("head.json is not what a sweep wrote ("), std::string::npos) << now.problem;
        ASSERT_FALSE(merged);
        ASSERT_NE(merged.error().words.find("head.json is not what a sweep wrote ("), std::string::npos);
        ASSERT_FALSE(fs::exists(target)) << "nothing was begun";
      } else {
        ASSERT_EQ(now.problem, "");
        ASSERT_EQ(now.damaged.size(), 1u);
        ASSERT_NE(now.damaged[0].find(name + " is damaged ("), std::string::npos) << now.damaged[0];
        ASSERT_EQ(now.rows, (std::vector<std::string>{name == "point-0000.json" ? "second" : "first"}));
      }
      if (name != "head.json" && at % 16 == 0) {  // it writes, and waits for the disk
        const auto merged = merge_folders(sources, target);
        ASSERT_TRUE(merged) << merged.error().words;
        ASSERT_EQ(merged->damaged, now.damaged);
        ASSERT_EQ(merged->points, 1u);
        ASSERT_FALSE(fs::exists(target / name));
        fs::remove_all(target);
      }
      ASSERT_EQ(text_of(folder / name), bad) << "it stays as it is";
    }
    tree.write(folder / name, text);
  }
  EXPECT_GT(damages, 2000u);
  EXPECT_EQ(rows_in(folder, what).rows.size(), 2u);
}

// Cut off anywhere, as a disk that was full leaves it.
TEST(sweep_folders, tell_a_file_that_was_cut_off) {
  const file_tree tree;
  sweep what = four_rows();
  what.rows.resize(2);
  ASSERT_TRUE(sweep_into(tree.root() / "a", what).done);
  const fs::path file = tree.root() / "a" / "point-0001.json";
  std::string text;
  ASSERT_EQ(read_whole_file(file, text), 0);
  for (std::size_t length = 0; length < text.size(); ++length) {
    tree.write(file, text.substr(0, length));
    const read_folder now = rows_in(tree.root() / "a", what);
    ASSERT_EQ(now.damaged.size(), 1u) << length;
    ASSERT_EQ(now.rows, (std::vector<std::string>{"first"})) << length;
  }
}

TEST(sweep_folders, measure_what_is_damaged_again_beside_it) {
  const file_tree tree;
  const sweep what = four_rows();
  const fs::path folder = tree.root() / "a", file = folder / "point-0001.json";
  const swept whole = sweep_into(folder, what);
  ASSERT_TRUE(whole.done);
  std::string text;
  ASSERT_EQ(read_whole_file(file, text), 0);
  for (u32 time = 2; time <= 3; ++time) {
    const fs::path now = time == 2 ? file : folder / "point-0001-2.json";
    tree.write(now, "{");
    const swept again = sweep_into(folder, what);
    ASSERT_TRUE(again.done) << again.done.error().words;
    EXPECT_EQ(again.measured, (std::vector<std::string>{"second"}));
    EXPECT_EQ(told(what, again.points), told(what, whole.points));
    EXPECT_EQ(files_of(folder).at(now.filename().string()), "{") << "it stays";
    EXPECT_EQ(files_of(folder).at(fmt::format("point-0001-{}.json", time)), text);
    EXPECT_TRUE(sweep_into(folder, what).measured.empty());
    EXPECT_EQ(rows_in(folder, what).damaged.size(), time - 1);
  }
  const std::vector<fs::path> sources = {folder};
  const auto merged = merge_folders(sources, tree.root() / "both");
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->points, 4u) << "the third one is right";
  EXPECT_EQ(files_of(tree.root() / "both").at("point-0001.json"), text);
}

// From before there were checksums: taken as they are.
TEST(sweep_folders, of_programs_that_wrote_no_checksum_are_read) {
  const file_tree tree;
  const sweep what = four_rows();
  const fs::path folder = tree.root() / "a";
  const swept whole = sweep_into(folder, what);
  ASSERT_TRUE(whole.done);
  for (const auto& [name, text] : files_of(folder)) {
    if (!name.ends_with(".json")) continue;
    nlohmann::json json = nlohmann::json::parse(text);
    json.erase("checksum"), json["format"] = 1;
    tree.write(folder / name, json.dump(1) + "\n");
  }
  const read_folder now = rows_in(folder, what);
  EXPECT_EQ(now.problem, "");
  EXPECT_TRUE(now.damaged.empty());
  EXPECT_EQ(now.rows.size(), 4u);
  EXPECT_TRUE(sweep_into(folder, what).measured.empty());
}

TEST(sweep_folders, refuse_what_is_another_measurement_s) {
  const file_tree tree;
  const sweep what = four_rows();
  ASSERT_TRUE(sweep_into(tree.root() / "a", what).done);
  const fs::path file = tree.root() / "a" / "point-0001.json";
  std::string text;
  ASSERT_EQ(read_whole_file(file, text), 0);
  fs::copy_file(file, tree.root() / "a" / "point-0000.json", fs::copy_options::overwrite_existing);
  EXPECT_NE(sweep_into(tree.root() / "a", what).done.error().words.find("it is of the row second"), std::string::npos);
  tree.write(tree.root() / "b" / "head.json", "{");
  EXPECT_NE(sweep_into(tree.root() / "b", what).done.error().words.find("head.json is not what a sweep wrote"),
            std::string::npos);
  EXPECT_NE(sweep_folder::read(tree.root() / "none", what).error().words.find("has no head.json"), std::string::npos);
}

// Points do not depend on each other, but where they lean on each other: those stay together.
TEST(sweep_folders, of_two_shards_merged_are_one_whole) {
  const file_tree tree;
  const sweep what = four_rows();
  const std::string whole = told(what, sweep_into(tree.root() / "whole", what).points);
  std::vector<fs::path> parts;
  for (const u32 number : {1u, 2u}) {
    const sweep part = shard_of(what, {number, 2}, 0);
    EXPECT_EQ(part.rows.size(), 2u);
    parts.push_back(tree.root() / std::to_string(number));
    ASSERT_TRUE(sweep_into(parts.back(), part, what).done);
  }
  const outcome<merged_folders> merged = merge_folders(parts, tree.root() / "both");
  ASSERT_TRUE(merged) << merged.error().words;
  EXPECT_EQ(merged->points, 4u);
  EXPECT_EQ(merged->rows, 4u);
  EXPECT_EQ(merged->twice, 0u);
  const outcome<sweep_folder> both = sweep_folder::read(tree.root() / "both", what);
  ASSERT_TRUE(both) << both.error().words;
  EXPECT_EQ(told(what, both->points()), whole);
  EXPECT_EQ(files_of(tree.root() / "both").size(), files_of(tree.root() / "whole").size());
  // Again, and a third one beside them: nothing new.
  parts.push_back(tree.root() / "both");
  EXPECT_EQ(merge_folders(parts, tree.root() / "both")->points, 4u);
}

TEST(sweep_folders, of_other_measurements_are_not_merged) {
  const file_tree tree;
  const sweep what = four_rows();
  folder_head other = head_for(what);
  other.commit = "def";
  ASSERT_TRUE(sweep_folder::open(tree.root() / "a", what, head_for(what)));
  ASSERT_TRUE(sweep_folder::open(tree.root() / "b", what, other));
  ASSERT_TRUE(sweep_folder::open(tree.root() / "c", what, head_for(what, 2)));
  const auto words_of = [&](const char* one, const char* two) {
    const std::vector<fs::path> parts = {tree.root() / one, tree.root() / two};
    const auto merged = merge_folders(parts, tree.root() / "out");
    return merged ? std::string("merged") : merged.error().words;
  };
  EXPECT_TRUE(words_of("a", "b").starts_with("cannot merge: ")) << words_of("a", "b");
  EXPECT_NE(words_of("a", "b").find("commit abc, and "), std::string::npos);
  EXPECT_NE(words_of("a", "c").find("their workloads differ"), std::string::npos);
  EXPECT_FALSE(fs::exists(tree.root() / "out")) << "nothing was begun";
  EXPECT_NE(words_of("a", "none").find("none has no head.json"), std::string::npos);
  EXPECT_FALSE(merge_folders({}, tree.root() / "out"));
}

// A build of changed sources says by a number what had changed; one that does not may be any.
TEST(sweep_folders, of_changed_sources_are_one_measurement_where_the_changes_are_the_same) {
  const sweep what = four_rows();
  const auto why = [&](const char* one, const char* two) {
    folder_head a = head_for(what), b = head_for(what);
    a.commit = one, b.commit = two;
    return not_one_measurement(a, "A", b, "B").value_or("the same");
  };
  EXPECT_EQ(why("abc-dirty.1f", "abc-dirty.1f"), "the same");
  EXPECT_NE(why("abc-dirty.1f", "abc-dirty.2e").find(": both are of abc, with other changes to its sources"),
            std::string::npos);
  EXPECT_EQ(
      why("abc-dirty", "abc-dirty"),
      "A and B were measured by builds of commit abc whose sources had been changed, which do not say how, and so may "
      "be two programs; commit the changes, and measure again");
  EXPECT_EQ(why("abc", "abc-dirty.1f").find("other changes"), std::string::npos);
}

// Heads are the same, and a point is another measurement's: a file that was copied, or written over.
TEST(sweep_folders, of_points_of_other_measurements_are_not_merged) {
  const file_tree tree;
  const sweep what = four_rows();
  ASSERT_TRUE(sweep_into(tree.root() / "a", what).done);
  ASSERT_TRUE(sweep_folder::open(tree.root() / "b", what, head_for(what)));
  const std::string text = text_of(tree.root() / "a" / "point-0001.json");
  const auto merged = [&](const std::string& from, const std::string& to) {
    tree.write(tree.root() / "b" / "point-0001.json", from.empty() ? text : sealed_with(text, from, to));
    const std::vector<fs::path> parts = {tree.root() / "a", tree.root() / "b"};
    const auto done = merge_folders(parts, tree.root() / "out");
    const std::string words = done ? "merged" : done.error().words;
    EXPECT_EQ(fs::exists(tree.root() / "out"), done.ok()) << "nothing was begun";
    fs::remove_all(tree.root() / "out");
    return words;
  };
  const auto has = [](const std::string& words, std::string_view part) {
    EXPECT_NE(words.find(part), words.npos) << words;
  };
  EXPECT_EQ(merged("", ""), "merged");
  has(merged("seed=1", "seed=2"), "cannot merge: ");
  has(merged("seed=1", "seed=2"),
      "point-0001.json is not the sweep's (it is of the seed 2, and the sweep's row second of 1): remove it");
  has(merged("lookups=200", "lookups=201"), "it is of another workload: \"keys=300 ");
  has(merged("\"second\"", "\"first\""), "it is of the row first, and not of \"second: ");
  has(merged("\"Given Machine\"", "\"Other\""),
      "it was measured on Other, driver 1.2 (made for tests), and the sweep on Given Machine, driver 1.2");
  has(merged("\"1.2\"", "\"1.3\""), "it was measured on Given Machine, driver 1.3");
  has(merged("\"row\"", "\"wor\""), "the field 'row' is missing");
  // So it is where a folder is read.
  merged("\"Given Machine\"", "\"Other\"");
  has(sweep_folder::read(tree.root() / "b", what).error().words, "it was measured on Other");
  // Rows of another kind of machine are of one of those.
  merged("\"cpu\"", "\"cuda\"");
  const std::vector<fs::path> parts = {tree.root() / "a", tree.root() / "b"};
  EXPECT_TRUE(merge_folders(parts, tree.root() / "out"));
  std::string second = text_of(tree.root() / "a" / "point-0000.json");
  for (const auto& [from, to] : {std::pair{"\"cpu\"", "\"cuda\""}, {"\"Given Machine\"", "\"Other\""}})
    second = sealed_with(second, from, to);
  tree.write(tree.root() / "b" / "point-0000.json", second);
  has(merge_folders(parts, tree.root() / "out2").error().words, "driver 1.2 (made for tests), and others on Other");
}

TEST(sweep_shards, have_every_row_once) {
  for (const sweep& whole : sweeps()) {
    for (const u32 of : {1u, 2u, 3u, 16u, 200u}) {
      SCOPED_TRACE(fmt::format("{} in {}", whole.name, of));
      std::map<std::string, u32> shard_of_row;
      std::size_t rows = 0;
      for (u32 number = 1; number <= of; ++number) {
        for (const sweep_row& row : shard_of(whole, {number, of}, 0).rows) shard_of_row[row.id] = number, ++rows;
      }
      EXPECT_EQ(rows, whole.rows.size());
      EXPECT_EQ(shard_of_row.size(), whole.rows.size());
      for (const sweep_row& row : whole.rows) {
        EXPECT_TRUE(row.configs_of.empty() || shard_of_row[row.id] == shard_of_row[row.configs_of]) << row.id;
        for (const want& wanted : row.wants)
          EXPECT_TRUE(wanted.row.empty() || shard_of_row[row.id] == shard_of_row[wanted.row]) << row.id;
      }
    }
  }
}

TEST(sweep_shards, take_about_as_long_each) {
  const sweep& whole = **find_sweep("lightweight-20a");
  double least = 1e300, most = 0;
  for (u32 number = 1; number <= 8; ++number) {
    double weight = 0;
    for (const sweep_row& row : shard_of(whole, {number, 8}, 0).rows) weight += weight_of(row, 2);
    least = std::min(least, weight), most = std::max(most, weight);
  }
  EXPECT_LT(most, 2 * least) << "a row at 2^28 is an eighth of one";
}

TEST(sweep_shards, are_read) {
  EXPECT_EQ(parse_shard("3/16")->number, 3u);
  EXPECT_EQ(parse_shard("3/16")->of, 16u);
  for (const char* bad : {"", "3", "3/", "/3", "0/3", "4/3", "1/0", "1/10001", "1/2/3", "-1/2", "a/b"})
    EXPECT_FALSE(parse_shard(bad)) << bad;
  EXPECT_EQ(parse_shard("4/3").error().words, "shard 4 is not one of 1 to 3");
}

}  // namespace
}  // namespace pivotscope
