// The stages from a choice to answers: which of them run, and what is seen of it.
#include <fmt/format.h>

#include <set>

#include "core/index/check.hpp"
#include "tests/app/session/pipeline_fixture.hpp"
#include "tests/support/file_tree.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

TEST_F(pipeline_test, the_first_choice_goes_all_the_way) {
  open(papers());
  line->want();
  ASSERT_TRUE(until_runs(1));
  EXPECT_THAT(script.calls(), ElementsAre("cpu: open", "cpu: load 14", "cpu: build EO+BS", "cpu: prepare EO+BS",
                                          "cpu: lookup EO+BS 64 1+0"));
  EXPECT_THAT(stages(), ElementsAre("opening the machine", "making keys", "copying keys", "building", "making lookups",
                                    "looking up", ""));
  const session_view view = now();
  EXPECT_FALSE(view.job.stopped);
  EXPECT_TRUE(view.notices.empty());
  EXPECT_EQ(view.choice, papers());
  EXPECT_EQ(view.keys->set->size(), 14u);
  EXPECT_EQ(view.keys->load, papers().load);
  EXPECT_EQ(view.keys->machine, machine_kind::cpu);
  EXPECT_EQ(view.keys->set->resident()->size(), 14u);
  EXPECT_EQ(view.index->config(), papers().config);
  EXPECT_EQ(view.path->index, view.index);
  EXPECT_EQ(view.path->trace.key, 9u);
  EXPECT_EQ(view.lookup_kernel->registers, 30u);

  const viz::session_run& run = view.runs->front();
  EXPECT_EQ(run.number, 1u);
  const run_record& record = run.record;
  EXPECT_EQ(record.config, papers().config);
  EXPECT_EQ(run.load, papers().load);
  EXPECT_EQ(record.machine.name, "a test's cpu");
  EXPECT_EQ(record.index_bytes, view.index->bytes());
  EXPECT_THAT(record.sort.samples_ms, ElementsAre(1.5));
  ASSERT_EQ(record.builds.size(), 2u);
  EXPECT_THAT(record.builds[0].samples_ms, ElementsAre(2, 4));
  EXPECT_EQ(record.build_ms(), 3.5);
  EXPECT_THAT(record.time.samples_ms, ElementsAre(1));
  EXPECT_EQ(record.operations_per_second(), 64e3);
  ASSERT_EQ(record.kernels.size(), 2u);
  EXPECT_EQ(record.kernels[0].registers, 20u);
  EXPECT_EQ(record.kernels[1].registers, 40u);
  EXPECT_EQ(record.check.checked, 64u);
  EXPECT_EQ(record.check.wrong, 0u);
  EXPECT_EQ(record.check.found, 64u);
  EXPECT_EQ(record.answers, batch_answers{}) << "there may be 200 runs";
  EXPECT_EQ(run.origin, provenance::live);
  close();
  EXPECT_EQ(script.warm_ups(), 1u);
}

TEST_F(pipeline_test, the_time_that_keys_take_is_the_clocks) {
  open(uniform());
  clock.pass_ms(1000);  // so that the first progress of making keys wakes
  seen.at_wake([this](const session_view& view) {
    if (view.job.stage == "making keys" && view.job.fraction == 0) clock.pass_ms(7);
  });
  line->want();
  ASSERT_TRUE(until_runs(1));
  EXPECT_DOUBLE_EQ(now().keys->made_ms, 7);
  const key_array keys = now().keys->set->keys();
  // Another machine has the same keys, which are not made again.
  choose([](session_choice& c) { c.machine = machine_kind::cuda; });
  ASSERT_TRUE(until_runs(2));
  EXPECT_DOUBLE_EQ(now().keys->made_ms, 7);
  EXPECT_TRUE(std::equal(keys.as<u32>().begin(), keys.as<u32>().end(), now().keys->set->keys().as<u32>().begin()));
  EXPECT_EQ(now().keys->machine, machine_kind::cuda);
}

struct changed_input {
  const char* name;
  void (*change)(session_choice&);
  strings stages, calls;  // that it makes necessary
};

const strings all_of_keys = {"making keys", "copying keys", "building", "making lookups", "looking up", ""};
const strings of_lookups = {"making lookups", "looking up", ""};
const strings of_ranges = {"making ranges", "looking up ranges", ""};
const strings load_and_on = {"cpu: load 100", "cpu: build EO+KS", "cpu: prepare EO+KS", "cpu: lookup EO+KS 64 1+0"};

const changed_input inputs[] = {
    {"lookups",
     [](session_choice& c) { c.load.lookups = 65; },
     of_lookups,
     {"cpu: prepare EO+KS", "cpu: lookup EO+KS 65 1+0"}},
    {"hits",
     [](session_choice& c) { c.load.hits = 0.5; },
     of_lookups,
     {"cpu: prepare EO+KS", "cpu: lookup EO+KS 64 1+0"}},
    {"ranges",
     [](session_choice& c) { c.load.ranges = 5; },
     of_ranges,
     {"cpu: prepare EO+KS", "cpu: ranges EO+KS 5 1+0"}},
    {"keys",
     [](session_choice& c) { c.load.keys = 101; },
     all_of_keys,
     {"cpu: load 101", "cpu: build EO+KS", "cpu: prepare EO+KS", "cpu: lookup EO+KS 64 1+0"}},
    {"distribution", [](session_choice& c) { c.load.dist = distribution::dense; }, all_of_keys, load_and_on},
    {"uniformity", [](session_choice& c) { c.load.uniformity = 0.25; }, all_of_keys, load_and_on},
    {"repeat", [](session_choice& c) { c.load.repeat = 7; }, all_of_keys, load_and_on},
    {"seed", [](session_choice& c) { c.load.seed = 2; }, all_of_keys, load_and_on},
    {"width",
     [](session_choice& c) { c.config.keys = key_width::u64; },
     all_of_keys,
     {"cpu: load 100", "cpu: build EO+KS keys=u64", "cpu: prepare EO+KS keys=u64",
      "cpu: lookup EO+KS keys=u64 64 1+0"}},
    {"lanes",
     [](session_choice& c) { c.config = *config_from_line("EO+KS lanes=2"); },
     {"building", "looking up", ""},
     {"cpu: build EO+KS lanes=2", "cpu: prepare EO+KS lanes=2", "cpu: lookup EO+KS lanes=2 64 1+0"}},
    {"machine",
     [](session_choice& c) { c.machine = machine_kind::cuda; },
     {"opening the machine", "copying keys", "building", "looking up", ""},
     {"cuda: open", "cuda: load 100", "cuda: build EO+KS", "cuda: prepare EO+KS", "cuda: lookup EO+KS 64 1+0"}},
};

TEST_F(pipeline_test, a_change_runs_the_stages_that_it_concerns_and_no_others) {
  for (const changed_input& input : inputs) {
    SCOPED_TRACE(input.name);
    open_and_run(uniform());
    const std::shared_ptr<const built_index> before = now().index;
    choose(input.change);
    ASSERT_TRUE(until_runs(2));
    EXPECT_EQ(script.take_calls(), input.calls);
    EXPECT_EQ(stages(), input.stages);
    EXPECT_EQ(now().runs->back().load, now().choice.load);
    EXPECT_EQ(now().runs->back().record.config, now().choice.config);
    EXPECT_EQ(now().runs->back().number, 2u);
    EXPECT_EQ(now().index == before, input.stages == of_lookups || input.stages == of_ranges);
    // And the way back is as long: what was made for the earlier choice is not kept, but for an open machine.
    choose([](session_choice& c) {
      const auto key = c.key;
      c = uniform();
      c.key = key;
    });
    ASSERT_TRUE(until_runs(3));
    const u64 opened = std::string(input.name) == "machine";
    EXPECT_EQ(script.take_calls().size(), input.calls.size() - opened);
    close();
    script.take_calls();
  }
}

TEST_F(pipeline_test, a_key_alone_runs_nothing) {
  open_and_run(uniform());
  const u64 before = seen.wakes();
  choose([](session_choice& c) { c.key = 7; });
  ASSERT_TRUE(seen.until([&](const session_view&) { return seen.wakes() > before; }));
  EXPECT_THAT(stages(), ElementsAre(""));  // the end of a job that had nothing to do
  EXPECT_THAT(script.calls(), IsEmpty());
  line->run_again();
  ASSERT_TRUE(until_runs(2));
  EXPECT_THAT(script.calls(), ElementsAre("cpu: prepare EO+KS", "cpu: lookup EO+KS 64 1+0"));
  EXPECT_THAT(stages(), ElementsAre("looking up", ""));
  EXPECT_EQ(now().runs->back().origin, provenance::live);
}

struct interruption {
  const char* held;  // a call
  const char* change;
  bool ends_it;
};

TEST_F(pipeline_test, a_change_ends_what_runs_only_when_it_concerns_that) {
  const interruption cases[] = {
      {"load", "lookups", false},  {"load", "lanes", false},    {"load", "key", false},      {"load", "seed", true},
      {"load", "width", true},     {"load", "machine", true},   {"build", "lookups", false}, {"build", "key", false},
      {"build", "lanes", true},    {"build", "seed", true},     {"build", "machine", true},  {"prepare", "key", false},
      {"prepare", "lanes", true},  {"prepare", "hits", true},   {"lookup", "key", false},    {"lookup", "lanes", true},
      {"lookup", "lookups", true}, {"lookup", "machine", true},
  };
  for (const interruption& one : cases) {
    SCOPED_TRACE(std::string(one.held) + ", " + one.change);
    open(uniform());
    script.hold(one.held);
    line->want();
    ASSERT_TRUE(script.wait_until_held());
    const auto input = std::find_if(std::begin(inputs), std::end(inputs),
                                    [&](const changed_input& i) { return i.name == std::string(one.change); });
    const auto change = input == std::end(inputs) ? [](session_choice& c) { c.key = 7; } : input->change;
    choose(change);
    if (!one.ends_it) script.let_go();
    session_choice last = uniform();
    change(last);
    // A pass is not repeated for a key.
    ASSERT_TRUE(seen.until([&](const session_view& view) {
      return !view.job.running && !view.runs->empty() && view.runs->back().load == last.load &&
             view.runs->back().record.config == last.config && view.runs->back().record.machine.kind == last.machine;
    }));
    const strings calls = script.take_calls();
    EXPECT_EQ(std::count(calls.begin(), calls.end(), "cancelled"), one.ends_it ? 1 : 0)
        << ::testing::PrintToString(calls);
    EXPECT_EQ(now().runs->size(), 1u);
    EXPECT_TRUE(now().notices.empty());
    close();
  }
}

TEST_F(pipeline_test, keys_and_lookups_are_made_on_while_they_are_still_wanted) {
  struct {
    const char *stage, *change;
    std::ptrdiff_t begun;
  } const cases[] = {{"making keys", "lanes", 1},   {"making keys", "machine", 1},    {"making keys", "lookups", 1},
                     {"making keys", "seed", 2},    {"making keys", "width", 2},      {"making lookups", "lanes", 1},
                     {"making lookups", "hits", 2}, {"making lookups", "machine", 1}, {"making lookups", "seed", 2}};
  for (const auto& one : cases) {
    SCOPED_TRACE(std::string(one.stage) + ", " + one.change);
    open(uniform());
    seen.hold_stage(one.stage);
    line->want();
    ASSERT_TRUE(seen.wait_until_held());
    choose(std::find_if(std::begin(inputs), std::end(inputs), [&](const changed_input& i) {
             return i.name == std::string(one.change);
           })->change);
    seen.let_go();
    ASSERT_TRUE(until_runs(1));
    const strings wakes = seen.take_wakes();
    EXPECT_EQ(std::count(wakes.begin(), wakes.end(), one.stage), one.begun) << ::testing::PrintToString(wakes);
    EXPECT_EQ(now().runs->back().load, now().choice.load);
    EXPECT_TRUE(now().notices.empty());
    close();
  }
}

TEST_F(pipeline_test, a_measurement_takes_about_five_seconds) {
  struct {
    std::vector<double> pass_ms;
    const char* seconds;  // until it ends, if the noise does not end it; five runs at least
  } const cases[] = {{{0}, "5"}, {{250}, "5"}, {{1000}, "5"}, {{2000}, "10"}, {{1e6}, "5000"}, {{1, 3000, 5000}, "15"}};
  for (const auto& one : cases) {
    script.take_ms([&](const ordered_config&, u32) { return one.pass_ms; });
    open_and_run(uniform());
    const u64 timed_before = room.timed();
    line->measure();
    ASSERT_TRUE(until_runs(2));
    EXPECT_EQ(room.timed(), timed_before + 1) << "frames keep still for what is measured";
    EXPECT_THAT(script.take_calls(),
                ElementsAre("cpu: prepare EO+KS", fmt::format("cpu: lookup EO+KS 64 0.5% in {} s+3", one.seconds)));
    EXPECT_EQ(now().runs->back().origin, provenance::measured);
    EXPECT_EQ(now().runs->back().record.time.how.why, stop_reason::quiet);
    EXPECT_EQ(now().runs->front().origin, provenance::live);
    // Once: what comes after is live again.
    line->run_again();
    ASSERT_TRUE(until_runs(3));
    EXPECT_EQ(now().runs->back().origin, provenance::live);
    EXPECT_EQ(script.take_calls().back(), "cpu: lookup EO+KS 64 1+0");
    EXPECT_EQ(room.timed(), timed_before + 1) << "and for nothing else";
    close();
  }
}

TEST_F(pipeline_test, without_a_pass_before_it_a_measurement_takes_five_seconds) {
  open(uniform());
  line->measure();
  ASSERT_TRUE(until_runs(1));
  EXPECT_EQ(script.calls().back(), "cpu: lookup EO+BS 64 0.5% in 5 s+3");  // nothing was chosen: the papers' keys
}

TEST_F(pipeline_test, without_lookups_there_is_no_run) {
  session_choice none = uniform();
  none.load.lookups = 0;
  open(none);
  line->want();
  ASSERT_TRUE(seen.until([](const session_view& view) { return view.index && !view.job.running; }));
  EXPECT_THAT(script.take_calls(), ElementsAre("cpu: open", "cpu: load 100", "cpu: build EO+KS"));
  EXPECT_TRUE(now().runs->empty());
  choose([](session_choice& c) { c.load.lookups = 1; });
  ASSERT_TRUE(until_runs(1));
  EXPECT_THAT(script.take_calls(), ElementsAre("cpu: prepare EO+KS", "cpu: lookup EO+KS 1 1+0"));
}

TEST_F(pipeline_test, an_index_says_what_it_does_not_hold) {
  session_choice choice = uniform();
  choice.load.dist = distribution::duplicates;
  choice.load.repeat = 2;
  open_and_run(choice);
  EXPECT_EQ(now().runs->back().record.held, 100u);
  EXPECT_EQ(now().updates->held, "");
  choose([](session_choice& c) { c.config = *config_from_line("HT+OA"); });
  ASSERT_TRUE(until_runs(2));
  const std::span<const u32> keys = now().keys->set->keys().as<u32>();
  const std::size_t distinct = std::set<u32>(keys.begin(), keys.end()).size();
  ASSERT_LT(distinct, 100u);
  EXPECT_EQ(now().runs->back().record.held, distinct);
  EXPECT_EQ(now().updates->held, fmt::format("holds {} of 100 rows: one a key", distinct));
}

TEST_F(pipeline_test, another_exponent_makes_other_keys_where_they_are_drawn_by_it) {
  session_choice one = uniform(), other = one;
  one.load.exponent = 1, other.load.exponent = 2;
  EXPECT_TRUE(same_key_set(one, other));
  one.load.dist = other.load.dist = distribution::zipf;
  EXPECT_FALSE(same_key_set(one, other));
  other.load.exponent = 1;
  EXPECT_TRUE(same_key_set(one, other));
}

TEST_F(pipeline_test, a_batch_of_ranges_is_run_and_checked) {
  session_choice choice = uniform();
  choice.load.lookups = 0;
  choice.load.ranges = 40;
  choice.load.range_hits = 7;
  choice.load.hits = 0.5;
  open_and_run(choice);
  ASSERT_EQ(now().runs->size(), 1u);
  const run_record& record = now().runs->front().record;
  EXPECT_EQ(record.kind, operation::range);
  EXPECT_EQ(record.operations, 40u);
  EXPECT_EQ(record.check.checked, 40u);
  EXPECT_EQ(record.check.wrong, 0u);
  EXPECT_GT(record.check.found, 0u);
  EXPECT_LT(record.check.found, 40u) << "half of them are empty";
  EXPECT_EQ(record.entries, record.check.found * 7) << "the keys are unique";
  EXPECT_EQ(record.operations_per_second(), 40e3);
  EXPECT_EQ(record.answers, batch_answers{});
  // They are the ranges of the workload's line, wherever it is run.
  const outcome<batch> same = make_batch(choice.load, key_width::u32);
  ASSERT_TRUE(same.ok());
  u64 empty = 0;
  for (u64 i = 0; i < same->size(); ++i) {
    const key_array keys = now().keys->set->keys();
    empty += std::none_of(keys.as<u32>().begin(), keys.as<u32>().end(),
                          [&](u32 key) { return key >= same->keys[i] && key <= same->highs[i]; });
  }
  EXPECT_EQ(record.check.found, 40 - empty);
}

TEST_F(pipeline_test, a_wrong_sum_of_a_range_is_said_with_the_scenario) {
  script.lie([](const ordered_config&, batch_result& result) { ++result.answers.ranges[3].row_sum; });
  session_choice choice = uniform();
  choice.load.lookups = 0;
  choice.load.ranges = 5;
  open_and_run(choice);
  const run_record run = now().runs->front().record;
  EXPECT_EQ(run.check.wrong, 1u);
  ASSERT_EQ(now().notices.size(), 1u);
  EXPECT_EQ(now().notices[0].words,
            "1 of 5 answers are wrong, so the times of this run are not shown. " + run.check.first_wrong +
                " Scenario: EO+KS keys=100 distribution=uniform seed=1 lookups=0 hits=1 ranges=5 range_hits=64");
}

TEST_F(pipeline_test, ranges_are_tuned) {
  session_choice choice = uniform();
  choice.load.lookups = 0;
  choice.load.ranges = 5;
  open_and_run(choice);
  line->tune(false, false);
  ASSERT_TRUE(seen.until([](const session_view& view) { return !view.job.running && view.tuned.result; }));
  const strings calls = script.take_calls();
  EXPECT_GT(
      std::count_if(calls.begin(), calls.end(), [](const std::string& c) { return c.starts_with("cpu: ranges"); }), 5);
  EXPECT_EQ(
      std::count_if(calls.begin(), calls.end(), [](const std::string& c) { return c.starts_with("cpu: lookup"); }), 0);
  EXPECT_TRUE(now().tuned.load == choice.load);
  EXPECT_FALSE(now().tuned.result->ranking.empty());
}

TEST_F(pipeline_test, the_last_two_hundred_runs_are_kept) {
  open_and_run(papers());
  for (u64 run = 2; run <= 201; ++run) {
    line->run_again();
    ASSERT_TRUE(seen.until([&](const session_view& v) { return !v.job.running && v.runs->back().number == run; }));
    EXPECT_EQ(now().runs->size(), std::min<u64>(run, 200));
    EXPECT_EQ(now().runs->front().number, run == 201 ? 2u : 1u);
  }
}

TEST_F(pipeline_test, the_key_in_view_is_the_chosen_one_else_a_telling_one) {
  session_choice choice = papers();
  choice.key.reset();
  open_and_run(choice);
  EXPECT_EQ(now().choice.key, question(11));
  EXPECT_EQ(now().path->trace.key, 11u);
  choose([](session_choice& c) {
    c.key = question(operation::range, 4, 12);
    c.config = *config_from_line("EO+KS fanout=3 lanes=1");
  });
  ASSERT_TRUE(until_runs(2));
  EXPECT_EQ(now().choice.key, question(operation::range, 4, 12));
  EXPECT_EQ(now().path->trace.key, 4u);
  EXPECT_TRUE(now().path->trace.range);
  EXPECT_EQ(now().path->index, now().index);
}

TEST_F(pipeline_test, a_key_that_is_chosen_while_the_index_is_walked_is_walked_too) {
  open(papers());
  script.hold("read");
  line->want();
  ASSERT_TRUE(script.wait_until_held());
  shared->change([](session_view& view) { view.choice.key = 12; });
  script.let_go();
  ASSERT_TRUE(until_runs(1));
  EXPECT_EQ(now().path->trace.key, 12u);
  EXPECT_EQ(now().choice.key, question(12));
}

TEST_F(pipeline_test, a_path_that_cannot_be_read_is_said) {
  script.fail("read", "the device is lost");
  open(papers());
  line->want();
  ASSERT_TRUE(until_runs(1));
  EXPECT_EQ(now().path, nullptr);
  ASSERT_EQ(now().notices.size(), 1u);
  EXPECT_EQ(now().notices[0].words, "the device is lost");
}

// Only where both would not fit: else what was there is shown until its successor is.
TEST_F(pipeline_test, a_large_key_set_makes_room_for_itself_first) {
  for (const bool large : {false, true}) {
    const free_memory free(large ? 255ull << 20 : 256ull << 20);  // 2^21 keys ask for 128 MiB, twice
    open_and_run(uniform());
    seen.hold_stage("making keys");
    choose([&](session_choice& c) { c.load.keys = 1 << 21; });
    ASSERT_TRUE(seen.wait_until_held());
    EXPECT_EQ(now().keys == nullptr, large);
    EXPECT_EQ(now().index == nullptr, large);
    EXPECT_EQ(now().path == nullptr, large);
    EXPECT_EQ(now().lookup_kernel == nullptr, large);
    line->cancel();
    seen.let_go();
    ASSERT_TRUE(until_stopped());
    EXPECT_THAT(script.take_calls(), IsEmpty());
    // What had to go is made again, the run among it. Asked for beside that, a run is one more where the worker was quick.
    choose([](session_choice& c) { c.load.keys = 100; });
    if (!large) line->run_again();
    ASSERT_TRUE(until_runs(2));
    EXPECT_EQ(script.take_calls().size(), large ? 4u : 2u);
    close();
  }
}

// A device has its memory for both, whatever the host has: three quarters of it. A processor's keys lie in the host's.
TEST_F(pipeline_test, a_key_set_too_large_for_the_device_makes_room_for_itself_first) {
  constexpr u64 held = 1 << 10, wanted = 1 << 21, both = (held + wanted) * 64;
  const free_memory free(u64{1} << 40);
  session_choice choice = uniform();
  choice.load.keys = held;
  for (const machine_kind kind : {machine_kind::cuda, machine_kind::cpu}) {
    for (const bool large : {false, true}) {
      choice.machine = kind;
      script.memory_bytes(both / 3 * 4 - (large ? 4 : 0));
      open_and_run(choice);
      seen.hold_stage("making keys");
      choose([&](session_choice& c) { c.load.keys = wanted; });
      ASSERT_TRUE(seen.wait_until_held());
      EXPECT_EQ(now().index == nullptr, large && kind == machine_kind::cuda);
      line->cancel();
      seen.let_go();
      ASSERT_TRUE(until_stopped());
      close();
    }
  }
}

}  // namespace
}  // namespace pivotscope
