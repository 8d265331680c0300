// Batches that change the index in view: applied, undone and redone, replayed from a line, refused, cancelled.
#include <gmock/gmock.h>

#include "core/index/config_text.hpp"
#include "core/run/stored_entries.hpp"
#include "core/workload/script_list.hpp"
#include "core/workload/script_text.hpp"
#include "tests/app/session/session_fixture.hpp"
#include "tests/support/method_lists.hpp"

namespace pivotscope {
namespace {

using ::testing::HasSubstr;

class updates : public session_test {
 protected:
  static viz::session_choice plain() {
    viz::session_choice choice = papers();
    choice.config = *config_from_line("PLAIN");
    return choice;
  }
  static pivotscope::script typed(std::string_view text) {
    return *script_from_text(text, key_width::u32, keys_a_line::several);
  }
  bool until_applied(std::size_t batches) {
    return seen.until([&](const session_view& v) {
      return !v.job.running && v.updates && v.updates->applied == batches && v.runs->back().load == v.choice.load;
    });
  }
  std::string line() { return to_line(now().choice.load); }
  std::vector<stored_entry> held() {
    std::vector<stored_entry> all = *stored_entries(*now().index);
    std::sort(all.begin(), all.end());
    return all;
  }
  bool holds(u64 key) {
    const std::vector<stored_entry> all = held();
    return std::any_of(all.begin(), all.end(), [&](const stored_entry& e) { return e.key == key; });
  }
};

TEST_F(updates, a_batch_changes_the_index_that_is_there_and_the_workloads_line) {
  open(plain());
  const auto built = now().index;
  on->apply(typed("insert 5 8"));
  ASSERT_TRUE(until_applied(1));
  EXPECT_THAT(script.take_calls(),
              ::testing::ElementsAre("cpu: insert PLAIN 2 1+0", "cpu: prepare PLAIN", "cpu: lookup PLAIN 64 1+0"));
  EXPECT_EQ(line(), "keys=14 distribution=paper seed=1 lookups=64 hits=1 script=+5,+8");
  EXPECT_NE(now().index, built);
  EXPECT_EQ(now().path->index, now().index);
  EXPECT_TRUE(holds(5) && holds(8));
  const viz::applied_batch& batch = now().updates->batches[0];
  EXPECT_EQ(batch.kind, "insert");
  EXPECT_EQ(batch.words, "+5,+8");
  EXPECT_EQ(batch.record.counts, (write_counts{.added = 2}));
  EXPECT_EQ(batch.record.check.wrong, 0u);
  on->apply(typed("begin\nerase 5 9\nfind 7\nend\nfind 8"));
  ASSERT_TRUE(until_applied(3));
  EXPECT_EQ(line(), "keys=14 distribution=paper seed=1 lookups=64 hits=1 script=+5,+8/(-5,-9,?7)/?8");
  EXPECT_FALSE(holds(5) || holds(9));
  EXPECT_EQ(now().updates->batches[1].kind, "mixed");
  EXPECT_EQ(now().updates->batches[2].record.check.checked, 1u);
  // The lookups of the workload are checked against the index as it is: 9 is gone, and is one of them.
  EXPECT_TRUE(now().runs->back().record.checked);
  EXPECT_EQ(now().runs->back().record.check.checked, 64u);
  EXPECT_LT(now().runs->back().record.check.found, 64u);
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(updates, undo_takes_the_index_before_and_redo_the_one_behind) {
  open(plain());
  std::vector<std::shared_ptr<const built_index>> states = {now().index};
  std::vector<std::string> lines = {line()};
  for (const char* text : {"insert 5", "insert 8", "erase 5"}) {
    on->apply(typed(text));
    ASSERT_TRUE(until_applied(states.size()));
    states.push_back(now().index);
    lines.push_back(line());
  }
  EXPECT_THAT(lines.back(), HasSubstr("script=+5/(+8)/-5"));
  script.take_calls();
  for (const std::size_t to : {2u, 0u, 3u, 1u}) {
    on->go_to_batch(to);
    ASSERT_TRUE(until_applied(to));
    EXPECT_EQ(now().index, states[to]) << to;
    EXPECT_EQ(line(), lines[to]);
    EXPECT_EQ(now().updates->batches.size(), 3u);
  }
  for (const std::string& call : script.take_calls()) EXPECT_THAT(call, ::testing::Not(HasSubstr("insert")));
  // What was undone is given up for what comes in its place.
  on->apply(typed("insert 2"));
  ASSERT_TRUE(until_applied(2));
  EXPECT_EQ(now().updates->batches.size(), 2u);
  EXPECT_FALSE(holds(8));
  on->go_to_batch(7);  // there is none
  on->go_to_batch(1);
  ASSERT_TRUE(until_applied(1));
  EXPECT_EQ(now().index, states[1]);
}

TEST_F(updates, a_line_brings_the_same_state) {
  open(plain());
  on->apply(typed("insert 5 8\nerase 9\nbegin\ninsert 5\nfind 5\nend"));
  ASSERT_TRUE(until_applied(3));
  const std::vector<stored_entry> there = held();
  const std::string scenario = on->scenario_line();
  EXPECT_THAT(scenario, HasSubstr("script=+5,+8/-9/(+5,?5)"));
  ASSERT_TRUE(on->open_scenario("PLAIN distribution=paper"));
  ASSERT_TRUE(until_applied(0));
  EXPECT_NE(held(), there);
  ASSERT_TRUE(on->open_scenario(scenario));
  ASSERT_TRUE(until_applied(3));
  EXPECT_EQ(held(), there);
  close();
  // Of another session as well, which has nothing of it yet.
  open(papers());
  ASSERT_TRUE(on->open_scenario(scenario));
  ASSERT_TRUE(until_applied(3));
  EXPECT_EQ(held(), there);
  EXPECT_EQ(on->scenario_line(), scenario);
}

// As a recipe it was given, not as the list of what the recipe draws.
TEST_F(updates, a_recipe_of_a_line_comes_back_with_its_batches) {
  open(plain());
  const std::string recipe = "keys=14 distribution=paper seed=1 lookups=64 hits=1 inserts=3 erases=2 mix=0";
  ASSERT_TRUE(on->open_scenario("PLAIN " + recipe));
  ASSERT_TRUE(until_applied(2));
  EXPECT_EQ(line(), recipe);
  on->go_to_batch(1);
  ASSERT_TRUE(until_applied(1));
  EXPECT_THAT(line(), HasSubstr(" script=+"));
  on->go_to_batch(2);
  ASSERT_TRUE(until_applied(2));
  EXPECT_EQ(line(), recipe);
}

TEST_F(updates, what_is_drawn_first_is_the_workloads_recipe) {
  open(plain());
  on->apply_drawn({.inserts = 3, .erases = 2});
  ASSERT_TRUE(until_applied(2));
  EXPECT_EQ(line(), "keys=14 distribution=paper seed=1 lookups=64 hits=1 inserts=3 erases=2 mix=0");
  const std::vector<stored_entry> there = held();
  on->apply_drawn({.inserts = 2, .erases = 1, .finds = 3, .mixed = true});
  ASSERT_TRUE(until_applied(3));
  EXPECT_EQ(now().updates->batches[2].record.operations, 6u);
  EXPECT_EQ(now().updates->batches[2].record.counts.added, 2u);
  EXPECT_THAT(line(), HasSubstr("script=+"));
  // The papers' keys go on with those that are not there yet.
  std::set<u64> keys;
  const auto all = now().updates->all;
  for (u64 i = 0; i < all->size(); ++i) {
    if (all->verb_of(i) != operation::insert) continue;
    EXPECT_TRUE(keys.insert((*all)[i].key).second);
  }
  on->go_to_batch(2);
  ASSERT_TRUE(until_applied(2));
  EXPECT_EQ(line(), "keys=14 distribution=paper seed=1 lookups=64 hits=1 inserts=3 erases=2 mix=0");
  EXPECT_EQ(held(), there);
}

TEST_F(updates, a_script_too_long_for_the_line_is_kept_in_a_file) {
  open(plain());
  on->apply_drawn({.inserts = 100, .erases = 0, .seed = 7});
  ASSERT_TRUE(until_applied(1));
  const std::vector<stored_entry> there = held();
  EXPECT_THAT(line(), HasSubstr("script_from="));
  EXPECT_EQ(there.size(), 114u);
  const std::string scenario = on->scenario_line();
  ASSERT_TRUE(on->open_scenario("PLAIN distribution=paper"));
  ASSERT_TRUE(until_applied(0));
  ASSERT_TRUE(on->open_scenario(scenario));
  ASSERT_TRUE(until_applied(1));
  EXPECT_EQ(held(), there);
}

TEST_F(updates, what_does_not_change_says_so_and_leaves_the_script_out) {
  viz::session_choice start = papers();
  start.load.own_script.list = "+5";
  open(start);
  EXPECT_EQ(now().updates->refused,
            "EO+BS is built once, so it has no inserts; " + testing::have_them({"PLAIN", "HT+OA"}, operation::insert));
  EXPECT_EQ(now().updates->applied, 0u);
  EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
  on->apply(typed("insert 5"));
  ASSERT_TRUE(until_said(1));
  EXPECT_EQ(now().notices[0].words, "EO+BS is built once, so it has no inserts; " +
                                        testing::have_them({"PLAIN", "HT+OA"}, operation::insert) + ".");
  // Another method takes the script up.
  on->choose_config(*config_from_line("PLAIN"));
  ASSERT_TRUE(until_applied(1));
  EXPECT_EQ(now().updates->refused, "");
  EXPECT_TRUE(holds(5));
}

TEST_F(updates, a_cancelled_batch_leaves_the_state_before) {
  open(plain());
  on->apply(typed("insert 5"));
  ASSERT_TRUE(until_applied(1));
  const session_view before = now();
  script.hold("cpu: erase");
  on->apply(typed("insert 8\nerase 5"));
  ASSERT_TRUE(script.wait_until_held());
  EXPECT_EQ(now().job.stage, "held");
  on->cancel();
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.job.stopped; }));
  EXPECT_EQ(now().index, before.index);
  EXPECT_EQ(now().choice, before.choice);
  EXPECT_EQ(now().updates->batches.size(), 1u);
  // So does a batch that fails, and one of a line.
  script.fail("cpu: erase", "no such luck");
  on->apply(typed("erase 5"));
  ASSERT_TRUE(until_said(1));
  ASSERT_TRUE(seen.until([](const session_view& v) { return !v.job.running; }));
  EXPECT_EQ(now().choice, before.choice);
  ASSERT_TRUE(on->open_scenario("PLAIN distribution=paper lookups=64 script=+5/-7"));
  ASSERT_TRUE(seen.until([&](const session_view& v) { return !v.job.running && v.choice.load == before.choice.load; }));
  EXPECT_EQ(now().index, before.index);
  script.fail("nothing", "");
  on->apply(typed("erase 5"));
  ASSERT_TRUE(until_applied(2));
  EXPECT_FALSE(holds(5));
}

// What was undone is given up for a batch once that is done, and not before.
TEST_F(updates, what_was_undone_can_be_redone_after_a_batch_that_was_cancelled) {
  open(plain());
  for (const std::size_t batches : {1u, 2u}) {
    on->apply(typed(batches == 1 ? "insert 5" : "begin\nfind 5\ninsert 8\nend"));
    ASSERT_TRUE(until_applied(batches));
  }
  const session_view last = now();
  on->go_to_batch(1);
  ASSERT_TRUE(until_applied(1));
  const session_view before = now();
  for (const char* text : {"erase 5", "insert 2\nerase 5"}) {
    script.hold("cpu: erase");
    on->apply(typed(text));
    ASSERT_TRUE(script.wait_until_held());
    on->cancel();
    ASSERT_TRUE(seen.until([](const session_view& v) { return v.job.stopped; }));
    EXPECT_EQ(now().index, before.index);
    EXPECT_EQ(now().choice, before.choice);
    EXPECT_EQ(now().updates->batches.size(), 2u);
    // Redone, and the workload's lookups with it.
    on->go_to_batch(2);
    ASSERT_TRUE(until_applied(2));
    EXPECT_EQ(now().index, last.index);
    EXPECT_EQ(now().choice.load, last.choice.load);
    EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
    on->go_to_batch(1);
    ASSERT_TRUE(until_applied(1));
    EXPECT_EQ(now().index, before.index);
  }
  // And the batch itself, in place of what was undone.
  on->apply(typed("insert 2\nerase 5"));
  ASSERT_TRUE(until_applied(3));
  EXPECT_TRUE(holds(2));
  EXPECT_FALSE(holds(5) || holds(8));
  EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
}

// By another choice, and not by the user: it is done to what was chosen.
TEST_F(updates, a_batch_that_another_choice_cancelled_is_done_to_that) {
  open(plain());
  on->apply(typed("insert 5"));
  ASSERT_TRUE(until_applied(1));
  for (const bool by_user : {true, false}) {
    SCOPED_TRACE(by_user);
    script.hold("PLAIN 2 1+0");
    on->apply(typed("begin\ninsert 8 2\nend"));
    ASSERT_TRUE(script.wait_until_held());
    on->apply(typed("erase 5"));
    if (by_user) on->cancel();
    on->choose_config(*config_from_line("HT+OA"));
    ASSERT_TRUE(until_applied(by_user ? 1 : 3));
    EXPECT_EQ(now().index->config(), *config_from_line("HT+OA"));
    EXPECT_EQ(line(), std::string("keys=14 distribution=paper seed=1 lookups=64 hits=1 script=+5") +
                          (by_user ? "" : "/(+8,+2)/-5"));
    EXPECT_EQ(holds(8) && holds(2), !by_user);
    EXPECT_EQ(holds(5), by_user);
    EXPECT_TRUE(now().notices.empty());
    if (!by_user) break;
    on->choose_config(*config_from_line("PLAIN"));
    ASSERT_TRUE(until_applied(1));
    EXPECT_EQ(now().index->config(), *config_from_line("PLAIN"));
  }
}

// A line that differs from what was done in its last operation alone, and not in its length.
TEST_F(updates, a_last_operation_that_was_edited_is_done_anew) {
  open(plain());
  const std::pair<const char*, u64> edits[] = {{"+5,+8", 8},           {"+5,+2", 2},         {"+5,+2/(?5,+8)", 8},
                                               {"+5,+2/(?5,-2)", 5},   {"+5,+2/(?5,-5)", 2}, {"+5,+2/(?5,-5)/?2", 2},
                                               {"+5,+2/(?5,-5)/?8", 2}};
  for (const auto& [list, kept] : edits) {
    SCOPED_TRACE(list);
    ASSERT_TRUE(on->open_scenario(fmt::format("PLAIN distribution=paper lookups=64 script={}", list)));
    const pivotscope::script wanted = *script_from_list(list, key_width::u32);
    ASSERT_TRUE(seen.until([&](const session_view& v) {
      return !v.job.running && v.updates->all && *v.updates->all == wanted && v.runs->back().load == v.choice.load;
    }));
    EXPECT_EQ(now().updates->applied, wanted.batches().size());
    EXPECT_TRUE(holds(kept));
    EXPECT_EQ(held().size(), 14 + wanted.inserts() - (std::string_view(list).find('-') != std::string_view::npos));
    EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
    EXPECT_TRUE(now().notices.empty());
  }
}

TEST_F(updates, a_file_whose_last_operation_was_edited_is_read_again_on_request) {
  open(plain());
  const auto path = folder / "script.txt";
  for (const u64 key : {8u, 2u}) {
    ASSERT_TRUE(write_script(path, typed(fmt::format("insert 5\nbegin\nfind 5\ninsert {}\nend", key))));
    if (key == 8) {
      ASSERT_TRUE(on->open_scenario("PLAIN distribution=paper lookups=64 script_from=" + path.string()));
    } else {
      on->read_again();
    }
    ASSERT_TRUE(seen.until([&](const session_view& v) {
      return !v.job.running && v.updates->applied == 2 && (*v.updates->all)[2].key == key;
    }));
    EXPECT_TRUE(holds(5) && holds(key));
    EXPECT_EQ(held().size(), 16u);
  }
}

TEST_F(updates, batches_that_come_quickly_are_done_one_after_the_other) {
  open(plain());
  script.hold("cpu: insert");
  on->apply(typed("insert 5"));
  ASSERT_TRUE(script.wait_until_held());
  on->apply(typed("erase 5"));
  on->go_to_batch(1);
  script.let_go();
  ASSERT_TRUE(seen.until([](const session_view& v) {
    return !v.job.running && v.updates && v.updates->applied == 1 && v.updates->batches.size() == 2;
  }));
  EXPECT_TRUE(holds(5));
}

TEST_F(updates, copies_the_script_of_what_is_applied) {
  open(plain());
  on->apply(typed("insert 5 8\nerase 9"));
  ASSERT_TRUE(until_applied(2));
  on->copy_script();
  EXPECT_EQ(clipboard, "insert 5\ninsert 8\nerase 9\n");
  on->go_to_batch(1);
  ASSERT_TRUE(until_applied(1));
  on->copy_script();
  EXPECT_EQ(clipboard, "insert 5\ninsert 8\n");
}

TEST_F(updates, a_traced_write_changes_nothing_and_is_of_the_index_in_view) {
  open(plain());
  const auto built = now().index;
  on->choose_key(question(operation::insert, 5));
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.path && v.path->trace.write; }));
  EXPECT_EQ(now().path->trace.write->row, 14u);
  EXPECT_EQ(now().index, built);
  EXPECT_FALSE(holds(5));
  EXPECT_THAT(on->scenario_line(), HasSubstr("=5"));
  // Of the index behind a batch it is the next row's.
  on->apply(typed("insert 8 8"));
  ASSERT_TRUE(until_applied(1));
  ASSERT_TRUE(now().path && now().path->trace.write);
  EXPECT_EQ(now().path->trace.write->row, 16u);
  EXPECT_EQ(now().path->index, now().index);
}

}  // namespace
}  // namespace pivotscope
