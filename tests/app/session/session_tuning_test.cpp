// Tunings as the frame's thread sees them: measured, kept, found again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/built/this_program.hpp"
#include "core/tuning/tuning_store.hpp"
#include "core/workload/own_numbers.hpp"
#include "tests/app/session/session_fixture.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using strings = std::vector<std::string>;

// Times by which AO+BS is the fastest, and everything else as slow as the length of its line.
std::vector<double> by_the_line(const index_config& config, u32 repeats) {
  const std::string line = to_line(config);
  return std::vector<double>(repeats, line == "AO+BS" ? 1.0 : 10.0 + static_cast<double>(line.size()));
}

// The papers' keys, with as many lookups as tell their time.
class tuned_session : public session_test {
 protected:
  static viz::session_choice papers() {
    viz::session_choice choice = session_test::papers();
    choice.load.lookups = 1 << 12;
    return choice;
  }
  void begin(const viz::session_choice& start = papers()) { session_test::begin(start); }
  void open(const viz::session_choice& start = papers()) { session_test::open(start); }
};

tuning_question asked_tuning() {
  return {.machine = "a test's cpu", .workload = "keys=14 distribution=paper seed=1 lookups=2^12 hits=1"};
}

TEST_F(tuned_session, tunes_for_the_choice_and_keeps_it) {
  script.take_ms(by_the_line);
  open();
  script.hold("lookup EO+BS");
  on->tune(false, false);
  ASSERT_TRUE(script.wait_until_held());
  EXPECT_TRUE(now().tuned.running);
  EXPECT_EQ(now().tuned.result, nullptr);
  EXPECT_EQ(now().job.stage, "tuning");
  EXPECT_TRUE(now().tuned.progress.words.starts_with("first look ")) << now().tuned.progress.words;
  on->find_tuning(false, false);  // not while it runs
  script.let_go();
  ASSERT_TRUE(until_tuned());
  EXPECT_GT(room.timed(), 10u) << "frames keep still for it";
  const viz::tuning_state tuned = now().tuned;
  EXPECT_EQ(tuned.load, papers().load);
  EXPECT_EQ(tuned.machine, machine_kind::cpu);
  EXPECT_EQ(tuned.width, key_width::u32);
  EXPECT_FALSE(tuned.ascending);
  EXPECT_FALSE(tuned.smallest);
  EXPECT_FALSE(tuned.kept);
  EXPECT_EQ(to_line(tuned.result->winner()->config), "AO+BS");
  EXPECT_EQ(tuned.result->keys, 14u);
  EXPECT_EQ(tuned.result->operations, 1u << 12);
  EXPECT_EQ(tuned.result->machine, "a test's cpu");
  EXPECT_EQ(now().runs->size(), 1u);  // the index in view stays
  EXPECT_EQ(to_line(now().index->config()), "EO+BS");
  EXPECT_TRUE(now().notices.empty());
  const kept_tuning kept = load_tuning(folder / "cache" / "tunings.json", asked_tuning());
  ASSERT_TRUE(kept.found) << kept.note;
  EXPECT_EQ(to_line(kept.found->winner()->config), "AO+BS");
  EXPECT_EQ(kept.found->by, this_program()) << "whose it is, wherever it is shown";
}

TEST_F(session_test, a_batch_too_small_to_time_is_not_tuned_for) {
  open();
  on->tune(false, false);
  ASSERT_TRUE(until_said(1));
  EXPECT_EQ(now().notices[0].words.substr(0, 48), "64 lookups over 14 keys are too few to time: a r");
  EXPECT_FALSE(now().job.running);
  EXPECT_FALSE(now().tuned.running);
}

TEST_F(tuned_session, tunes_within_what_is_required) {
  open();
  on->tune(true, false);
  ASSERT_TRUE(until_tuned());
  EXPECT_TRUE(now().tuned.ascending && now().tuned.result->ascending);
  EXPECT_FALSE(now().tuned.smallest || now().tuned.result->smallest);
  for (const tuned_config& one : now().tuned.result->ranking)
    EXPECT_NE(knobs_of(one.config).order, order_kind::eytzinger);
  on->tune(false, true);
  ASSERT_TRUE(seen.until([](const session_view& v) { return !v.job.running && v.tuned.smallest && v.tuned.result; }));
  EXPECT_FALSE(now().tuned.ascending || now().tuned.result->ascending);
  for (const tuned_config& one : now().tuned.result->ranking)
    EXPECT_NE(knobs_of(one.config).order, order_kind::pivot_buffer);
}

TEST_F(tuned_session, what_was_tuned_before_is_shown_until_the_new_one_is_there) {
  open();
  on->tune(false, false);
  ASSERT_TRUE(until_tuned());
  const auto before = now().tuned.result;
  script.hold("lookup");
  on->tune(false, false);
  ASSERT_TRUE(script.wait_until_held());
  EXPECT_EQ(now().tuned.result, before);
  EXPECT_TRUE(now().tuned.running);
  on->cancel();
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.job.stopped; }));
  EXPECT_EQ(now().tuned.result, before);
  EXPECT_FALSE(now().tuned.running);
  EXPECT_TRUE(now().notices.empty());
  // Of another question it is no answer.
  script.hold("lookup");
  on->tune(true, false);
  ASSERT_TRUE(script.wait_until_held());
  EXPECT_EQ(now().tuned.result, nullptr);
  // And another choice wants the machine at once.
  on->choose_config(*config_from_line("EO+KS"));
  ASSERT_TRUE(until_runs(2));
  EXPECT_FALSE(now().tuned.running);
  EXPECT_EQ(now().tuned.result, nullptr);
}

TEST_F(tuned_session, a_tuning_that_fails_is_said) {
  open();
  script.fail("lookup", "the device is lost");
  on->tune(false, false);
  ASSERT_TRUE(until_said(1));
  ASSERT_TRUE(seen.until([](const session_view& v) { return !v.job.running; }));
  EXPECT_TRUE(now().notices[0].words.starts_with("None of ")) << now().notices[0].words;
  EXPECT_TRUE(now().notices[0].words.ends_with(": the device is lost")) << now().notices[0].words;
  EXPECT_TRUE(now().notices[0].fault);
  EXPECT_FALSE(now().tuned.running);
  EXPECT_EQ(now().tuned.result, nullptr);
}

TEST_F(tuned_session, a_wrong_config_is_out_of_the_ranking_and_said) {
  script.lie([](const index_config& config, batch_result& result) {
    if (to_line(config) == "AO+PB+KS") result.answers.found[0] = not_found;
  });
  open();
  on->tune(false, false);
  ASSERT_TRUE(until_tuned());
  ASSERT_EQ(now().notices.size(), 1u);
  const tuning_reject out = now().tuned.result->rejected.at(0);
  EXPECT_TRUE(out.words.starts_with("1 of 4096 answers are wrong")) << out.words;
  EXPECT_EQ(now().notices[0].words, "AO+PB+KS is out of the ranking. " + out.words);
  EXPECT_TRUE(now().notices[0].fault);
}

TEST_F(tuned_session, what_could_not_be_measured_is_no_fault_of_the_rankings) {
  open();
  script.fail("build AO+PB+KS", "there is no room");
  on->tune(false, false);
  ASSERT_TRUE(until_tuned());
  EXPECT_FALSE(now().tuned.result->rejected.empty());
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(tuned_session, a_tuning_that_cannot_be_kept_is_shown_all_the_same) {
  folder.write("cache", "a file where the folder should be");
  open();
  on->tune(false, false);
  ASSERT_TRUE(until_tuned());
  ASSERT_EQ(now().notices.size(), 1u);
  EXPECT_TRUE(now().notices[0].words.starts_with("The tuning cannot be kept: ")) << now().notices[0].words;
  EXPECT_FALSE(now().notices[0].fault);
}

TEST_F(tuned_session, finds_what_was_kept_for_the_question) {
  viz::session_choice choice = papers();
  choice.config.keys = key_width::u64;
  open(choice);
  on->find_tuning(false, false);
  ASSERT_TRUE(seen.until([&](const session_view& v) { return v.tuned.width == key_width::u64; }));
  EXPECT_EQ(now().tuned.result, nullptr);
  EXPECT_FALSE(now().tuned.kept);
  on->tune(true, true);
  ASSERT_TRUE(until_tuned());
  on->find_tuning(true, true);  // what was measured now is newer
  on->find_tuning(true, false);
  ASSERT_TRUE(seen.until([](const session_view& v) { return !v.tuned.smallest; }));
  EXPECT_EQ(now().tuned.result, nullptr);
  close();
  open(choice);
  on->find_tuning(true, true);
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.tuned.result != nullptr; }));
  const viz::tuning_state tuned = now().tuned;
  EXPECT_TRUE(tuned.kept && tuned.ascending && tuned.smallest && !tuned.running);
  EXPECT_EQ(tuned.load, choice.load);
  EXPECT_EQ(tuned.machine, machine_kind::cpu);
  EXPECT_EQ(tuned.width, key_width::u64);
  EXPECT_EQ(tuned.note, "");
  EXPECT_EQ(tuned.result->machine, "a test's cpu");
}

TEST_F(tuned_session, what_was_kept_is_the_chosen_machines_where_there_are_two) {
  for (const machine_kind kind : {machine_kind::cuda, machine_kind::cpu}) {
    SCOPED_TRACE(machine_name(kind));
    viz::session_choice choice = papers();
    choice.machine = kind;
    choice.load.lookups = 1 << 16;  // as many as tell on a GPU
    open(choice);
    ASSERT_EQ(std::count_if(now().machines->begin(), now().machines->end(), [](const auto& m) { return m.available; }),
              2);
    on->find_tuning(false, false);
    ASSERT_TRUE(
        seen.until([&](const session_view& v) { return v.tuned.machine == kind && v.tuned.load == choice.load; }));
    EXPECT_EQ(now().tuned.result, nullptr) << "nobody tuned on this one";
    on->tune(false, false);
    ASSERT_TRUE(until_tuned());
    close();
    open(choice);
    on->find_tuning(false, false);
    ASSERT_TRUE(seen.until([](const session_view& v) { return v.tuned.result != nullptr; }));
    EXPECT_EQ(now().tuned.result->machine, "a test's " + std::string(machine_name(kind)));
    close();
  }
}

TEST_F(tuned_session, what_is_measured_is_not_replaced_by_what_was_kept) {
  open();
  on->tune(false, false);
  ASSERT_TRUE(until_tuned());
  const auto measured = now().tuned.result;
  on->find_tuning(false, false);
  EXPECT_EQ(now().tuned.result, measured);
  EXPECT_FALSE(now().tuned.kept);
}

// Nothing is kept on disk of a file, which may be another one tomorrow; the session knows what it measured.
TEST_F(tuned_session, what_was_tuned_over_a_file_is_there_again_when_one_comes_back_to_it) {
  const std::string path = folder.write("keys.txt", "5\n7\n9\n");
  open();
  on->choose_workload(with_keys(now().choice.load, {.file = path}));
  ASSERT_TRUE(seen.until([](const session_view& v) { return !v.job.running && v.choice.load.keys == 3; }));
  on->choose_batch(1 << 13);
  ASSERT_TRUE(
      seen.until([](const session_view& v) { return !v.job.running && v.runs->back().load.lookups == 1 << 13; }));
  on->tune(false, false);
  ASSERT_TRUE(until_tuned());
  const auto done = now().tuned.result;
  EXPECT_TRUE(done->current || done->finalist_of(now().choice.config)) << "what is in use is measured too";
  EXPECT_TRUE(done->standard);
  on->choose_batch(1 << 14);
  ASSERT_TRUE(
      seen.until([](const session_view& v) { return !v.job.running && v.runs->back().load.lookups == 1 << 14; }));
  on->find_tuning(false, false);
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.tuned.load.lookups == 1 << 14; }));
  EXPECT_EQ(now().tuned.result, nullptr) << "nobody tuned for it";
  on->choose_batch(1 << 13);
  ASSERT_TRUE(
      seen.until([](const session_view& v) { return !v.job.running && v.runs->back().load.lookups == 1 << 13; }));
  on->find_tuning(false, false);
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.tuned.result != nullptr; }));
  EXPECT_EQ(now().tuned.result, done);
  EXPECT_FALSE(now().tuned.kept);
  on->read_again();
  EXPECT_EQ(now().tuned.result, nullptr) << "the file may hold something else now";
}

TEST_F(tuned_session, a_store_that_cannot_be_understood_leaves_a_note) {
  std::filesystem::create_directories(folder / "cache");
  folder.write("cache/tunings.json", "nonsense");
  open();
  on->find_tuning(false, false);
  ASSERT_TRUE(seen.until([](const session_view& v) { return !v.tuned.note.empty(); }));
  EXPECT_NE(now().tuned.note.find("tunings.json"), std::string::npos);
  EXPECT_EQ(now().tuned.result, nullptr);
}

TEST_F(tuned_session, a_tuning_is_looked_for_once_the_machines_are_known) {
  script.hold("find");
  begin();
  ASSERT_TRUE(script.wait_until_held());
  on->find_tuning(true, true);  // whose would it be?
  script.let_go();
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.machines && testing::idle_after(v, 1); }));
  EXPECT_FALSE(now().tuned.ascending);
  on->find_tuning(false, true);
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.tuned.smallest; }));
}

}  // namespace
}  // namespace pivotscope
