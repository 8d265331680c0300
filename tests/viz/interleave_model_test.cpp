// Operations that meet, as they are shown: rows, steps, cells at each step, another order.
#include "viz/models/interleave_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/index/cell_state.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/run/stored_entries.hpp"

namespace pivotscope {
namespace {

namespace meeting {

using ::testing::HasSubstr;

std::shared_ptr<const viz::interleave_result> result_of(const index_config& config, const interleaved_case& of,
                                                        interleaving::code perform = nullptr,
                                                        bool other_orders = true) {
  static const std::unique_ptr<machine> cpu = detail::open_cpu();
  auto made = interleaving::make(*cpu, config, of, perform);
  EXPECT_TRUE(made) << made.error().words;
  auto result = std::make_shared<viz::interleave_result>();
  result->asked = {config, of};
  result->model = (*made)->model();
  for (u64 i = 0; i < of.operations.size(); ++i) result->rows.push_back((*made)->row_of(i));
  result->begin = (*made)->begin();
  result->run = (*made)->run(of.order);
  if (other_orders) result->switches = (*made)->two_switches();
  return result;
}
viz::interleave_model model_of(const char* config, const char* line, interleaving::code perform = nullptr) {
  const index_config c = *config_from_line(config);
  return viz::interleave_model(result_of(c, *interleaved_case_from_text(line, c.keys), perform));
}

// An insert that takes the first empty cell without claiming it.
write_done first_empty(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                       script_answer& a) {
  if (o.kind != operation::insert) return family_of(c).on_trace().interleaved(c, m, v, o, a);
  for (u32 slot = 0;; ++slot) {
    if (is_live_row(m.load_part<u32>(main_region, slot, 8, 4))) continue;
    m.store_part<u32>(main_region, slot, 8, 0, static_cast<u32>(o.key));
    m.fence();
    m.store_part<u32>(main_region, slot, 8, 4, o.row);
    return write_done::added;
  }
}

// What a cell comes to in words, as all see it.
std::string words_of(const viz::met_cell& cell) {
  std::string words = cell.name + ":";
  for (const viz::met_field& field : cell.fields) {
    words += " " + field.words +
             (field.mark == viz::access_mark::read      ? "?"
              : field.mark == viz::access_mark::written ? "!"
                                                        : "");
    for (const viz::unseen_word& u : field.unseen) words += "(" + std::to_string(u.task) + ":" + u.words + ")";
  }
  return words + (cell.holds_nothing ? " -" : "");
}

}  // namespace meeting

TEST(interleave_model, has_a_row_an_access_and_what_each_operation_came_to) {
  const viz::interleave_model m = meeting::model_of("PLAIN", "keys=5 ops=+7,-5 schedule=0:1 1:2 0 1 late");
  EXPECT_EQ(m.operation_words(0), "insert 7, row 1");
  EXPECT_EQ(m.operation_words(1), "erase 5");
  EXPECT_EQ(m.end_words(0), "added");
  EXPECT_EQ(m.end_words(1), "erased");
  EXPECT_EQ(m.words(0), "store entry 1 key: 4294967295 -> 7, not seen yet");
  EXPECT_EQ(m.words(2), "swap entry 0 row id: 0 -> erased");
  EXPECT_EQ(m.words(3), "is seen, entry 1 key: 4294967295 -> 7");
  EXPECT_EQ(m.words(4), "fence");
  EXPECT_EQ(m.words(6), "is seen, entry 1 row id: none -> 1");
  EXPECT_EQ(m.task(0), 0u);
  EXPECT_EQ(m.task(1), 1u);
  EXPECT_FALSE(m.switches(0));
  EXPECT_TRUE(m.switches(1));
  EXPECT_FALSE(m.switches(2));
  EXPECT_TRUE(m.switches(3));
  EXPECT_TRUE(m.writes(0) && m.writes(2) && m.writes(3) && m.writes(6));
  EXPECT_FALSE(m.writes(1) || m.writes(4));
  EXPECT_EQ(m.step_words(0), "0 of " + std::to_string(m.accesses()));
  for (std::size_t i = 0; i < m.accesses(); ++i) EXPECT_FALSE(m.meaning(i).empty());
}

TEST(interleave_model, shows_the_cells_behind_each_access) {
  const viz::interleave_model m = meeting::model_of("PLAIN", "keys=5 ops=+7,-5 schedule=0:1 1:2 0 1 late");
  const auto at = [&](std::size_t step) {
    std::string words;
    for (const viz::met_cell& c : m.cells(step)) words += (words.empty() ? "" : ", ") + meeting::words_of(c);
    return words;
  };
  EXPECT_EQ(at(0), "entry 0: 5 0, entry 1: 4294967295 none -, entries 2 to 31: -");
  EXPECT_EQ(at(1), "entry 0: 5 0, entry 1: 4294967295(0:7) none -, entries 2 to 31: -");
  EXPECT_EQ(at(2), "entry 0: 5? 0?, entry 1: 4294967295(0:7) none -, entries 2 to 31: -");
  EXPECT_EQ(at(3), "entry 0: 5 erased!, entry 1: 4294967295(0:7) none -, entries 2 to 31: -");
  EXPECT_EQ(at(4), "entry 0: 5 erased, entry 1: 7! none, entries 2 to 31: -") << "before the fence";
  EXPECT_EQ(at(5), "entry 0: 5 erased, entry 1: 7 none, entries 2 to 31: -") << "the fence";
  EXPECT_EQ(at(6), "entry 0: 5 erased, entry 1: 7 none(0:1), entries 2 to 31: -");
  EXPECT_EQ(at(7), "entry 0: 5 erased, entry 1: 7 1!, entries 2 to 31: -");
  EXPECT_TRUE(m.cells(1)[1].fields[0].unseen[0].now);
  EXPECT_FALSE(m.cells(2)[1].fields[0].unseen[0].now);
  EXPECT_EQ(m.cells(3)[0].state, cell_state::erased);
  EXPECT_EQ(m.cells(6)[1].state, cell_state::empty);
  EXPECT_EQ(m.cells(7)[1].state, cell_state::live);
  // Of those that hold nothing, which is read.
  std::optional<u64> read;
  for (std::size_t step = 0; step <= m.accesses(); ++step)
    if (m.cells(step)[2].reads) read = m.cells(step)[2].reads;
  EXPECT_EQ(read, 31u);
}

TEST(interleave_model, steps_to_switches_and_knows_who_goes_on) {
  const viz::interleave_model m = meeting::model_of("PLAIN", "keys=5 ops=+7,-5 schedule=0:1 1:3 0");
  EXPECT_EQ(m.next_switch(0, 1), 2u);
  EXPECT_EQ(m.next_switch(2, 1), 5u);
  EXPECT_EQ(m.next_switch(5, -1), 2u);
  EXPECT_EQ(m.next_switch(2, -1), 0u);
  EXPECT_EQ(m.next_switch(m.accesses(), 1), m.accesses());
  EXPECT_EQ(m.goes_on(0), 0u);
  EXPECT_EQ(m.goes_on(1), 1u);
  EXPECT_EQ(m.goes_on(m.accesses()), std::nullopt);
  EXPECT_FALSE(m.has_ended(1, 0));
  EXPECT_TRUE(m.has_ended(m.accesses(), 0) && m.has_ended(m.accesses(), 1));
}

// Over cases of each family that changes, in random orders: the last step has what the run left; what a person sees at a step
// is the same whichever way the step was come to; another order has the same accesses up to where it was changed.
TEST(interleave_model, of_drawn_cases_ends_with_what_the_run_left_and_changes_orders_where_it_is_told) {
  for (const char* name : {"PLAIN", "HT+OA", "HT+OA layout=soa keys=u64", "PLAIN keys=u64"}) {
    const index_config config = *config_from_line(name);
    for (u64 i = 0; i < 60; ++i) {
      interleaved_case of = draw_interleaved_case(config, 5, i);
      const auto tasks = static_cast<u32>(of.operations.size());
      for (u32 t = 0; t < 6; ++t) of.order.turns.push_back({(t + static_cast<u32>(i)) % tasks, 1 + t % 3});
      if (i % 2 == 1) of.order.stores = store_order::late;
      SCOPED_TRACE(std::string(name) + ": " + to_text(of));
      const viz::interleave_model m(meeting::result_of(config, of, nullptr, false));
      EXPECT_EQ(m.result().run.fault, "");
      ASSERT_EQ(m.memory(m.accesses()).shared(), m.result().run.left);
      EXPECT_EQ(m.memory(0).shared(), m.result().begin);
      const auto cells = m.cells(m.accesses());
      u64 shown = 0, all = 0;
      for (const viz::met_cell& c : cells) {
        shown += c.count;
        for (const viz::met_field& f : c.fields) EXPECT_TRUE(f.unseen.empty());
      }
      for (const region_info& r : m.result().model->regions()) all += r.beside ? 0 : r.cells;
      EXPECT_EQ(shown, all);
      for (std::size_t step = 0; step <= m.accesses(); ++step) {
        ASSERT_EQ(m.cells(step).size(), cells.size());
        const std::optional<u32> next = m.goes_on(step);
        for (u32 task = 0; task < tasks; ++task) {
          if (m.has_ended(step, task) || step % 5 != 0) continue;
          const viz::interleave_model other(meeting::result_of(config, m.let_go_on(step, task), nullptr, false));
          ASSERT_GE(alike(m, other), step);
          ASSERT_GT(other.accesses(), step);
          EXPECT_EQ(other.task(step), task);
          EXPECT_EQ(other.of().order.stores, of.order.stores);
          EXPECT_TRUE(task != next || alike(m, other) > step);
        }
      }
    }
  }
}

TEST(interleave_model, a_wrong_order_is_shown_with_its_fault_and_found_among_those_of_two_switches) {
  const viz::interleave_model right = meeting::model_of("PLAIN", "keys=5 ops=+7,+8 schedule=0", meeting::first_empty);
  EXPECT_EQ(right.result().run.fault, "");
  ASSERT_TRUE(right.result().switches && right.result().switches->failing);
  interleaved_case failing = right.of();
  failing.order = *right.result().switches->failing;
  const viz::interleave_model wrong(meeting::result_of(right.result().asked.config, failing, meeting::first_empty));
  EXPECT_EQ(wrong.result().run.fault, right.result().switches->words);
  EXPECT_NE(wrong.result().run.fault, "");
  EXPECT_THAT(viz::switches_words(*right.result().switches), meeting::HasSubstr(wrong.result().run.fault));
  const viz::interleave_model own = meeting::model_of("PLAIN", "keys=5 ops=+7,+8 schedule=0");
  EXPECT_EQ(viz::switches_words(*own.result().switches),
            "All " + std::to_string(own.result().switches->schedules) + " orders with at most two switches are right.");
}

TEST(interleave_model, reads_a_line_or_the_command_that_replays_it) {
  const auto read = [](std::string_view text) { return viz::interleaving_from_text(text, key_width::u32); };
  EXPECT_EQ(to_text(read("keys=5 ops=+7 schedule=0")->of), "keys=5 ops=+7 schedule=0");
  EXPECT_EQ(read("keys=5 ops=+7 schedule=0")->config, std::nullopt);
  const viz::interleave_request asked{
      *config_from_line("PLAIN keys=u64"),
      *interleaved_case_from_text("keys=5 ops=+7,?7 schedule=0:1 1 late", key_width::u64)};
  const std::string command = viz::replay_command(asked);
  EXPECT_EQ(command,
            "pivotscope interleave --config \"PLAIN keys=u64\" --replay \"keys=5 ops=+7,?7 schedule=0:1 1 late\"");
  EXPECT_EQ(read(command)->of, asked.of);
  EXPECT_EQ(read(command)->config, asked.config);
  EXPECT_THAT(read("keys=5 ops=7").error().words, meeting::HasSubstr("column 12: \"7\" is no operation"));
  EXPECT_THAT(read("pivotscope interleave --config QUARK --replay \"ops=+7\"").error().words,
              meeting::HasSubstr("QUARK"));
  EXPECT_EQ(read("pivotscope interleave --config 'PLAIN keys=u64' --replay 'keys=5 ops=+7,?7 schedule=0:1 1 late'")->of,
            asked.of);
  // A sign that is no quote begins a word, up to the next blank.
  EXPECT_THAT(read("pivotscope interleave --config #QUARK x --replay \"ops=+7\"").error().words,
              meeting::HasSubstr("#QUARK"));
}

}  // namespace
}  // namespace pivotscope
