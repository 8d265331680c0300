// A sweep in the background, as the frame's thread sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/built/this_program.hpp"
#include "core/memory_benchmark/memory_benchmark_store.hpp"
#include "tests/app/session/session_fixture.hpp"

namespace pivotscope {
namespace {

using ::testing::HasSubstr;

class sweeping_test : public session_test {
 protected:
  static viz::sweep_request asked(const char* name = "lightweight-1b", u32 scale = 20) {
    return {**find_sweep(name), scale};
  }
  bool until_swept() {
    return seen.until([](const session_view& v) { return !v.sweeping.running && !v.job.running && v.sweeps; });
  }
  const viz::sweep_result& result(const char* name = "lightweight-1b") { return now_.sweeps->at(name); }
  void look() { now_ = now(); }
  session_view now_;
};

TEST_F(sweeping_test, measures_every_point_and_leaves_the_index) {
  open();
  const auto index = now().index;
  on->measure_sweep(asked());
  ASSERT_TRUE(until_swept());
  look();
  ASSERT_EQ(result().points->size(), 8u);
  for (const sweep_point& point : *result().points) EXPECT_NE(point.best(), nullptr) << point.problem;
  EXPECT_EQ(now_.sweeping.done, 8u);
  EXPECT_EQ(now_.sweeping.problem, "");
  EXPECT_EQ(now_.index, index);
  EXPECT_EQ(now_.runs->size(), 1u);
  EXPECT_TRUE(result().measures(**find_sweep("lightweight-1b"), 20, machine_kind::cpu));
  EXPECT_FALSE(result().measures(**find_sweep("lightweight-1b"), 19, machine_kind::cpu));
  EXPECT_FALSE(result().measures(**find_sweep("lightweight-1b"), 20, machine_kind::cuda));
  // Another plot of the same rows takes these; another sweep stands beside it.
  on->measure_sweep(asked("short-4"));
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.sweeping.name == "short-4" && !v.sweeping.running; }));
  EXPECT_EQ(now().sweeps->size(), 2u);
}

// Points are on the board as they come; what is chosen meanwhile goes first, and no point is measured twice.
TEST_F(sweeping_test, what_is_chosen_goes_first_and_the_rest_is_measured_after_it) {
  open();
  script.hold("cpu: load");
  on->measure_sweep(asked());
  ASSERT_TRUE(script.wait_until_held());
  EXPECT_TRUE(now().sweeping.running);
  EXPECT_FALSE(now().job.running);
  on->choose_config(*config_from_line("AO+BS"));
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.runs->size() == 2; }));
  ASSERT_TRUE(until_swept());
  look();
  EXPECT_EQ(result().points->size(), 8u);
  EXPECT_EQ(to_line(now_.index->config()), "AO+BS");
}

TEST_F(sweeping_test, stops_when_it_is_told_to_and_goes_on) {
  for (const bool by_escape : {false, true}) {
    open();
    script.hold("cpu: load");
    on->measure_sweep(asked());
    ASSERT_TRUE(script.wait_until_held());
    by_escape ? on->cancel() : on->stop_sweep();
    ASSERT_TRUE(until_swept());
    EXPECT_TRUE(now().sweeping.stopped);
    EXPECT_LT(now().sweeping.done, 8u);
    on->measure_sweep(asked());
    ASSERT_TRUE(seen.until([](const session_view& v) { return !v.sweeping.running && v.sweeping.done == 8; }));
    EXPECT_FALSE(now().sweeping.stopped);
    const auto before = now().sweeps->at("lightweight-1b").points;
    script.take_calls();
    on->measure_sweep(asked());
    ASSERT_TRUE(until_swept());
    on->run_again();
    ASSERT_TRUE(until_runs(2)) << "the worker is free";
    look();
    ASSERT_EQ(result().points->size(), before->size());
    for (std::size_t i = 0; i < before->size(); ++i)
      EXPECT_EQ((*result().points)[i].took_s, (*before)[i].took_s) << "it was measured again";
    close();
  }
}

TEST_F(sweeping_test, has_no_figure_of_a_wrong_answer) {
  open();
  script.lie([](const index_config&, batch_result& result) {
    for (u32& row : result.answers.found) row = row == not_found ? 0 : not_found;
  });
  on->measure_sweep(asked());
  ASSERT_TRUE(until_swept());
  look();
  ASSERT_EQ(result().points->size(), 8u);
  for (const sweep_point& point : *result().points) {
    EXPECT_TRUE(point.wrong);
    EXPECT_EQ(point.best(), nullptr);
  }
}

TEST_F(sweeping_test, a_machine_that_does_not_open_ends_it_in_words) {
  open();
  script.fail("cuda: open", "no driver");
  on->choose_machine(machine_kind::cuda);
  ASSERT_TRUE(until_said(1));
  on->measure_sweep(asked());
  ASSERT_TRUE(until_swept());
  EXPECT_EQ(now().sweeping.problem, "no driver");
}

// What was measured before is on the board; who asks again goes on behind it.
TEST_F(sweeping_test, a_machine_that_gives_up_ends_it_in_words_and_keeps_what_was_measured) {
  open();
  script.fail("cpu: build AO+BS", "the GPU failed", true);  // the third row's
  on->measure_sweep(asked());
  ASSERT_TRUE(until_swept());
  EXPECT_EQ(now().sweeping.problem, "the GPU failed");
  EXPECT_FALSE(now().sweeping.stopped) << "nobody stopped it";
  EXPECT_EQ(now().sweeping.done, 2u);
  look();
  ASSERT_EQ(result().points->size(), 2u) << "the row in work is none";
  EXPECT_EQ(result().points->front().problem, "");
  script.fail("", "");
  on->measure_sweep(asked());
  ASSERT_TRUE(seen.until([](const session_view& v) { return !v.sweeping.running && v.sweeping.done == 8; }));
  EXPECT_EQ(now().sweeping.problem, "");
  look();
  for (const sweep_point& point : *result().points) EXPECT_NE(point.best(), nullptr) << point.problem;
}

TEST_F(sweeping_test, the_end_of_the_program_waits_for_no_point) {
  open();
  script.hold("cpu: load");
  on->measure_sweep(asked("lightweight-20a"));
  ASSERT_TRUE(script.wait_until_held());
  close();
}

// Of the machine that is chosen, whose times are given.
class floor_test : public session_test {
 protected:
  bool until_measured() {
    return seen.until([](const session_view& v) {
      return !v.benchmarking.running && v.memory_benchmarks && v.memory_benchmarks->contains(machine_kind::cpu);
    });
  }
};

TEST_F(floor_test, is_measured_beside_what_is_chosen_and_kept) {
  open();
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.memory_benchmarks != nullptr; }));
  EXPECT_TRUE(now().memory_benchmarks->empty()) << "nothing was kept";
  const auto index = now().index;
  on->run_memory_benchmark();
  ASSERT_TRUE(until_measured());
  EXPECT_EQ(now().benchmarking.problem, "");
  EXPECT_EQ(now().index, index);
  const memory_benchmark& floor = *now().memory_benchmarks->at(machine_kind::cpu);
  EXPECT_EQ(floor.name, "a test's cpu");
  EXPECT_EQ(floor.by, this_program());
  EXPECT_TRUE(load_memory_benchmark(folder / "cache" / "floors.json", machine_kind::cpu, "a test's cpu", "").found);
}

TEST_F(floor_test, what_is_chosen_goes_first_and_stop_ends_it) {
  open();
  script.hold("cpu: gather");
  on->run_memory_benchmark();
  ASSERT_TRUE(script.wait_until_held());
  EXPECT_EQ(now().benchmarking.running, machine_kind::cpu);
  on->choose_config(*config_from_line("AO+BS"));
  script.let_go();
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.runs->size() == 2; }));
  ASSERT_TRUE(until_measured()) << "from the beginning, behind it";
  script.hold("cpu: gather");
  on->run_memory_benchmark();
  ASSERT_TRUE(script.wait_until_held());
  on->stop_memory_benchmark();
  script.let_go();
  ASSERT_TRUE(seen.until([](const session_view& v) { return !v.benchmarking.running; }));
  EXPECT_TRUE(now().memory_benchmarks->contains(machine_kind::cpu)) << "what was measured stays";
}

TEST_F(floor_test, escape_ends_it) {
  open();
  script.hold("cpu: gather");
  on->run_memory_benchmark();
  ASSERT_TRUE(script.wait_until_held());
  on->cancel();
  script.let_go();
  ASSERT_TRUE(seen.until([](const session_view& v) { return !v.benchmarking.running && !v.job.running; }));
  EXPECT_TRUE(now().memory_benchmarks->empty());
}

}  // namespace
}  // namespace pivotscope
