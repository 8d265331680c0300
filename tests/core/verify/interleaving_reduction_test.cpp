// The schedules that are tried of two operations leave what all schedules with two switches leave: the same answers and
// the same bytes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/verify/interleaving.hpp"
#include "tests/support/all_switches.hpp"

namespace pivotscope {
namespace {

// The state by which operations find their way in the index of a case.
build_view view_of_case;
write_done perform_and_keep_view(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                                 script_answer& a) {
  view_of_case = v;
  return family_of(c).on_trace().interleaved(c, m, v, o, a);
}

struct compared {
  u64 cases = 0, all = 0, tried = 0, ends = 0;
};

void expect_the_same_ends(machine& cpu, const index_config& config, const interleaved_case& c, compared& counts) {
  const auto made = interleaving::make(cpu, config, c, perform_and_keep_view);
  ASSERT_TRUE(made) << made.error().words;
  (*made)->run({});
  std::vector<write_done> done(c.operations.size());
  std::vector<script_answer> answers(c.operations.size());
  std::vector<interleaved_task> tasks;
  for (std::size_t i = 0; i < c.operations.size(); ++i) {
    question asked = c.operations[i];
    asked.row = (*made)->row_of(i);
    tasks.push_back([&, i, asked](interleaved_memory& m) {
      done[i] = family_of(config).on_trace().interleaved(config, m, view_of_case, asked, answers[i]);
    });
  }
  const auto print = [&](const interleaved_end& end) {
    EXPECT_TRUE(end.ended) << end.fault;
    std::string text;
    for (std::size_t i = 0; i < tasks.size(); ++i)
      text += fmt::format("{} {} {} ", static_cast<int>(done[i]), answers[i].number, answers[i].row);
    for (const auto& region : end.memory) text.append(reinterpret_cast<const char*>(region.data()), region.size());
    return text;
  };
  const testing::all_ends right = testing::ends_of_all_switches((*made)->begin(), tasks, print);
  const testing::all_ends ends = testing::ends_of_two_switches((*made)->begin(), tasks, print);
  ASSERT_EQ(ends.ends.size(), right.ends.size());
  ASSERT_TRUE(ends.ends == right.ends);
  ++counts.cases, counts.all += right.schedules, counts.tried += ends.schedules, counts.ends += ends.ends.size();
}

compared expect_the_same_ends_of_pairs(const char* line, const std::vector<interleaved_case>& begins) {
  const auto cpu = detail::open_cpu();
  compared counts;
  for (const interleaved_case& begin : begins) {
    for (const operation first : {operation::insert, operation::erase, operation::find}) {
      for (const operation second : {operation::insert, operation::erase, operation::matches}) {
        for (const u64 other : {5u, 6u}) {
          interleaved_case c = begin;
          c.operations = {{first, 5}, {second, other}};
          SCOPED_TRACE(fmt::format("{}: {}", line, to_text(c)));
          expect_the_same_ends(*cpu, *config_from_line(line), c, counts);
          if (::testing::Test::HasFatalFailure()) return counts;
        }
      }
    }
  }
  EXPECT_EQ(counts.cases, 18 * begins.size());
  EXPECT_GT(counts.ends, counts.cases) << "no pair met";
  ::testing::Test::RecordProperty("schedules", fmt::format("{} of {}", counts.tried, counts.all));
  return counts;
}

const interleaved_case without_the_key{.keys = {6, 8}}, with_the_key{.keys = {5, 8}},
    with_an_erased_one{.keys = {5, 6}, .before = {{operation::erase, 5}}};

TEST(interleaving_reduction, leaves_the_same_in_tables_of_entries) {
  for (const char* line : {"HT+OA lanes=1 window=2", "HT+OA lanes=1 window=2 keys=u64"}) {
    const compared counts = expect_the_same_ends_of_pairs(line, {without_the_key, with_the_key, with_an_erased_one});
    EXPECT_GT(counts.all, 3 * counts.tried);
  }
}

TEST(interleaving_reduction, leaves_the_same_in_tables_of_two_arrays) {
  for (const char* line : {"HT+OA lanes=1 window=2 layout=soa", "HT+OA lanes=1 window=2 layout=soa keys=u64"}) {
    const compared counts = expect_the_same_ends_of_pairs(line, {without_the_key, with_the_key, with_an_erased_one});
    EXPECT_GT(counts.all, 3 * counts.tried);
  }
}

// Three operations on one key.
TEST(interleaving_reduction, leaves_the_same_of_three_operations) {
  const auto cpu = detail::open_cpu();
  compared counts;
  for (const char* line : {"HT+OA lanes=1 window=1", "HT+OA lanes=1 window=1 layout=soa keys=u64"}) {
    for (const interleaved_case& begin : {without_the_key, with_an_erased_one}) {
      interleaved_case c = begin;
      c.operations = {{operation::insert, 5}, {operation::erase, 5}, {operation::insert, 5}};
      SCOPED_TRACE(fmt::format("{}: {}", line, to_text(c)));
      expect_the_same_ends(*cpu, *config_from_line(line), c, counts);
    }
  }
  EXPECT_EQ(counts.cases, 4u);
}

TEST(interleaving_reduction, leaves_the_same_in_plain_entries) {
  for (const char* line : {"PLAIN", "PLAIN keys=u64"}) {
    const compared counts = expect_the_same_ends_of_pairs(line, {with_the_key});
    EXPECT_GT(counts.all, 50 * counts.tried);
  }
}

}  // namespace
}  // namespace pivotscope
