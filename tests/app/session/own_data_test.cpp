// Keys and lookups of one's own, as the frame's thread sees them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/workload/own_numbers.hpp"
#include "core/workload/question_text.hpp"
#include "tests/app/session/session_fixture.hpp"

namespace pivotscope {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class own_data_test : public session_test {
 protected:
  std::vector<u64> keys() {
    std::vector<u64> values;
    for (u64 i = 0; i < now().keys->set->size(); ++i) values.push_back(now().keys->set->keys()[i]);
    return values;
  }
  void choose_file(const std::string& file) { on->choose_workload(with_keys(now().choice.load, {.file = file})); }
};

TEST_F(own_data_test, a_few_pasted_keys_stand_in_the_line) {
  open();
  ASSERT_TRUE(on->take_keys("30, 10\n20").ok());
  ASSERT_TRUE(until_runs(2));
  EXPECT_THAT(keys(), ElementsAre(30, 10, 20));
  EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
  EXPECT_EQ(now().runs->back().load.keys, 3u);
  ASSERT_TRUE(now().choice.key);
  EXPECT_EQ(on->scenario_line(),
            "EO+BS key_list=30,10,20 seed=1 lookups=64 hits=1 lookup=" + to_text(*now().choice.key));
  // And the line opens them again.
  const std::string line = on->scenario_line();
  on->choose_workload({});
  ASSERT_TRUE(until_runs(3));
  on->open_scenario(line);
  ASSERT_TRUE(until_runs(4));
  EXPECT_THAT(keys(), ElementsAre(30, 10, 20));
  EXPECT_EQ(on->scenario_line(), line);
  on.reset();  // waits for whatever is still to be kept
  EXPECT_FALSE(std::filesystem::exists(folder / "data" / "pasted")) << "what stands in the line needs no file";
}

TEST_F(own_data_test, what_is_no_key_changes_nothing) {
  open();
  const viz::session_choice before = now().choice;
  EXPECT_EQ(on->take_keys("1\ntwo").error().words, "line 2: 'two' is not an unsigned integer");
  EXPECT_THAT(on->take_keys("4294967296").error().words, HasSubstr("take keys=u64"));
  EXPECT_EQ(on->take_keys("").error().words, "there is no number in it");
  EXPECT_THAT(on->take_keys(std::string((16 << 20) + 1, ' ')).error().words, HasSubstr("put it into a file"));
  EXPECT_EQ(now().choice, before);
  EXPECT_EQ(now().runs->size(), 1u);
}

TEST_F(own_data_test, many_pasted_keys_are_kept_in_a_file) {
  open();
  std::string text;
  for (int i = 0; i < 65; ++i) text += std::to_string(1000 - i) + " ";
  ASSERT_TRUE(on->take_keys(text).ok());
  ASSERT_TRUE(until_runs(2));
  EXPECT_EQ(keys().size(), 65u);
  EXPECT_EQ(keys().front(), 1000u);
  const std::string file = now().choice.load.own_keys.file;
  EXPECT_THAT(file, HasSubstr((folder / "data" / "pasted" / "pasted-").string()));
  EXPECT_EQ(now().choice.load.keys, 65u);
  EXPECT_THAT(on->scenario_line(), HasSubstr("keys_from=" + file));
  // The same keys are the same file.
  on->choose_workload({});
  ASSERT_TRUE(until_runs(3));
  ASSERT_TRUE(on->take_keys("[" + text + "]").ok());
  ASSERT_TRUE(until_runs(4));
  EXPECT_EQ(now().choice.load.own_keys.file, file);
}

TEST_F(own_data_test, a_file_says_how_many_keys_and_lookups_there_are) {
  open();
  const std::string file = folder.write("keys.txt", "7\n5\n9\n5\n"), lookups = folder.write("lookups.txt", "5\n6\n");
  choose_file(file);
  ASSERT_TRUE(until_runs(2));
  EXPECT_THAT(keys(), ElementsAre(7, 5, 9, 5));
  EXPECT_EQ(now().choice.load.keys, 4u);
  EXPECT_EQ(now().runs->back().load.keys, 4u);
  on->choose_workload(with_batch(now().choice.load, {.numbers = {.file = lookups}}));
  ASSERT_TRUE(until_runs(3));
  EXPECT_EQ(now().choice.load.lookups, 2u);
  EXPECT_EQ(now().runs->back().record.operations, 2u);
  ASSERT_TRUE(now().own_lookups);
  EXPECT_EQ(now().own_lookups->load, now().choice.load);
  EXPECT_EQ(now().own_lookups->keys.size(), 2u);
  // Opening its line, which does not say how many, reads nothing again.
  script.take_calls();
  on->open_scenario(on->scenario_line());
  on->choose_config(*config_from_line("AO+BS"));
  ASSERT_TRUE(until_runs(4));
  EXPECT_EQ(now().choice.load.keys, 4u);
  EXPECT_EQ(now().choice.load.lookups, 2u);
  for (const std::string& call : script.take_calls()) EXPECT_EQ(call.find("load"), std::string::npos) << call;
}

// Nor are those of generated keys, where all of them are sorted, or misses are known by the keys.
TEST_F(own_data_test, lookups_that_no_formula_makes_alone_are_handed_over) {
  open();
  u32 runs = 1;
  workload load{.keys = 500, .dist = distribution::uniform, .lookups = 300, .hits = 0.5};
  const auto choose = [&] {
    on->choose_workload(load);
    ASSERT_TRUE(until_runs(++runs));
    EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
    EXPECT_EQ(now().own_lookups != nullptr, !each_by_formula(load)) << to_line(load);
    if (!now().own_lookups) return;
    EXPECT_EQ(now().own_lookups->load, load);
    const outcome<key_array> made = make_lookups(load, key_width::u32);
    for (u64 i = 0; i < 300; ++i) ASSERT_EQ(now().own_lookups->keys[i], (*made)[i]);
  };
  choose();
  load.order = lookup_order::sorted;
  choose();
  load.order = lookup_order::random, load.misses = miss_place::inside;
  choose();
  load.misses = miss_place::anywhere;
  choose();
  load.popular = popularity::zipf;
  choose();
  load.popular = popularity::hot;
  choose();
  load.popular = popularity::uniform, load.order = lookup_order::nearly;
  choose();
  load.order = lookup_order::random, load.dist = distribution::gaps;
  choose();
}

TEST_F(own_data_test, a_file_of_ranges_and_typed_ranges_are_run) {
  open();
  const std::string file = folder.write("ranges.txt", "1 9\n4,2\n");
  on->choose_workload(with_batch({}, {.numbers = {.file = file}, .kind = operation::range}));
  ASSERT_TRUE(until_runs(2));
  EXPECT_EQ(now().choice.load.ranges, 2u);
  EXPECT_EQ(now().choice.load.lookups, 0u);
  EXPECT_EQ(now().runs->back().record.kind, operation::range);
  EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
  on->choose_workload(with_batch({}, *lookups_from_text("7..20 9", key_width::u32)));
  ASSERT_TRUE(until_runs(3));
  EXPECT_EQ(now().runs->back().record.operations, 2u);
  EXPECT_EQ(now().own_lookups, nullptr) << "ranges have no tile";
}

TEST_F(own_data_test, a_file_that_cannot_be_read_says_why_and_the_old_index_stays) {
  open();
  const auto index = now().index;
  const std::string file = folder.write("keys.txt", "7\nfive\n");
  choose_file(file);
  ASSERT_TRUE(until_said(1));
  ASSERT_TRUE(seen.until([](const session_view& v) { return !v.job.running; }));
  EXPECT_EQ(now().notices[0].words, file + ":2: 'five' is not an unsigned integer");
  ASSERT_TRUE(now().unread);
  EXPECT_EQ(now().unread->of, now().choice.load.own_keys);
  EXPECT_EQ(now().unread->words, now().notices[0].words);
  EXPECT_EQ(now().index, index);
  // Mended, it is read when it is asked for again.
  folder.write("keys.txt", "7\n5\n");
  on->read_again();
  ASSERT_TRUE(until_runs(2));
  EXPECT_FALSE(now().unread);
  EXPECT_THAT(keys(), ElementsAre(7, 5));
}

TEST_F(own_data_test, a_file_that_changed_is_read_again_on_request) {
  open();
  choose_file(folder.write("keys.txt", "7\n5\n"));
  ASSERT_TRUE(until_runs(2));
  folder.write("keys.txt", "1\n2\n3\n");
  on->run_again();
  ASSERT_TRUE(until_runs(3));
  EXPECT_THAT(keys(), ElementsAre(7, 5)) << "nobody asked for it";
  on->read_again();
  ASSERT_TRUE(until_runs(4));
  EXPECT_THAT(keys(), ElementsAre(1, 2, 3));
  EXPECT_EQ(now().choice.load.keys, 3u);
}

TEST_F(own_data_test, keys_too_great_for_the_width_are_refused_where_they_are_chosen) {
  viz::session_choice start = papers();
  start.config.keys = key_width::u64;
  open(start);
  ASSERT_TRUE(on->take_keys("5000000000 1").ok());
  ASSERT_TRUE(until_runs(2));
  index_config narrow = now().choice.config;
  narrow.keys = key_width::u32;
  on->choose_config(narrow);
  ASSERT_TRUE(until_said(1));
  EXPECT_THAT(now().notices[0].words, HasSubstr("'5000000000' is too great for keys=u32"));
  EXPECT_EQ(now().choice.config.keys, key_width::u64);
  on->open_scenario("EO+BS key_list=5000000000 seed=1 lookups=1 hits=1");
  ASSERT_TRUE(until_said(2));
  EXPECT_THAT(now().notices[1].words, HasSubstr("too great"));
}

TEST_F(own_data_test, a_path_is_whole_in_the_line) {
  open();
  choose_file("no-such-keys.txt");
  ASSERT_TRUE(until_said(1));
  EXPECT_EQ(now().choice.load.own_keys.file.front(), '/');
  EXPECT_THAT(now().notices[0].words, AllOf(HasSubstr("cannot open /"), HasSubstr("no-such-keys.txt")));
}

}  // namespace
}  // namespace pivotscope
