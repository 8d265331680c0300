// Operations that meet, and the search for a wrong order, as the frame's thread sees them.
#include <gmock/gmock.h>

#include "app/session/interleaver.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "tests/app/session/session_fixture.hpp"

namespace pivotscope {
namespace {

using ::testing::HasSubstr;

class interleaving_session : public session_test {
 protected:
  static viz::interleave_request asked(const char* config, const char* line) {
    const index_config c = *config_from_line(config);
    return {c, *interleaved_case_from_text(line, c.keys)};
  }
  bool until_tried(const viz::interleave_request& of) {
    return seen.until([&](const session_view& v) {
      return v.interleaved && v.interleaved->asked == of &&
             (v.interleaved->switches || !v.interleaved->problem.empty());
    });
  }
};

TEST_F(interleaving_session, runs_what_is_asked_for_and_all_orders_of_two_switches) {
  open();
  const auto index = now().index;
  const viz::interleave_request first = asked("PLAIN", "keys=5 ops=+7,-5 schedule=0:1 1");
  on->interleave(first);
  ASSERT_TRUE(until_tried(first));
  const std::shared_ptr<const viz::interleave_result> result = now().interleaved;
  EXPECT_EQ(result->problem, "");
  EXPECT_EQ(result->rows, (std::vector<u32>{1, 2}));
  EXPECT_EQ(result->run.fault, "");
  EXPECT_FALSE(result->switches->failing);
  // As the command line has it.
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  const auto made = interleaving::make(*cpu, first.config, first.of);
  EXPECT_EQ(result->run.accesses, (*made)->run(first.of.order).accesses);
  EXPECT_EQ(result->switches->schedules, (*made)->two_switches().schedules);
  EXPECT_EQ(result->begin, (*made)->begin());
  // Another order of it.
  const viz::interleave_request second = asked("PLAIN", "keys=5 ops=+7,-5 schedule=1:2 0");
  on->interleave(second);
  ASSERT_TRUE(until_tried(second));
  EXPECT_EQ(now().interleaved->switches->schedules, result->switches->schedules);
  EXPECT_NE(now().interleaved->run.accesses, result->run.accesses);
  EXPECT_EQ(now().index, index) << "the index in view stays";
  const viz::interleave_request refused = asked("PLAIN", "keys=5 ops=+7,>5 schedule=");
  on->interleave(refused);
  ASSERT_TRUE(until_tried(refused));
  EXPECT_THAT(now().interleaved->problem, HasSubstr("PLAIN has no order"));
}

// What was made for the request before serves another order of it alone: each of these differs in one thing, and not in its length.
TEST_F(interleaving_session, one_that_was_edited_is_made_anew) {
  open();
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  for (const char* line :
       {"keys=5 before=+6 ops=+7,?5 schedule=0:1 1", "keys=5 before=+6 ops=+7,?6 schedule=0:1 1",
        "keys=5 before=+6 ops=+7,-6 schedule=0:1 1", "keys=5 before=-5 ops=+7,-6 schedule=0:1 1",
        "keys=6 before=-5 ops=+7,-6 schedule=0:1 1", "keys=6 before=-5 ops=+7,-6 schedule=0:1 1 late",
        "keys=6 before=-5 ops=+7,-6 schedule=1:1 0 late"}) {
    for (const char* config : {"PLAIN", "HT+OA", "HT+OA keys=u64"}) {
      SCOPED_TRACE(line);
      const viz::interleave_request request = asked(config, line);
      on->interleave(request);
      ASSERT_TRUE(until_tried(request));
      const viz::interleave_result told = *now().interleaved;
      const auto made = interleaving::make(*cpu, request.config, request.of);
      const interleaved_run run = (*made)->run(request.of.order);
      EXPECT_EQ(told.begin, (*made)->begin());
      EXPECT_EQ(told.run.accesses, run.accesses);
      EXPECT_EQ(told.run.done, run.done);
      EXPECT_EQ(told.run.left, run.left);
      EXPECT_EQ(told.run.fault, "");
      for (u32 i = 0; i < 2; ++i) EXPECT_EQ(told.rows[i], (*made)->row_of(i));
      EXPECT_EQ(told.switches->schedules, (*made)->two_switches().schedules);
    }
  }
}

TEST_F(interleaving_session, searches_and_stops) {
  open();
  on->search_interleavings({*config_from_line("PLAIN"), 3000, 4});
  ASSERT_TRUE(
      seen.until([](const session_view& v) { return v.interleavings.number == 1 && !v.interleavings.running; }));
  const viz::interleave_search found = now().interleavings;
  EXPECT_FALSE(found.failure);
  EXPECT_FALSE(found.stopped);
  EXPECT_GE(found.counts.schedules, 3000u);
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  interleaving_counts counts;
  ASSERT_TRUE(try_interleavings(*cpu, *config_from_line("PLAIN"), 3000, 4, counts));
  EXPECT_EQ(found.counts.schedules, counts.schedules);
  EXPECT_EQ(found.counts.cases, counts.cases);
  // What is asked for meanwhile goes first; escape ends it.
  for (const bool by_escape : {false, true}) {
    on->search_interleavings({*config_from_line("PLAIN"), u64{1} << 40, 4});
    ASSERT_TRUE(seen.until([](const session_view& v) { return v.interleavings.running; }));
    const viz::interleave_request meanwhile =
        asked("PLAIN", by_escape ? "keys=5 ops=+7,-5 schedule=0:1 1" : "keys=5 ops=+7,-7 schedule=0:1 1");
    on->interleave(meanwhile);
    ASSERT_TRUE(until_tried(meanwhile));
    EXPECT_TRUE(now().interleavings.running);
    by_escape ? on->cancel() : on->stop_searching();
    ASSERT_TRUE(seen.until([](const session_view& v) { return !v.interleavings.running; }));
    EXPECT_TRUE(now().interleavings.stopped);
  }
  on->search_interleavings({*config_from_line("EO+BS"), 3000, 4});
  ASSERT_TRUE(
      seen.until([](const session_view& v) { return v.interleavings.number == 4 && !v.interleavings.running; }));
  EXPECT_THAT(now().interleavings.problem, HasSubstr("EO+BS is built once, so it has no inserts"));
}

// Closing does not wait for the last order.
TEST_F(interleaving_session, ends_while_it_searches) {
  open();
  on->search_interleavings({*config_from_line("PLAIN"), u64{1} << 40, 4});
  ASSERT_TRUE(seen.until([](const session_view& v) { return v.interleavings.running; }));
  close();
}

// An insert that says nothing.
write_done silent_insert(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                         script_answer& a) {
  const write_done done = family_of(c).on_trace().interleaved(c, m, v, o, a);
  return o.kind == operation::insert ? write_done::not_done : done;
}

TEST(interleaver, a_search_ends_with_the_first_wrong_order) {
  board shared(viz::session_choice{}, [] {});
  timing_turns room;
  interleaver works(shared, {}, std::chrono::steady_clock::now, &room, silent_insert);
  works.search({*config_from_line("PLAIN"), 100'000, 1});
  while (shared.copy().interleavings.number == 0 || shared.copy().interleavings.running) std::this_thread::yield();
  const viz::interleave_search found = shared.copy().interleavings;
  ASSERT_TRUE(found.failure);
  EXPECT_NE(found.failure->words, "");
  works.show({*config_from_line("PLAIN"), found.failure->failing});
  while (!shared.copy().interleaved || !shared.copy().interleaved->switches) std::this_thread::yield();
  EXPECT_EQ(shared.copy().interleaved->run.fault, found.failure->words);
  EXPECT_TRUE(shared.copy().interleaved->switches->failing);
}

}  // namespace
}  // namespace pivotscope
