// An option without effect is refused, each of the tables: no command ignores what it was told.
#include <gtest/gtest.h>

#include "app/cli/options/option_needs.hpp"
#include "core/workload/field_needs.hpp"
#include "tests/app/expectations.hpp"

namespace pivotscope {
namespace {

bool is_flag(std::string_view option) {
  return option == "--headless" || option == "--list" || option == "--kept" || option == "--no-floor";
}

void add(std::vector<std::string>& call, std::string_view option, std::string_view value) {
  call.emplace_back(option);
  if (!is_flag(option)) call.emplace_back(value.empty() ? "5" : value);
}

// Both options name what they are, and no machine was opened before.
TEST(idle_options, are_refused_of_every_command) {
  for (const option_need& need : option_needs())
    for (const std::string_view option : need.options) {
      std::vector<std::string> call;
      if (!need.command.empty()) call.emplace_back(need.command);
      if (need.command == "sweep") call.emplace_back(need.other == "NAME" ? need.value : "packed");
      if (need.command == "interleave") call.insert(call.end(), {"--config", "PLAIN"});
      if (need.how == option_need::not_beside && need.other != "NAME") add(call, need.other, need.value);
      if (need.other == "--kept") call.insert(call.end(), {"--into", "nowhere"});
      add(call, option, "");
      expect_refused(call, {std::string(option), std::string(need.value.empty() ? need.other : need.value),
                            std::string(need.why)});
    }
}

TEST(idle_options, are_refused_where_the_other_has_another_value) {
  expect_refused({"run", "--repeats", "7", "--most-seconds", "1"}, {"--most-seconds goes with --repeats auto"});
}

// A value of each option of a workload, and what is added so that it counts.
struct workload_option {
  const char *option, *value;
  std::vector<std::string> beside, without = {};
};

TEST(idle_options, of_a_workload_are_refused_too) {
  const scratch_folder folder;
  const std::string keys = folder.write("k", "5\n3\n");
  const std::vector<workload_option> all = {
      {"--seed", "3", {}, {"--keys-from", keys, "--lookups-from", keys}},
      {"--hits", "0.5", {}, {"--lookups", "0"}},
      {"--uniformity", "0.3", {"--distribution", "mix"}},
      {"--repeat-keys", "3", {"--distribution", "ends"}},
      {"--misses", "inside", {"--hits", "0.5"}},
      {"--order", "sorted", {}, {"--lookups", "0"}},
      {"--popularity", "zipf", {}, {"--hits", "0"}},
      {"--exponent", "2", {"--popularity", "zipf"}},
      {"--mix", "0.5", {"--inserts", "5"}},
      {"--batch", "5", {"--inserts", "5"}},
  };
  std::size_t options = 0;
  for (const field_need& need : field_needs()) {
    if (need.option.empty()) continue;
    ++options;
    const auto one = std::find_if(all.begin(), all.end(), [&](const auto& a) { return need.option == a.option; });
    ASSERT_NE(one, all.end()) << need.option;
    std::vector<std::string> call = {"run",       "--config", "PLAIN",     "--machine", "cpu",
                                     "--repeats", "1",        one->option, one->value};
    const std::vector<std::string> sized = {"--keys", "50", "--lookups", "20"};
    std::vector<std::string> idle = call, counts = call;
    idle.insert(idle.end(), one->without.begin(), one->without.end());
    expect_refused(
        idle, {std::string(need.option) + " goes with " + std::string(need.option_needs) + ": here it has no effect"});
    counts.insert(counts.end(), sized.begin(), sized.end());
    counts.insert(counts.end(), one->beside.begin(), one->beside.end());
    expect_right(counts);
  }
  EXPECT_EQ(options, all.size());
}

// The line may be one that a program printed before.
TEST(idle_options, of_a_line_are_dropped_with_a_notice) {
  const std::vector<std::string> run = {"run", "--config", "PLAIN", "--machine", "cpu", "--repeats", "1", "--workload"};
  const auto with = [&](const char* line, const std::vector<std::string>& more = {}) {
    std::vector<std::string> call = run;
    call.emplace_back(line);
    call.insert(call.end(), more.begin(), more.end());
    return run_program(call);
  };
  const program_result dropped = with("keys=50 distribution=dense seed=1 lookups=20 hits=1 inserts=0 erases=0 mix=0.5");
  EXPECT_EQ(dropped.status, 0);
  EXPECT_EQ(dropped.err, "pivotscope: --workload: mix has no effect without inserts or erases: it is left out\n");
  EXPECT_TRUE(dropped.out.starts_with("keys=50 distribution=dense seed=1 lookups=20 hits=1\n")) << dropped.out;
  const program_result two = with("keys=50 lookups=20 exponent=2 uniformity=0.3");
  EXPECT_EQ(two.status, 0);
  EXPECT_EQ(std::count(two.err.begin(), two.err.end(), '\n'), 2) << two.err;
  expect_part(two.err, "exponent has no effect without popularity=zipf");
  // What an option adds makes it count.
  const program_result counts =
      with("keys=50 lookups=20 mix=0.5 exponent=2", {"--inserts", "5", "--popularity", "zipf"});
  EXPECT_EQ(counts.status, 0);
  EXPECT_EQ(counts.err, "");
  expect_part(counts.out, "popularity=zipf exponent=2 inserts=5 erases=0 mix=0.5");
}

}  // namespace
}  // namespace pivotscope
