// How many windows a sample of lookups reads, what the cells are, and the way of a key through the windows.
#include "viz/models/probe_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/workload/script_text.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/plain_windows.hpp"
#include "viz/layout/layout_windows.hpp"

namespace pivotscope::viz {
namespace {

// 100 dense keys, some of them erased: 4 windows of 32 cells, read one after the other.
struct probed_plain {
  workload load{.keys = 100, .dist = distribution::dense, .lookups = 5000};
  std::shared_ptr<const built_index> index;
  std::shared_ptr<const index_model> model;
  key_array keys;

  explicit probed_plain(const char* text = "") : keys(*make_keys(load, key_width::u32)) {
    const auto cpu = open_machine(machine_kind::cpu);
    index = testing::build_on_cpu(testing::config_of("PLAIN"), keys);
    if (*text != 0) index = (*cpu)->update(*index, *script_from_text(text, key_width::u32), 0, {}, {})->index;
    model = std::make_shared<const testing::plain_windows>(model_of(*index));
  }
};

TEST(probe_studies, count_the_windows_of_a_sample_of_the_batch) {
  const probed_plain t;
  probe_study study(t.index, t.model, t.load);
  while (study.go_on(1)) {
  }
  EXPECT_FALSE(study.failed());
  EXPECT_EQ(study.asked(), most_probed);
  EXPECT_EQ(study.hits().count, most_probed) << "all of its lookups hit";
  EXPECT_EQ(study.made_misses(), most_misses) << "so misses are asked for beside it";
  EXPECT_EQ(study.misses().count, most_misses);
  EXPECT_EQ(study.misses().lookups, (std::vector<u64>{0, 0, 0, 0, most_misses})) << "a miss reads all four windows";
  std::vector<u64> expected(5);
  workload sample = t.load;
  sample.lookups = most_probed;
  const key_array lookups = *make_lookups(sample, key_width::u32);
  for (u64 i = 0; i < lookups.size(); ++i) ++expected[trace_lookup(*t.index, lookups[i])->row / 32 + 1];
  EXPECT_EQ(study.hits().lookups, expected);
  EXPECT_EQ(study.hits().longest(), 4u);
  EXPECT_NEAR(study.hits().mean(), 2.08, 0.08);
  EXPECT_TRUE(study.all_counted());
  EXPECT_EQ(study.cells(), (state_counts{.empty = 28, .live = 100}));
}

TEST(probe_studies, have_an_example_of_each_length) {
  const probed_plain t;
  probe_study study(t.index, t.model, t.load);
  while (study.go_on(1)) {
  }
  for (u64 windows = 1; windows <= 4; ++windows) {
    const std::optional<u64> key = study.hits().example(windows, false);
    ASSERT_TRUE(key.has_value());
    EXPECT_EQ(trace_lookup(*t.index, *key)->row / 32 + 1, windows);
  }
  EXPECT_FALSE(study.hits().example(0, false));
  EXPECT_FALSE(study.hits().example(5, false));
  EXPECT_EQ(study.hits().example(2, true), study.hits().example(4, false)) << "the longest of all";
  EXPECT_FALSE(study.misses().example(3, false)) << "a miss reads all four";
  const std::optional<u64> miss = study.misses().example(4, true);
  ASSERT_TRUE(miss.has_value());
  EXPECT_EQ(trace_lookup(*t.index, *miss)->row, not_found);
}

TEST(probe_studies, ask_for_no_misses_where_the_batch_has_some) {
  probed_plain t("erase 5\nerase 6\n");
  t.load.hits = 0.5;
  probe_study study(t.index, t.model, t.load);
  while (study.go_on(1)) {
  }
  EXPECT_EQ(study.made_misses(), 0u);
  EXPECT_EQ(study.hits().count + study.misses().count, most_probed);
  EXPECT_NEAR(static_cast<double>(study.misses().count), most_probed * 0.51, most_probed * 0.06);
  EXPECT_EQ(study.cells(), (state_counts{.empty = 28, .live = 98, .erased = 2}));

  const key_array own(std::vector<u32>{1, 2, 5});
  probe_study typed(t.index, t.model, {.keys = 100, .dist = distribution::dense, .lookups = 3}, &own);
  while (typed.go_on(1)) {
  }
  EXPECT_EQ(typed.asked(), 3u);
  EXPECT_EQ(typed.hits().count, 2u);
  EXPECT_EQ(typed.misses().count, 1u) << "5 was erased";
}

TEST(probe_studies, count_cells_alone_where_there_are_no_windows) {
  const probed_plain t("erase 5\n");
  probe_study study(t.index, model_of(*t.index), t.load);
  while (study.go_on(1)) {
  }
  EXPECT_EQ(study.to_trace(), 0u);
  EXPECT_EQ(study.cells().erased, 1u);
}

TEST(probe_studies, count_the_steps_of_an_index_that_is_searched_by_levels) {
  const probed_plain t;
  const auto sorted = testing::build_on_cpu(testing::config_of("EO+BS"), t.keys);
  probe_study study(sorted, model_of(*sorted), t.load);
  while (study.go_on(1)) {
  }
  EXPECT_EQ(study.cells().all(), 0u);
  EXPECT_EQ(study.hits().count, most_probed);
  EXPECT_EQ(study.misses().count, most_misses);
  workload sample = t.load;
  sample.lookups = most_probed;
  const key_array lookups = *make_lookups(sample, key_width::u32);
  probe_lengths expected;
  for (u64 i = 0; i < lookups.size(); ++i) expected.add(trace_lookup(*sorted, lookups[i])->steps.size(), lookups[i]);
  EXPECT_EQ(study.hits().lookups, expected.lookups);
  EXPECT_EQ(study.misses().longest(), 6u) << "beyond the greatest of 100 keys, down the right side";
}

// Of more cells than are counted a sample of runs; where they are as many, all of them.
TEST(probe_studies, count_a_sample_of_very_many_cells) {
  for (const u64 cells : {counted_run, most_counted + 3 * counted_run}) {
    const workload load{.keys = cells, .dist = distribution::dense, .lookups = 1};
    const auto index = testing::build_on_cpu(testing::config_of("PLAIN"), *make_keys(load, key_width::u32));
    probe_study study(index, model_of(*index), load);
    ASSERT_EQ(study.all_cells(), cells);
    while (study.go_on(1)) {
    }
    EXPECT_FALSE(study.failed());
    EXPECT_EQ(study.all_counted(), cells <= most_counted);
    EXPECT_EQ(study.cells(), (state_counts{.live = std::min(cells, most_counted)}));
  }
}

TEST(probe_ways, are_the_windows_that_were_read_and_the_next_one) {
  const probed_plain t;
  const lookup_trace trace = *trace_lookup(*t.index, 40 < t.keys.size() ? t.keys[40] : 0);
  ASSERT_EQ(trace.steps.size(), 2u);
  const std::vector<probe_stop> stops = probe_stops(*t.model, trace);
  ASSERT_EQ(stops.size(), 3u);
  EXPECT_EQ(stops[0].window, 0u);
  EXPECT_EQ(stops[0].step, 0u);
  EXPECT_EQ(stops[1].step, 1u);
  EXPECT_EQ(stops[2].window, 2u);
  EXPECT_FALSE(stops[2].step) << "nothing was read there";
  EXPECT_EQ(probe_stops(*t.model, *trace_lookup(*t.index, 1000)).size(), 4u) << "there are no more";
  EXPECT_TRUE(probe_stops(*model_of(*t.index), trace).empty());
}

}  // namespace
}  // namespace pivotscope::viz
