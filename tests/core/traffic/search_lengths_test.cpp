// How far lookups go: histograms against the accesses of traces, of tables of all families.
#include "core/traffic/search_lengths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/machine/trace/trace.hpp"
#include "core/workload/batch.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

struct table_of_lengths {
  std::shared_ptr<const built_index> index;
  key_array lookups;
  search_lengths lengths;

  table_of_lengths(const char* line, u64 keys, double hits, u64 asked = 2000) : lookups(key_width::u32, 0) {
    const index_config config = testing::config_of(line);
    const workload load{.keys = keys, .dist = distribution::uniform, .seed = 5, .lookups = asked, .hits = hits};
    index = testing::build_on_cpu(config, *make_keys(load, config.keys));
    lookups = *make_lookups(load, config.keys);
    lengths = *count_lengths(*index, lookups, lookups.size(), {});
  }
};

TEST(search_length, of_a_table_is_the_parts_whose_entries_are_read) {
  for (const auto& [line, unit] :
       {std::pair("HT+OA load=90", "window"), std::pair("HT+OA load=90 layout=soa", "window"),
        std::pair("HT+BUCKET load=200", "slab"), std::pair("HT+CUCKOO load=95", "bucket"),
        std::pair("HT+CUCKOO homes=4 bucket=1 lanes=1 load=90 layout=soa", "bucket"), std::pair("GPH", "bucket"),
        std::pair("GPH keys=u64 load=80", "bucket"), std::pair("GPH hashing=in_turn load=90", "bucket")}) {
    SCOPED_TRACE(line);
    const table_of_lengths t(line, 3000, 0.5);
    EXPECT_EQ(t.lengths.unit, unit);
    probe_lengths hits, misses;
    for (u64 i = 0; i < t.lookups.size(); ++i) {
      const lookup_trace trace = *trace_lookup(*t.index, t.lookups[i]);
      u64 read = 0;
      for (const trace_step& step : trace.steps)
        read += std::ranges::any_of(step.accesses, [](const memory_access& a) {
          return a.array == main_region && a.space == memory_space::global;
        });
      (trace.row == not_found ? misses : hits).add(read, trace.key);
    }
    EXPECT_EQ(t.lengths.hits.lookups, hits.lookups);
    EXPECT_EQ(t.lengths.misses.lookups, misses.lookups);
    EXPECT_EQ(t.lengths.hits.first, hits.first);
    EXPECT_EQ(t.lengths.hits.count + t.lengths.misses.count, 2000u);
    EXPECT_GE(t.lengths.hits.mean(), 1.0);
    EXPECT_GE(t.lengths.misses.mean(), 1.0);
  }
}

// What docs/cuckoo.md and docs/gph.md say.
TEST(search_length, of_tables_is_what_their_pages_say) {
  const table_of_lengths cuckoo("HT+CUCKOO", 1 << 16, 0.5, 10000), perfect("GPH", 1 << 16, 0.5, 10000);
  EXPECT_NEAR(cuckoo.lengths.hits.mean(), 1.10, 0.03);
  EXPECT_NEAR(cuckoo.lengths.misses.mean(), 1.54, 0.06);
  EXPECT_LT(perfect.lengths.hits.mean(), 1.02) << "but for what is in the spill";
  EXPECT_LT(perfect.lengths.misses.mean(), 1.05) << "but for cells that say that some of their keys are";
}

TEST(search_length, of_another_index_is_its_steps) {
  const table_of_lengths tree("EO+BS", 1000, 1);
  EXPECT_EQ(tree.lengths.unit, "step");
  for (u64 i = 0; i < 100; ++i) {
    const lookup_trace trace = *trace_lookup(*tree.index, tree.lookups[i]);
    EXPECT_EQ(length_of(*model_of(*tree.index), trace), trace.steps.size());
  }
  EXPECT_EQ(tree.lengths.misses.count, 0u);
  EXPECT_EQ(tree.lengths.hits.longest(), 10u);
  const table_of_lengths plain("PLAIN", 100, 1);
  EXPECT_FALSE(has_search_lengths(*model_of(*plain.index)));
  EXPECT_EQ(plain.lengths.hits.count, 0u) << "it looks through all cells";
}

TEST(search_length, histograms_add_up) {
  probe_lengths lengths;
  for (const u64 read : {1, 1, 4, 2, 1, 4}) lengths.add(read, 100 + lengths.count);
  EXPECT_EQ(lengths.lookups, (std::vector<u64>{0, 3, 1, 0, 2}));
  EXPECT_EQ(lengths.of_length(4), 2u);
  EXPECT_EQ(lengths.of_length(2, true), 3u);
  EXPECT_EQ(lengths.of_length(5, true), 0u);
  EXPECT_EQ(lengths.example(1, false), 100u);
  EXPECT_EQ(lengths.example(2, true), 102u) << "of the longest, the first";
  EXPECT_DOUBLE_EQ(lengths.mean(), 13.0 / 6);
  const search_lengths both{"bucket", lengths, {}};
  const nlohmann::json j = both;
  EXPECT_EQ(j["unit"], "bucket");
  EXPECT_EQ(j["hits"]["of_length"], lengths.lookups);
  EXPECT_EQ(j["misses"]["lookups"], 0);
}

}  // namespace
}  // namespace pivotscope
