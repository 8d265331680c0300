// The stages from a choice to answers: what stops them, and what becomes of a failure.
#include "core/index/check.hpp"
#include "tests/app/session/pipeline_fixture.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

TEST_F(pipeline_test, another_machine_is_taken_when_the_choice_changes_while_one_opens) {
  open(uniform());
  script.hold("open");
  line->want();
  ASSERT_TRUE(script.wait_until_held());
  choose([](session_choice& c) { c.machine = machine_kind::cuda; });
  script.let_go();
  ASSERT_TRUE(until_runs(1));
  EXPECT_THAT(script.calls(), ElementsAre("cpu: open", "cuda: open", "cuda: load 100", "cuda: build EO+KS",
                                          "cuda: prepare EO+KS", "cuda: lookup EO+KS 64 1+0"));
  // Both stay open.
  choose([](session_choice& c) { c.machine = machine_kind::cpu; });
  ASSERT_TRUE(until_runs(2));
  EXPECT_EQ(script.calls().at(6), "cpu: load 100");
  close();
  EXPECT_EQ(script.warm_ups(), 2u);
}

const strings way = {"load", "build", "prepare", "lookup"};
const strings way_in_full = {"cpu: load 100", "cpu: build EO+KS", "cpu: prepare EO+KS", "cpu: lookup EO+KS 64 1+0"};

TEST_F(pipeline_test, what_the_user_stops_waits_to_be_run_again) {
  for (std::size_t at = 0; at < way.size(); ++at) {
    SCOPED_TRACE(way[at]);
    open(uniform());
    script.hold(way[at]);
    line->want();
    ASSERT_TRUE(script.wait_until_held());
    EXPECT_EQ(now().job.stage, "held");
    EXPECT_EQ(now().job.fraction, 0.5);
    line->cancel();
    ASSERT_TRUE(until_stopped());
    EXPECT_FALSE(now().job.running);
    EXPECT_TRUE(now().runs->empty());
    EXPECT_TRUE(now().notices.empty());
    EXPECT_EQ(script.take_calls().back(), "cancelled");
    line->run_again();
    ASSERT_TRUE(until_runs(1));
    EXPECT_FALSE(now().job.stopped);
    // Of the way only what had not been done; a pass begins with its preparation.
    const std::size_t from = std::min<std::size_t>(at, 2);
    EXPECT_EQ(script.take_calls(), strings(way_in_full.begin() + static_cast<std::ptrdiff_t>(from), way_in_full.end()));
    close();
  }
}

TEST_F(pipeline_test, what_was_chosen_meanwhile_is_stopped_with_what_runs) {
  open(uniform());
  script.hold("load");
  line->want();
  ASSERT_TRUE(script.wait_until_held());
  choose([](session_choice& c) { c.config = *config_from_line("EO+KS lanes=2"); });
  line->measure();
  line->tune(false, false);
  line->cancel();
  ASSERT_TRUE(seen.until([](const session_view& view) { return view.job.stopped || !view.runs->empty(); }));
  EXPECT_TRUE(now().job.stopped);
  EXPECT_THAT(script.take_calls(), ElementsAre("cpu: open", "cpu: load 100", "cancelled"));
  line->run_again();
  ASSERT_TRUE(until_runs(1));
  EXPECT_THAT(script.take_calls(), ElementsAre("cpu: load 100", "cpu: build EO+KS lanes=2",
                                               "cpu: prepare EO+KS lanes=2", "cpu: lookup EO+KS lanes=2 64 1+0"));
  EXPECT_EQ(now().runs->back().origin, provenance::live);
}

// Who asks and looks at once, as a frame does, must not take it for over: the worker may not have got to it.
TEST_F(pipeline_test, what_is_asked_for_runs_before_the_worker_takes_it_up) {
  const std::vector<std::pair<const char*, void (*)(pipeline&)>> ways = {
      {"want", [](pipeline& p) { p.want(); }},
      {"run_again", [](pipeline& p) { p.run_again(); }},
      {"measure", [](pipeline& p) { p.measure(); }},
      {"tune", [](pipeline& p) { p.tune(false, false); }},
      {"update", [](pipeline& p) { p.update(std::size_t(0)); }},
      {"read_again", [](pipeline& p) { p.read_again(); }}};
  for (const auto& [name, ask] : ways) {
    SCOPED_TRACE(name);
    open_and_run(uniform());
    seen.hold_stage("");
    line->run_again();
    ASSERT_TRUE(seen.wait_until_held());
    EXPECT_FALSE(now().job.running);
    ask(*line);
    EXPECT_TRUE(now().job.running);
    EXPECT_EQ(now().job.stage, "starting");
    seen.let_go();
    ASSERT_TRUE(seen.until([](const session_view& view) { return !view.job.running; }));
    close();
  }
}

TEST_F(pipeline_test, what_is_stopped_before_the_worker_takes_it_up_never_runs) {
  open_and_run(uniform());
  seen.hold_stage("");
  line->run_again();
  ASSERT_TRUE(seen.wait_until_held());
  script.take_calls();
  line->measure();
  line->cancel();
  EXPECT_FALSE(now().job.running);
  EXPECT_TRUE(now().job.stopped);
  seen.let_go();
  line->run_again();
  ASSERT_TRUE(until_runs(3));
  EXPECT_FALSE(now().job.stopped);
  EXPECT_THAT(script.take_calls(), ElementsAre("cpu: prepare EO+KS", "cpu: lookup EO+KS 64 1+0"));
  EXPECT_EQ(now().runs->back().origin, provenance::live);
}

TEST_F(pipeline_test, a_new_choice_goes_on_by_itself_after_a_stop) {
  open(uniform());
  script.hold("build");
  line->want();
  ASSERT_TRUE(script.wait_until_held());
  line->cancel();
  ASSERT_TRUE(until_stopped());
  choose([](session_choice& c) { c.config = *config_from_line("EO+KS lanes=2"); });
  ASSERT_TRUE(until_runs(1));
  EXPECT_FALSE(now().job.stopped);
  EXPECT_EQ(knobs_of(now().runs->back().record.config).lanes, 2u);
}

TEST_F(pipeline_test, a_choice_takes_back_the_stop_before_it) {
  open(uniform());
  script.hold("open");  // which nothing can stop
  line->want();
  ASSERT_TRUE(script.wait_until_held());
  line->cancel();
  line->want();
  script.let_go();
  ASSERT_TRUE(until_runs(1));
  for (void (*again)(pipeline&) : {+[](pipeline& p) { p.run_again(); }, +[](pipeline& p) { p.measure(); }}) {
    const std::size_t runs = now().runs->size();
    script.hold("lookup");
    line->run_again();
    ASSERT_TRUE(script.wait_until_held());
    line->cancel();
    again(*line);
    ASSERT_TRUE(until_runs(runs + 1));
    EXPECT_FALSE(now().job.stopped);
  }
  script.hold("lookup");
  line->run_again();
  ASSERT_TRUE(script.wait_until_held());
  line->cancel();
  line->tune(false, false);
  ASSERT_TRUE(seen.until([](const session_view& view) { return !view.job.running && view.tuned.result; }));
  EXPECT_FALSE(now().job.stopped);
}

TEST_F(pipeline_test, a_stop_ends_the_stages_to_come_as_well) {
  open(uniform());
  script.hold("open");
  line->want();
  ASSERT_TRUE(script.wait_until_held());
  line->cancel();
  script.let_go();
  ASSERT_TRUE(until_stopped());
  EXPECT_THAT(script.calls(), ElementsAre("cpu: open"));
}

TEST_F(pipeline_test, a_stop_while_nothing_runs_is_nothing) {
  open_and_run(uniform());
  line->cancel();
  line->run_again();
  ASSERT_TRUE(until_runs(2));
  EXPECT_FALSE(now().job.stopped);
}

TEST_F(pipeline_test, a_stop_during_the_check_leaves_no_run) {
  open(uniform());
  script.lie([this](const ordered_config&, batch_result&) { line->cancel(); });
  line->want();
  ASSERT_TRUE(until_stopped());
  EXPECT_TRUE(now().runs->empty());
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(pipeline_test, a_failure_is_said_once_and_ends_the_way) {
  const strings calls = {"open", "load", "build", "prepare", "lookup"};
  for (std::size_t at = 0; at < calls.size(); ++at) {
    SCOPED_TRACE(calls[at]);
    open(uniform());
    script.fail(calls[at], "there is no room");
    line->want();
    const auto said = [](const session_view& view) { return !view.job.running && !view.notices.empty(); };
    ASSERT_TRUE(seen.until(said));
    EXPECT_EQ(script.take_calls().size(), at + 1);
    EXPECT_EQ(now().job.stopped, false);
    EXPECT_TRUE(now().runs->empty());
    EXPECT_EQ(now().index == nullptr, at < 3);
    EXPECT_EQ(now().lookup_kernel == nullptr, at < 4);
    const u64 before = seen.wakes();
    line->run_again();
    ASSERT_TRUE(seen.until([&](const session_view& view) { return seen.wakes() > before + 1 && said(view); }));
    ASSERT_EQ(now().notices.size(), 1u);
    EXPECT_EQ(now().notices.front().words, "there is no room");
    EXPECT_TRUE(now().notices.front().fault);
    script.fail("", "");
    line->run_again();
    ASSERT_TRUE(until_runs(1));
    close();
    script.take_calls();
  }
}

TEST_F(pipeline_test, keys_and_lookups_that_cannot_be_made_are_said) {
  open(uniform());
  choose([](session_choice& c) { c.load.dist = distribution::paper; });
  ASSERT_TRUE(seen.until([](const session_view& view) { return !view.job.running && view.notices.size() == 1; }));
  EXPECT_EQ(now().notices[0].words, *check(now().choice.load, key_width::u32));
  EXPECT_THAT(script.take_calls(), ElementsAre("cpu: open"));
  choose([](session_choice& c) {
    c = uniform();
    c.load.hits = 2;
  });
  ASSERT_TRUE(seen.until([](const session_view& view) { return !view.job.running && view.notices.size() == 2; }));
  EXPECT_EQ(now().notices[1].words, "hits=2 is not between 0 and 1");
}

TEST_F(pipeline_test, a_machine_that_is_not_there_is_said_and_the_other_goes_on) {
  script.cuda_is_there(false);
  open_and_run(uniform());
  choose([](session_choice& c) { c.machine = machine_kind::cuda; });
  ASSERT_TRUE(seen.until([](const session_view& view) { return !view.job.running && !view.notices.empty(); }));
  EXPECT_EQ(now().notices.front().words, "no such machine");
  EXPECT_EQ(now().index->kind(), machine_kind::cpu);  // as it was
  choose([](session_choice& c) { c.machine = machine_kind::cpu; });
  line->run_again();
  ASSERT_TRUE(until_runs(2));
  EXPECT_THAT(script.calls(), ElementsAre("cuda: open", "cpu: prepare EO+KS", "cpu: lookup EO+KS 64 1+0"));
}

TEST_F(pipeline_test, wrong_answers_are_said_with_the_scenario) {
  script.lie([](const ordered_config&, batch_result& result) { result.answers.found[3] = not_found; });
  open_and_run(uniform());
  const run_record run = now().runs->front().record;
  EXPECT_EQ(run.check.wrong, 1u);
  ASSERT_EQ(now().notices.size(), 1u);
  EXPECT_EQ(now().notices[0].words, "1 of 64 answers are wrong, so the times of this run are not shown. " +
                                        run.check.first_wrong +
                                        " Scenario: EO+KS keys=100 distribution=uniform seed=1 lookups=64 hits=1");
  EXPECT_TRUE(now().notices[0].fault);
}

TEST_F(pipeline_test, the_end_comes_at_once_whatever_runs) {
  for (const std::string& call : way) {
    open(uniform());
    script.hold(call);
    line->want();
    ASSERT_TRUE(script.wait_until_held());
    close();
    EXPECT_EQ(script.take_calls().back(), "cancelled") << call;
  }
  open_and_run(uniform());
  script.hold("lookup");
  line->tune(false, false);
  ASSERT_TRUE(script.wait_until_held());
  close();
  EXPECT_EQ(script.take_calls().back(), "cancelled");
}

}  // namespace
}  // namespace pivotscope
