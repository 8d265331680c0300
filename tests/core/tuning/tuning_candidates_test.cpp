// Which configs are measured, by name and in their order.
#include "core/tuning/tuning_candidates.hpp"

#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "core/tuning/known_faster.hpp"
#include "core/tuning/name_alone.hpp"
#include "tests/core/tuning/tuned_samples.hpp"
#include "tests/support/method_lists.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

// On an H100, or a CPU whose cache is as large.
candidate_question question_of(machine_kind kind, u64 keys) {
  return {.machine = kind, .keys = keys, .cache_bytes = 50ull << 20, .large_scratch = kind == machine_kind::cuda};
}
// Which configs of a later family are measured is for its own tests.
strings known_lines_of(std::vector<index_config> list) {
  std::erase_if(list, [](const index_config& c) { return !testing::is_golden(family_of(c)); });
  return lines_of(list);
}
strings candidates(machine_kind kind, u64 keys, bool ascending = false, bool smallest = false) {
  candidate_question question = question_of(kind, keys);
  question.ascending = ascending, question.smallest = smallest;
  return known_lines_of(tuning_candidates(question));
}
strings without(strings list, std::string_view order) {
  std::erase_if(list, [&](const std::string& line) { return line.starts_with(order); });
  return list;
}

const strings on_cuda = {
    "AO+BS",
    "AO+BS threads=128 per_thread=16 reorder=double",
    "AO+BS layout=soa",
    "AO+BS layout=soa threads=128 per_thread=16 reorder=double",
    "AO+BS threads=1024 schedule=static blocks_per_sm=2 pin=full",
    "AO+KS",
    "EO+BS",
    "EO+BS threads=128 per_thread=16 reorder=double",
    "EO+BS layout=soa",
    "EO+BS layout=soa threads=128 per_thread=16 reorder=double",
    "EO+KS fanout=5 lanes=1",
    "EO+KS fanout=5 lanes=2",
    "EO+KS fanout=5 lanes=2 layout=soa",
    "EO+KS fanout=5",
    "EO+KS fanout=5 layout=soa",
    "EO+KS lanes=1",
    "EO+KS lanes=2",
    "EO+KS lanes=2 layout=soa",
    "EO+KS lanes=4",
    "EO+KS",
    "EO+KS layout=soa",
    "EO+KS fanout=17 lanes=1",
    "EO+KS fanout=17 lanes=2",
    "EO+KS fanout=17 lanes=2 layout=soa",
    "EO+KS fanout=17 lanes=4",
    "EO+KS fanout=17",
    "EO+KS fanout=17 layout=soa",
    "AO+PB+BS",
    "AO+PB+BS threads=128 per_thread=16 reorder=double",
    "AO+PB+BS layout=soa",
    "AO+PB+BS layout=soa threads=128 per_thread=16 reorder=double",
    "AO+PB+BS pivots=16",
    "AO+PB+BS threads=128 per_thread=16 pivots=16 reorder=double",
    "AO+PB+KS fanout=5 lanes=1",
    "AO+PB+KS fanout=5 lanes=2",
    "AO+PB+KS fanout=5 lanes=2 layout=soa",
    "AO+PB+KS fanout=5",
    "AO+PB+KS fanout=5 layout=soa",
    "AO+PB+KS lanes=1",
    "AO+PB+KS lanes=2",
    "AO+PB+KS lanes=2 layout=soa",
    "AO+PB+KS lanes=4",
    "AO+PB+KS",
    "AO+PB+KS layout=soa",
    "AO+PB+KS fanout=17 lanes=1",
    "AO+PB+KS fanout=17 lanes=2",
    "AO+PB+KS fanout=17 lanes=2 layout=soa",
    "AO+PB+KS fanout=17 lanes=4",
    "AO+PB+KS fanout=17",
    "AO+PB+KS fanout=17 layout=soa",
    "HT+OA lanes=1 window=4 load=50",
    "HT+OA lanes=1 window=4",
    "HT+OA load=50",
    "HT+OA lanes=4",
    "HT+OA lanes=1 window=4 per_thread=4",
    "PACKED leaf=16 lanes=1 fill=80 flight=2 per_thread=2",
    "PACKED leaf=32 lanes=1",
    "PACKED leaf=32 fill=115",
    "PACKED leaf=64",
    "PACKED lanes=4 fill=105",
    "PACKED lanes=4 fill=105 reads=kept",
    "PACKED lanes=4 block=32 fill=180 reads=kept",
    "PACKED lanes=4 block=32 fill=400 reads=kept",
    "PACKED leaf=32 fill=115 scratch=192KiB flight=4 threads=1024 per_thread=8 schedule=static",
    "PACKED leaf=32 fill=121 scratch=226KiB flight=4 threads=1024 per_thread=8 schedule=static",
    "AO+BS threads=512 per_thread=16 schedule=static blocks_per_sm=2 pin=steps reorder=double",
    "AO+KS fanout=3 lanes=1 threads=512 per_thread=16 reorder=double",
    "AO+PB+BS threads=512 per_thread=8 reorder=double",
    "AO+PB+KS lanes=2 per_thread=2 flight=2",
};
const strings on_cpu = {
    "AO+BS",
    "AO+BS threads=128 per_thread=16 reorder=double",
    "AO+BS layout=soa",
    "AO+BS layout=soa threads=128 per_thread=16 reorder=double",
    "AO+KS",
    "EO+BS",
    "EO+BS threads=128 per_thread=16 reorder=double",
    "EO+BS layout=soa",
    "EO+BS layout=soa threads=128 per_thread=16 reorder=double",
    "EO+KS fanout=5 lanes=1",
    "EO+KS fanout=5 lanes=1 layout=soa",
    "EO+KS lanes=1",
    "EO+KS lanes=1 layout=soa",
    "EO+KS",
    "EO+KS layout=soa",
    "EO+KS fanout=17 lanes=1",
    "EO+KS fanout=17 lanes=1 layout=soa",
    "AO+PB+BS",
    "AO+PB+BS threads=128 per_thread=16 reorder=double",
    "AO+PB+BS layout=soa",
    "AO+PB+BS layout=soa threads=128 per_thread=16 reorder=double",
    "AO+PB+BS pivots=16",
    "AO+PB+BS threads=128 per_thread=16 pivots=16 reorder=double",
    "AO+PB+KS fanout=5 lanes=1",
    "AO+PB+KS fanout=5 lanes=1 layout=soa",
    "AO+PB+KS lanes=1",
    "AO+PB+KS lanes=1 layout=soa",
    "AO+PB+KS",
    "AO+PB+KS layout=soa",
    "AO+PB+KS fanout=17 lanes=1",
    "AO+PB+KS fanout=17 lanes=1 layout=soa",
    "HT+OA lanes=1 window=4 load=50",
    "HT+OA lanes=1 window=4",
    "HT+OA load=50",
    "HT+OA lanes=4",
    "HT+OA lanes=1",
    "PACKED leaf=32 lanes=1 fill=105",
    "PACKED lanes=1",
};

TEST(tuning_candidates, are_these_on_each_machine) {
  EXPECT_EQ(candidates(machine_kind::cuda, 1 << 20), on_cuda);
  EXPECT_EQ(candidates(machine_kind::cpu, 1 << 20), on_cpu);
}

TEST(tuning_candidates, keep_to_what_is_required) {
  EXPECT_EQ(candidates(machine_kind::cuda, 1 << 20, true, false), without(without(on_cuda, "EO"), "HT"));
  EXPECT_EQ(candidates(machine_kind::cuda, 1 << 20, false, true),
            without(without(without(on_cuda, "AO+PB"), "HT"), "PACKED"));
  EXPECT_EQ(candidates(machine_kind::cpu, 1 << 20, true, true),
            without(without(without(without(on_cpu, "EO"), "AO+PB"), "HT"), "PACKED"));
}

// On a GPU who scans is a question of its own; on a CPU lanes run one after another.
TEST(tuning_candidates, for_ranges_are_scanned_alone_and_together_on_cuda) {
  const auto for_ranges = [](machine_kind kind) {
    candidate_question question = question_of(kind, 1 << 20);
    question.asked = operation::range;
    return known_lines_of(tuning_candidates(question));
  };
  EXPECT_EQ(for_ranges(machine_kind::cpu), without(on_cpu, "HT"));
  const strings both = without(for_ranges(machine_kind::cuda), "PACKED");
  strings alone = without(without(on_cuda, "HT"), "PACKED");
  alone.erase(std::find(alone.begin(), alone.end(), to_line(known_configs(1 << 20, key_width::u32).front())),
              alone.end());  // what is known is of single keys
  ASSERT_EQ(both.size(), 2 * alone.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(both[i], alone[i]);
    ordered_config together = *config_from_line(alone[i]);
    together.scan = scan_kind::cooperative;
    EXPECT_EQ(both[alone.size() + i], to_line(together));
  }
}

TEST(tuning_candidates, have_the_width_that_is_asked_for) {
  EXPECT_EQ(
      known_lines_of(tuning_candidates({machine_kind::cuda, 1 << 20, key_width::u64, true, true})),
      (strings{"AO+BS keys=u64", "AO+BS keys=u64 threads=128 per_thread=16 reorder=double", "AO+BS keys=u64 layout=soa",
               "AO+BS keys=u64 layout=soa threads=128 per_thread=16 reorder=double",
               "AO+BS keys=u64 threads=1024 schedule=static blocks_per_sm=2 pin=full", "AO+KS keys=u64",
               "AO+BS keys=u64 threads=512 per_thread=16 schedule=static blocks_per_sm=2 pin=steps reorder=double",
               "AO+KS fanout=3 lanes=1 keys=u64 threads=512 per_thread=16 reorder=double"}));
}

// So a tuning never ends below what the name alone gives: on a device 18.4 G/s in place of 16.5 at 2^28 of 64 bits.
TEST(tuning_candidates, have_what_each_name_alone_stands_for_and_what_is_known_to_be_faster) {
  for (const machine_kind kind : {machine_kind::cpu, machine_kind::cuda}) {
    for (const key_width width : {key_width::u32, key_width::u64}) {
      for (u32 log2_keys = 4; log2_keys <= 28; log2_keys += 2) {
        candidate_question question = question_of(kind, 1ull << log2_keys);
        question.width = width;
        const strings all = lines_of(tuning_candidates(question));
        const auto has = [&](const index_config& c) {
          return std::find(all.begin(), all.end(), to_line(c)) != all.end();
        };
        machine_info on;
        on.kind = kind;
        on.l2_bytes = question.cache_bytes, on.compute_capability = 90;
        for (const char* name : {"PACKED", "HT+OA"}) {
          typed_config typed = *typed_config_from_line(name);
          typed.config.keys = width;
          EXPECT_TRUE(has(config_for(typed, question.keys, on))) << name << " over 2^" << log2_keys;
        }
        const std::vector<index_config> known = known_configs(question.keys, width);
        EXPECT_TRUE(known.empty() || log2_keys >= 16) << log2_keys;
        EXPECT_TRUE(!known.empty() || log2_keys != 20);
        for (const index_config& c : known) {
          EXPECT_EQ(c.keys, width);
          EXPECT_TRUE(kind == machine_kind::cpu || has(c)) << to_line(c);
        }
      }
    }
  }
}

TEST(tuning_candidates, a_buffer_is_trimmed_from_nine_levels_on) {
  const auto trimmed = [](u64 keys) {
    strings list = candidates(machine_kind::cpu, keys);
    std::erase_if(list, [](const std::string& line) { return line.find("pivots=") == std::string::npos; });
    return list;
  };
  EXPECT_EQ(trimmed(255), strings{});
  EXPECT_EQ(trimmed(256), (strings{"AO+PB+BS pivots=4", "AO+PB+BS threads=128 per_thread=16 pivots=4 reorder=double"}));
}

TEST(tuning_candidates, near_a_config_are_other_blocks_pinning_and_reordering) {
  const auto near = [](const char* line, machine_kind kind) {
    return lines_of(configs_near(*config_from_line(line), kind));
  };
  EXPECT_EQ(near("EO+BS schedule=static blocks_per_sm=4", machine_kind::cpu),
            strings{"EO+BS threads=128 per_thread=16 schedule=static blocks_per_sm=4 reorder=double"});
  EXPECT_EQ(near("AO+PB+KS lanes=2", machine_kind::cuda),
            (strings{"AO+PB+KS lanes=2 threads=128 per_thread=16 reorder=double", "AO+PB+KS lanes=2 threads=128",
                     "AO+PB+KS lanes=2 threads=512", "AO+PB+KS lanes=2 threads=1024", "AO+PB+KS lanes=2 per_thread=2",
                     "AO+PB+KS lanes=2 per_thread=4",
                     "AO+PB+KS lanes=2 threads=1024 schedule=static blocks_per_sm=2 pin=steps",
                     "AO+PB+KS lanes=2 threads=1024 schedule=static blocks_per_sm=2 pin=full"}));
  // From a reordered one, one of them is itself; pinning ends the reordering.
  EXPECT_EQ(near("AO+BS threads=128 per_thread=16 reorder=double", machine_kind::cuda),
            (strings{"AO+BS threads=128 per_thread=16 reorder=double", "AO+BS threads=512 per_thread=16 reorder=double",
                     "AO+BS threads=1024 per_thread=16 reorder=double", "AO+BS threads=128 per_thread=2 reorder=double",
                     "AO+BS threads=128 per_thread=4 reorder=double",
                     "AO+BS threads=1024 schedule=static blocks_per_sm=2 pin=steps",
                     "AO+BS threads=1024 schedule=static blocks_per_sm=2 pin=full"}));
}

// What was best on an H200 at each n of docs/packed.md is among them, so that a tuning finds it.
TEST(tuning_candidates, have_the_packed_index_that_was_best_at_each_size) {
  const std::pair<u32, const char*> best[] = {
      {16, "PACKED leaf=16 lanes=1 fill=80 flight=2 per_thread=2"},
      {20, "PACKED leaf=32 fill=121 scratch=226KiB flight=4 threads=1024 per_thread=8 schedule=static"},
      {22, "PACKED leaf=32 fill=115 scratch=192KiB flight=4 threads=1024 per_thread=8 schedule=static"},
      {24, "PACKED lanes=4 fill=105"},
      {26, "PACKED lanes=4 fill=105 reads=kept"},
      {28, "PACKED lanes=4 block=32 fill=400 reads=kept"}};
  for (const auto& [bits, line] : best) {
    const strings list = candidates(machine_kind::cuda, 1ull << bits);
    EXPECT_EQ(std::count(list.begin(), list.end(), line), 1) << bits;
  }
}

TEST(tuning_candidates, near_a_packed_index_are_other_leaves_and_directories) {
  const auto near = [](const char* line, machine_kind kind) {
    strings list = lines_of(configs_near(*config_from_line(line), kind));
    // But for other blocks and reordering.
    std::erase_if(list,
                  [](const std::string& l) { return l.find("reorder=") != l.npos || l.find("per_thread=") != l.npos; });
    return list;
  };
  EXPECT_EQ(near("PACKED lanes=4 reads=once", machine_kind::cpu),
            (strings{"PACKED lanes=4 fill=40 reads=once", "PACKED lanes=4 fill=80 reads=once",
                     "PACKED lanes=4 fill=105 reads=once", "PACKED lanes=4 fill=120 reads=once",
                     "PACKED lanes=4 block=32 fill=180 reads=once", "PACKED leaf=128 lanes=4 reads=once"}));
  strings list = near("PACKED lanes=4 block=32 fill=180 reads=once", machine_kind::cuda);
  std::erase_if(list, [](const std::string& l) { return l.find("threads=") != l.npos; });
  EXPECT_EQ(
      list,
      (strings{"PACKED lanes=4 block=32 fill=120 reads=once", "PACKED lanes=4 block=32 fill=280 reads=once",
               "PACKED lanes=4 block=32 fill=400 reads=once", "PACKED lanes=4 reads=once",
               "PACKED leaf=16 lanes=1 block=32 fill=180 reads=once", "PACKED leaf=32 block=32 fill=180 reads=once",
               "PACKED leaf=32 lanes=1 block=32 fill=180 reads=once",
               "PACKED leaf=128 lanes=8 block=32 fill=180 reads=once",
               "PACKED leaf=128 lanes=4 block=32 fill=180 reads=once", "PACKED block=32 fill=180 reads=once",
               "PACKED lanes=4 block=32 fill=180", "PACKED lanes=4 block=32 fill=180 reads=kept"}));
  const strings pinned = near("PACKED leaf=32 lanes=1 scratch=160KiB threads=1024 schedule=static", machine_kind::cuda);
  EXPECT_EQ(
      std::count(pinned.begin(), pinned.end(), "PACKED leaf=32 lanes=1 scratch=96KiB threads=1024 schedule=static"), 1);
  const strings in_flight = lines_of(configs_near(*config_from_line("PACKED leaf=32"), machine_kind::cuda));
  EXPECT_EQ(std::count(in_flight.begin(), in_flight.end(), "PACKED leaf=32 flight=2 per_thread=2"), 1);
}

}  // namespace
}  // namespace pivotscope
