// What a family lacks is refused in words that name those that have it, wherever a batch meets a config.
#include "core/index/operations.hpp"

#include <gtest/gtest.h>

#include "core/index/axes.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/run/run.hpp"
#include "core/tuning/adviser.hpp"
#include "core/tuning/autotuner.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/method_lists.hpp"

namespace pivotscope {
namespace {

std::string plain_words() {
  return "PLAIN has no order, so it has no successors; " +
         testing::have_them({"AO+BS", "AO+KS", "EO+BS", "EO+KS", "AO+PB+BS", "AO+PB+KS", "PACKED"},
                            operation::successor);
}

TEST(operations, a_family_says_why_it_lacks_one_and_who_has_it) {
  EXPECT_EQ(check_serves(testing::config_of("PLAIN"), operation::successor), plain_words());
  EXPECT_EQ(check_serves(testing::config_of("PLAIN lanes=4 keys=u64"), operation::successor), plain_words());
  EXPECT_EQ(check_serves(testing::config_of("PLAIN"), operation::find), std::nullopt);
  EXPECT_EQ(check_serves(testing::config_of("PLAIN"), operation::range), std::nullopt);
  for (const operation kind : read_operations)
    EXPECT_EQ(check_serves(testing::config_of("AO+PB+KS"), kind), std::nullopt);
  EXPECT_EQ(check_serves(testing::config_of("EO+BS"), operation::erase),
            "EO+BS is built once, so it has no erases; " + testing::have_them({"PLAIN", "HT+OA"}, operation::erase));
}

bool keeps_duplicates_somewhere(const family& f) {
  for (const axis& a : axes(f.id()))
    for (const std::string& value : a.values) {
      index_config config = f.standard();
      if (a.set(config, value) && f.keeps_duplicates(config)) return true;
    }
  return f.keeps_duplicates(f.standard());
}

// What is said and what is compiled: a function that is there or not.
TEST(operations, that_a_family_has_are_those_that_its_code_has) {
  for (const family* f : families()) {
    SCOPED_TRACE(f->name());
    const host_code& host = f->on_host();
    const trace_code& trace = f->on_trace();
    EXPECT_EQ(host.find != nullptr && trace.find != nullptr, f->serves(operation::find));
    // Matches of a family without an order are asked of its range, if any of its configs keeps duplicates.
    const bool ranges = f->serves(operation::range) || keeps_duplicates_somewhere(*f);
    EXPECT_EQ(host.count_ranges != nullptr, ranges);
    EXPECT_EQ(host.write_rows != nullptr, ranges);
    EXPECT_EQ(trace.range != nullptr, ranges);
    for (const operation kind : all_operations) {
      if (answer_of(kind) != answer_kind::next) continue;
      EXPECT_EQ(host.next_keys != nullptr, f->serves(kind)) << operation_noun(kind);
      EXPECT_EQ(trace.next_key != nullptr, f->serves(kind)) << operation_noun(kind);
    }
    EXPECT_EQ(host.update != nullptr, f->changes());
    EXPECT_EQ(trace.write != nullptr, f->steps_writes(f->standard()));
    EXPECT_EQ(trace.interleaved != nullptr, f->changes_one_by_one(f->standard()));
    EXPECT_EQ(f->serves(operation::insert), f->serves(operation::erase));
    for (const operation kind : all_operations) {
      if (!f->serves(kind)) {
        EXPECT_TRUE(f->lacks(kind).starts_with("has ") || f->lacks(kind).starts_with("is "))
            << "behind a method's name: " << f->lacks(kind);
      }
    }
  }
}

TEST(operations, of_a_batch_as_a_whole_meet_no_others_and_may_have_a_path) {
  const index_config nodes = testing::config_of("CGRX+NODES"), array = testing::config_of("SA");
  EXPECT_EQ(check_steps(nodes, operation::insert), std::nullopt);
  EXPECT_EQ(check_interleaves(nodes, operation::insert),
            "CGRX+NODES does the writes of a batch as a whole, so none of its inserts meets another operation");
  EXPECT_EQ(check_interleaves(nodes, operation::find), std::nullopt);
  EXPECT_EQ(check_steps(array, operation::erase),
            "SA does the writes of a batch as a whole, so none of its erases has a path of its own");
  EXPECT_EQ(check_interleaves(testing::config_of("HT+OA"), operation::insert), std::nullopt);
}

TEST(operations, are_refused_by_machine_run_and_trace_alike) {
  const auto cpu = detail::open_cpu();
  const index_config plain = testing::config_of("PLAIN");
  const key_array keys(std::vector<u32>{5, 3, 9});
  const auto index = testing::build_on_cpu(plain, keys);
  const batch asked{operation::successor, key_array(std::vector<u32>{4})};
  EXPECT_EQ(check_batch_fits(plain, asked).error().words, plain_words());
  EXPECT_EQ(cpu->run(*index, asked, {}, {}).error().words, plain_words());
  EXPECT_EQ(cpu->prepare(plain, operation::successor, {}).error().words, plain_words());
  EXPECT_EQ(trace_next(*index, operation::successor, 4).error().words, plain_words());
  const auto set = *key_set::load(*cpu, keys, {});
  EXPECT_EQ(run_batch(*cpu, *index, *set, asked, {}, {}).error().words, plain_words());
  // Before anything is built.
  job_control control([](std::string_view stage, double) { ADD_FAILURE() << stage; });
  EXPECT_EQ(run_config(*cpu, plain, *set, asked, {}, control).error().words, plain_words());
}

// A batch of them has no answers: one that a machine took would seem to be done.
TEST(operations, that_write_are_no_batch_of_a_machines_run) {
  const auto cpu = detail::open_cpu();
  const auto index = testing::build_on_cpu(testing::config_of("PLAIN"), key_array(std::vector<u32>{5, 3, 9}));
  for (const operation kind : {operation::insert, operation::erase}) {
    const auto run = cpu->run(*index, {kind, key_array(std::vector<u32>{4})}, {}, {});
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().words, std::string(operation_noun(kind)) +
                                     " make another index of this one: they are a script's (machine::update)");
    EXPECT_TRUE(cpu->prepare(index->config(), kind, {}));
  }
}

TEST(operations, that_a_family_lacks_make_it_no_candidate_and_no_advice) {
  const auto families_for = [](operation asked) {
    std::vector<bool> seen(families().size());
    for (const index_config& c : tuning_candidates({.keys = 100, .asked = asked})) {
      EXPECT_EQ(check_serves(c, asked), std::nullopt);
      for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = seen[i] || families()[i]->id() == c.family;
    }
    return seen;
  };
  for (const operation kind : all_operations) {
    const std::vector<bool> seen = families_for(kind);
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], families()[i]->serves(kind)) << i;
  }
  for (const machine_kind kind : {machine_kind::cpu, machine_kind::cuda}) {
    machine_info on;
    on.kind = kind;
    for (const u64 keys : {u64{100}, u64{1} << 28}) {
      const workload asks{.keys = keys, .dist = distribution::uniform, .lookups = 0, .successors = 100};
      const advice given = advise(facts_of(asks, key_width::u32), on);
      EXPECT_EQ(check_serves(given.config, operation::successor), std::nullopt);
      EXPECT_EQ(check_serves(given.best(), operation::successor), std::nullopt);
    }
  }
}

}  // namespace
}  // namespace pivotscope
