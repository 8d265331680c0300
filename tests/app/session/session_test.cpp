// A session as the frame's thread sees it: choices, keys, scenarios and notices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/files/snapshot_files.hpp"
#include "core/families/ordered/mapping.hpp"
#include "core/index/check.hpp"
#include "core/tuning/tuning_store.hpp"
#include "tests/app/session/session_fixture.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using viz::session_view;
using strings = std::vector<std::string>;

TEST_F(session_test, goes_over_to_cuda_when_it_is_there_and_no_machine_was_chosen) {
  begin(papers(), false);
  ASSERT_TRUE(seen.until([](const session_view& v) {
    return v.machines && !v.job.running && !v.runs->empty() && v.runs->back().record.machine.kind == machine_kind::cuda;
  }));
  EXPECT_EQ(now().choice.machine, machine_kind::cuda);
  EXPECT_EQ(now().index->kind(), machine_kind::cuda);
  ASSERT_EQ(now().machines->size(), 2u);
  EXPECT_EQ(now().machines->front().info.name, "a test's cuda");
}

TEST_F(session_test, stays_with_the_machine_that_was_chosen) {
  open(papers(), true);
  EXPECT_EQ(now().choice.machine, machine_kind::cpu);
  EXPECT_EQ(now().machines->size(), 2u);
}

TEST_F(session_test, stays_on_the_cpu_when_there_is_no_other) {
  script.cuda_is_there(false);
  open(papers(), false);
  EXPECT_EQ(now().choice.machine, machine_kind::cpu);
  on->choose_machine(machine_kind::cuda);
  ASSERT_TRUE(until_said(1));
  EXPECT_EQ(now().notices[0].words, "no such machine");
  EXPECT_TRUE(now().notices[0].fault);
}

TEST_F(session_test, chooses_a_config) {
  open();
  on->choose_config(*config_from_line("AO+PB+KS"));
  ASSERT_TRUE(until_runs(2));
  EXPECT_THAT(script.take_calls(),
              ElementsAre("cpu: build AO+PB+KS", "cpu: prepare AO+PB+KS", "cpu: lookup AO+PB+KS 64 1+0"));
  EXPECT_EQ(now().choice.key, question(9));  // the same keys: it stays
  EXPECT_EQ(now().path->trace.key, 9u);
  EXPECT_EQ(now().path->index, now().index);
  // The same once more is nothing.
  on->choose_config(*config_from_line("AO+PB+KS"));
  on->run_again();
  ASSERT_TRUE(until_runs(3));
  EXPECT_THAT(script.take_calls(), ElementsAre("cpu: prepare AO+PB+KS", "cpu: lookup AO+PB+KS 64 1+0"));
  // Other keys have other telling ones.
  on->choose_config(*config_from_line("EO+BS keys=u64"));
  ASSERT_TRUE(until_runs(4));
  EXPECT_EQ(now().choice.key, question(11));
}

TEST_F(session_test, refuses_a_config_in_words) {
  open();
  ordered_config bad;
  bad.lanes = 7;
  on->choose_config(bad);
  ASSERT_EQ(now().notices.size(), 1u);
  EXPECT_EQ(now().notices[0].words, *check(bad));
  EXPECT_TRUE(now().notices[0].fault);
  EXPECT_EQ(now().choice, papers());
}

TEST_F(session_test, chooses_a_workload) {
  open();
  workload load = papers().load;
  load.lookups = 65;
  on->choose_workload(load);
  EXPECT_EQ(now().choice.key, question(9));
  ASSERT_TRUE(until_runs(2));
  EXPECT_THAT(script.take_calls(), ElementsAre("cpu: prepare EO+BS", "cpu: lookup EO+BS 65 1+0"));
  load.ranges = 3;
  on->choose_workload(load);
  EXPECT_EQ(now().choice.key, question(9));
  ASSERT_TRUE(until_runs(3));
  load = {.keys = 100, .dist = distribution::dense, .lookups = 65};
  on->choose_workload(load);
  ASSERT_TRUE(until_runs(4));
  ASSERT_TRUE(now().choice.key);
  EXPECT_EQ(now().choice.key->key, now().path->trace.key);
  EXPECT_EQ(now().path->index, now().index);
  script.take_calls();
  on->choose_workload(load);
  on->run_again();
  ASSERT_TRUE(until_runs(5));
  EXPECT_THAT(script.take_calls(), ElementsAre("cpu: prepare EO+BS", "cpu: lookup EO+BS 65 1+0"));
}

TEST_F(session_test, refuses_a_workload_in_words) {
  open();
  workload bad;
  bad.hits = 2;
  on->choose_workload(bad);
  ASSERT_EQ(now().notices.size(), 1u);
  EXPECT_EQ(now().notices[0].words, "hits=2 is not between 0 and 1");
  EXPECT_TRUE(now().notices[0].fault);
  EXPECT_EQ(now().choice, papers());
}

TEST_F(session_test, chooses_a_machine) {
  open();
  on->choose_machine(machine_kind::cuda);
  EXPECT_EQ(now().choice.machine, machine_kind::cuda);
  ASSERT_TRUE(until_runs(2));
  EXPECT_EQ(script.take_calls().front(), "cuda: open");
  on->choose_machine(machine_kind::cuda);
  on->measure();
  ASSERT_TRUE(until_runs(3));
  EXPECT_THAT(script.take_calls(), ElementsAre("cuda: prepare EO+BS", "cuda: lookup EO+BS 64 0.5% in 5 s+3"));
  EXPECT_EQ(now().runs->back().origin, viz::provenance::measured);
}

TEST_F(session_test, stops_what_runs) {
  script.hold("lookup");
  begin();
  ASSERT_TRUE(script.wait_until_held());
  on->cancel();
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.job.stopped; }));
  EXPECT_TRUE(now().runs->empty());
}

// What the window shows is what `pivotscope trace` prints, to the last byte read.
TEST_F(session_test, walks_the_steps_that_a_trace_has) {
  viz::session_choice start = papers();
  start.load = workload{.keys = 300, .dist = distribution::duplicates, .lookups = 16};
  open(start);
  for (const char* line :
       {"AO+BS", "AO+KS fanout=5 layout=soa", "EO+BS pin=full scratch=64", "EO+KS fanout=9 lanes=4",
        "AO+PB+BS pivots=2", "AO+PB+KS fanout=17 lanes=2 keys=u64", "EO+KS scan=cooperative", "PLAIN lanes=8"}) {
    const index_config config = *config_from_line(line);
    on->choose_config(config);
    for (const question& what : {question(12), question(1u << 31), question(operation::range, 5, 1000000)}) {
      on->choose_key(what);
      ASSERT_TRUE(seen.until([&](const session_view& v) {
        return v.index && v.index->config() == config && v.path && v.path->index == v.index &&
               question_of(v.path->trace) == what;
      })) << line;
      const outcome<lookup_trace> traced = trace_of(*now().index, what);
      ASSERT_TRUE(traced.ok());
      EXPECT_EQ(nlohmann::json(now().path->trace).dump(), nlohmann::json(*traced).dump()) << line;
      EXPECT_EQ(to_text(now().path->trace, true), to_text(*traced, true)) << line;
    }
  }
}

TEST_F(session_test, walks_a_key_and_a_range) {
  open();
  on->choose_key(question(12));
  EXPECT_EQ(now().choice.key, question(12));
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.path && v.path->trace.key == 12; }));
  EXPECT_EQ(now().path->index, now().index);
  on->choose_key(question(operation::range, 4, 12));
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.path && v.path->trace.range; }));
  EXPECT_EQ(now().path->trace.range->answer.count, 8u);
  on->choose_key(question(operation::successor, 9));
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.path && v.path->trace.successor; }));
  EXPECT_EQ(now().path->trace.successor->key, 10u);
  on->choose_key(std::nullopt);
  EXPECT_EQ(now().choice.key, std::nullopt);
  EXPECT_EQ(now().path, nullptr);
  EXPECT_THAT(script.calls(), IsEmpty());
}

TEST_F(session_test, a_path_that_comes_too_late_is_not_shown) {
  open();
  script.hold("read");
  on->choose_key(question(12));
  ASSERT_TRUE(script.wait_until_held());
  on->choose_key(std::nullopt);
  script.let_go();
  on->choose_key(question(4));
  ASSERT_TRUE(seen.until([](const session_view& v) {
    EXPECT_TRUE(!v.path || v.path->trace.key != 12);
    return v.path && v.path->trace.key == 4;
  }));
}

TEST_F(session_test, a_walk_that_fails_is_said) {
  open();
  script.fail("read", "the device is lost");
  on->choose_key(question(12));
  ASSERT_TRUE(until_said(1));
  EXPECT_EQ(now().notices[0].words, "the device is lost");
  EXPECT_TRUE(now().notices[0].fault);
  on->dismiss(0);
  on->choose_random_key(true);
  ASSERT_TRUE(until_said(1));
  EXPECT_EQ(now().notices[0].words, "the device is lost");
  EXPECT_TRUE(now().notices[0].fault);
  on->dismiss(0);
  on->choose_random_key(false);
  ASSERT_TRUE(until_said(1));
  EXPECT_EQ(now().notices[0].words, "the device is lost");
  on->dismiss(0);
  on->choose_key_at(ordered_region::entries, 3);
  ASSERT_TRUE(until_said(1));
  EXPECT_EQ(now().notices[0].words, "the device is lost");
  EXPECT_TRUE(now().notices[0].fault);
  EXPECT_EQ(now().choice.key, question(12));
}

TEST_F(session_test, random_keys_are_hits_and_misses_as_asked) {
  for (const char* config : {"EO+BS", "AO+PB+KS layout=soa keys=u64", "PLAIN"}) {
    viz::session_choice choice = papers();
    choice.config = *config_from_line(config);
    choice.load = {.keys = 300, .dist = distribution::ends, .lookups = 64};  // with 0 and the greatest
    open(choice);
    std::set<u64> there, drawn;
    for (u64 i = 0; i < 300; ++i) there.insert(now().keys->set->keys()[i]);
    for (const bool hit : {true, false}) {
      for (u32 draw = 0; draw < 40; ++draw) {
        on->choose_key(std::nullopt);
        on->choose_random_key(hit);
        ASSERT_TRUE(seen.until([](const session_view& v) { return v.choice.key && v.path; }));
        const u64 key = now().choice.key->key;
        EXPECT_EQ(there.contains(key), hit) << key;
        EXPECT_EQ(now().path->trace.row != not_found, hit);
        EXPECT_EQ(now().choice.key->kind, operation::find);
        drawn.insert(key);
      }
      EXPECT_GT(drawn.size(), 15u);
      drawn.clear();
    }
    EXPECT_TRUE(now().notices.empty());
    close();
  }
}

TEST_F(session_test, a_random_key_is_another_one_where_there_is_one) {
  for (const u64 keys : {2u, 1u}) {
    viz::session_choice choice = papers();
    choice.load = {.keys = keys, .dist = distribution::uniform, .lookups = 8};
    open(choice);
    u64 before = now().keys->set->keys()[0];
    on->choose_key(question(before));
    ASSERT_TRUE(seen.until([&](const session_view& v) { return v.path && v.path->trace.key == before; }));
    for (u32 draw = 0; draw < 20; ++draw) {
      std::shared_ptr<const viz::path_data> path = now().path;
      on->choose_random_key(true);
      ASSERT_TRUE(seen.until([&](const session_view& v) { return v.path && v.path != path; }));
      EXPECT_EQ(now().choice.key->key != before, keys == 2);
      before = now().choice.key->key;
    }
    close();
  }
}

TEST_F(session_test, misses_lie_beside_keys_and_anywhere) {
  viz::session_choice choice = papers();
  choice.load = {.keys = 64, .dist = distribution::dense, .lookups = 64};
  open(choice);
  // Of dense keys only the last has a neighbour that is none: most misses lie anywhere.
  u32 far = 0;
  for (u32 draw = 0; draw < 40; ++draw) {
    on->choose_key(std::nullopt);
    on->choose_random_key(false);
    ASSERT_TRUE(seen.until([](const session_view& v) { return v.choice.key && v.path; }));
    EXPECT_GE(now().choice.key->key, 64u);
    far += now().choice.key->key > 1000;
  }
  EXPECT_GE(far, 20u);
  close();
  choice.load = {.keys = 64, .dist = distribution::uniform, .lookups = 64};
  open(choice);
  std::set<u64> beside;
  for (u64 i = 0; i < 64; ++i) beside.insert(now().keys->set->keys()[i] + 1);
  for (u32 draw = 0; draw < 10; ++draw) {
    on->choose_key(std::nullopt);
    on->choose_random_key(false);
    ASSERT_TRUE(seen.until([](const session_view& v) { return v.choice.key && v.path; }));
    EXPECT_TRUE(beside.contains(now().choice.key->key));
  }
}

TEST_F(session_test, an_empty_index_has_no_key_to_draw) {
  viz::session_choice choice;
  choice.load = {.keys = 0, .dist = distribution::uniform, .lookups = 64};
  open(choice);
  EXPECT_EQ(now().choice.key, std::nullopt);
  on->choose_random_key(true);
  ASSERT_TRUE(until_said(1));
  EXPECT_EQ(now().notices[0].words, "There is no key to draw: the index is empty.");
  EXPECT_FALSE(now().notices[0].fault);
  on->choose_random_key(false);
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.choice.key && v.path; }));
  EXPECT_EQ(now().path->trace.row, not_found);
}

TEST_F(session_test, the_key_of_a_slot_is_the_one_it_holds) {
  for (const char* line : {"EO+KS", "AO+PB+KS keys=u64", "AO+PB+BS layout=soa", "AO+BS keys=u64 layout=soa"}) {
    viz::session_choice choice = papers();
    choice.config = *config_from_line(line);
    choice.load = {.keys = 100, .dist = distribution::uniform, .lookups = 64};
    open(choice);
    const ordered_config& config = choice.config;
    const index_shape shape = shape_of(*now().index);
    std::vector<u64> sorted;
    for (u64 i = 0; i < 100; ++i) sorted.push_back(now().keys->set->keys()[i]);
    std::sort(sorted.begin(), sorted.end());
    const auto expect_key = [&](region_id array, u64 slot, u64 rank) {
      if (rank == no_rank) return;
      on->choose_key(std::nullopt);
      on->choose_key_at(array, slot);
      ASSERT_TRUE(seen.until([](const session_view& v) { return v.choice.key && v.path; }));
      EXPECT_EQ(now().choice.key->key, sorted[rank]) << line << " slot " << slot;
    };
    for (const u64 slot : {u64{1}, u64{8}, shape.entry_slots - 1})
      expect_key(ordered_region::entries, slot, entry_rank(config, shape, slot));
    for (u64 slot = 0; slot < shape.pivot_slots; slot += 3)
      expect_key(ordered_region::pivots, slot, pivot_rank(config, shape, slot));
    close();
  }
}

TEST_F(session_test, before_there_is_an_index_keys_wait) {
  script.hold("open");
  begin();
  ASSERT_TRUE(script.wait_until_held());
  on->choose_random_key(true);
  on->choose_key_at(ordered_region::entries, 1);
  on->choose_key(question(12));
  script.let_go();
  ASSERT_TRUE(until_runs(1));
  EXPECT_EQ(now().choice.key, question(12));
  EXPECT_EQ(now().path->trace.key, 12u);
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(session_test, notices_are_dismissed_one_by_one) {
  open();
  for (const char* words : {"a", "b", "c"}) on->tell({words, false});
  on->dismiss(1);
  ASSERT_EQ(now().notices.size(), 2u);
  EXPECT_EQ(now().notices[0].words, "a");
  EXPECT_EQ(now().notices[1].words, "c");
  on->dismiss(2);
  EXPECT_EQ(now().notices.size(), 2u);
  on->dismiss(1);
  on->dismiss(0);
  on->dismiss(0);
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(session_test, copies_the_scenario) {
  open();
  const std::string line = "EO+BS keys=14 distribution=paper seed=1 lookups=64 hits=1 lookup=9";
  EXPECT_EQ(on->scenario_line(), line);
  on->copy_scenario({});
  EXPECT_EQ(clipboard, line);
  on->copy_scenario({.step = 3});
  EXPECT_EQ(clipboard, line + " step=3");
  EXPECT_EQ(on->open_scenario("build=4"), (view_position{.build = build_slot{"", 4}})) << "the views go there";
  EXPECT_EQ(on->scenario_line(), line);
  EXPECT_EQ(on->open_scenario("nonsense"), std::nullopt);
}

TEST_F(session_test, opens_each_part_of_a_scenario) {
  open();
  on->open_scenario("lookup=12");
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.path && v.path->trace.key == 12; }));
  EXPECT_THAT(script.take_calls(), IsEmpty());
  on->open_scenario("EO+KS");
  ASSERT_TRUE(until_runs(2));
  EXPECT_EQ(on->scenario_line(), "EO+KS keys=14 distribution=paper seed=1 lookups=64 hits=1 lookup=12");
  on->open_scenario("lookups=65 keys=14 distribution=paper");
  ASSERT_TRUE(until_runs(3));
  EXPECT_EQ(on->scenario_line(), "EO+KS keys=14 distribution=paper seed=1 lookups=65 hits=1 lookup=12");
  // Other keys: the key that is named, else one that tells.
  on->open_scenario("AO+BS keys=100 distribution=dense lookup=12");
  ASSERT_TRUE(until_runs(4));
  EXPECT_EQ(on->scenario_line(), "AO+BS keys=100 distribution=dense seed=1 lookups=64 hits=1 lookup=12");
  EXPECT_EQ(now().path->index, now().index);
  on->open_scenario("keys=101 distribution=dense");
  ASSERT_TRUE(until_runs(5));
  EXPECT_EQ(now().choice.key, question(now().path->trace.key));
  EXPECT_EQ(now().keys->set->keys().size(), 101u);
  on->open_scenario("EO+BS keys=u64 lookup=18446744073709551615");
  ASSERT_TRUE(until_runs(6));
  EXPECT_EQ(now().path->trace.key, ~0ull);
  EXPECT_TRUE(now().notices.empty());
}

// What a name alone stands for is chosen; what is copied from there on is a line of its own.
TEST_F(session_test, a_name_alone_is_the_config_that_goes_with_the_keys) {
  open();
  on->open_scenario("PACKED");
  EXPECT_EQ(now().choice.config, *config_from_line("PACKED leaf=32 lanes=1 fill=105"));
  EXPECT_THAT(on->scenario_line(), ::testing::StartsWith("PACKED leaf=32 lanes=1 fill=105 "));
  on->open_scenario("PACKED leaf=64");
  EXPECT_EQ(now().choice.config, *config_from_line("PACKED"));
  EXPECT_THAT(on->scenario_line(), ::testing::StartsWith("PACKED leaf=64 "));
  on->open_scenario("HT+OA keys=u64");
  EXPECT_EQ(now().choice.config, *config_from_line("HT+OA keys=u64 lanes=1"));
}

TEST_F(session_test, a_scenario_that_is_none_changes_nothing_and_is_said) {
  open();
  const struct {
    const char *text, *words;
  } cases[] = {
      {"", "There is no scenario in the clipboard: it is empty."},
      {"seed=x",
       "\"seed=x\" is no scenario: seed 'x': it is not a whole number; write it like 1000000, 2^20, 64Ki or 1e6"},
      {"lookup=4294967296", "lookup=4294967296 does not fit into this index's 32-bit keys."},
      {"lookup=7..4294967296", "lookup=7..4294967296 does not fit into this index's 32-bit keys."},
  };
  for (const auto& one : cases) {
    on->open_scenario(one.text);
    ASSERT_EQ(now().notices.size(), 1u) << one.text;
    EXPECT_EQ(now().notices[0].words, one.words);
    EXPECT_TRUE(now().notices[0].fault);
    EXPECT_EQ(now().choice, papers());
    on->dismiss(0);
  }
  on->open_scenario("lookup=4294967295");
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(session_test, its_pages_are_those_of_the_index_in_view) {
  open();
  on->slots().show(now().index);
  const std::vector<std::byte>* page = on->slots().page(ordered_region::entries, 0);
  ASSERT_TRUE(page);
  std::vector<std::byte> bytes(page->size());
  ASSERT_TRUE(now().index->read(ordered_region::entries, 0, bytes).ok());
  EXPECT_EQ(*page, bytes);
  EXPECT_EQ(page->size(), now().index->bytes(ordered_region::entries));
}

// The two functions that find keys in an index.
TEST_F(session_test, what_does_not_look_at_its_control_is_not_waited_for) {
  script.hold("cpu: open");  // has none
  begin();
  ASSERT_TRUE(script.wait_until_held());
  seen.watch(nullptr);
  on->stop();  // would wait for ever
  on->choose_machine(machine_kind::cuda);
  EXPECT_THAT(script.take_calls(), ElementsAre("cpu: open"));
  script.let_go();
  close();
  EXPECT_THAT(script.calls(), IsEmpty());
}

TEST_F(session_test, a_snapshot_of_the_last_moment_is_kept) {
  open();
  script.hold("read");  // the path of a key
  on->choose_key(question(12));
  ASSERT_TRUE(script.wait_until_held());
  on->keep_snapshot(3, {.step = 2}, "");
  on->stop();
  const auto kept = load_snapshot(folder / "data" / "snapshots", 3);
  ASSERT_TRUE(kept) << kept.error().words;
  ASSERT_TRUE(*kept);
  EXPECT_TRUE((*kept)->scenario.ends_with(" step=2")) << (*kept)->scenario;
  script.let_go();
}

TEST(telling_key, lies_as_deep_as_any_near_the_golden_ratio) {
  const auto telling = [](const char* line, u64 keys) {
    const workload dense{.keys = keys, .dist = distribution::dense};
    const std::unique_ptr<machine> cpu = detail::open_cpu();
    const key_array set = *make_keys(dense, key_width::u32);
    return telling_key(**cpu->build(*config_from_line(line), *cpu->load(set, {}), {}));
  };
  EXPECT_EQ(telling("EO+BS", 0), std::nullopt);
  EXPECT_EQ(telling("EO+BS", 1), 0u);
  EXPECT_EQ(telling("EO+BS", 14), 8u);   // 8 = 14 * 0.618, and deep
  EXPECT_EQ(telling("EO+BS", 7), 4u);    // a full tree: every second rank is deep
  EXPECT_EQ(telling("EO+BS", 15), 10u);  // 9 is one above
  EXPECT_EQ(telling("EO+BS", 16), 0u);   // the only deep one, around the end
  EXPECT_EQ(telling("EO+BS", 128), 0u);  // 49 ranks on
  EXPECT_EQ(telling("PLAIN", 0), std::nullopt);
  EXPECT_EQ(telling("PLAIN", 1), 0u);
  const key_array fourteen = *make_keys({.keys = 14, .dist = distribution::dense}, key_width::u32);
  EXPECT_EQ(telling("PLAIN", 14), fourteen[8]) << "without ranks the cell there";
  EXPECT_EQ(telling("EO+BS", 256), 158u);  // the only deep one is too far off to be looked for
}

}  // namespace
}  // namespace pivotscope
