// What the table's model says of a key's way through the windows is the way that lookups take.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/index/cell_state.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/workload/workload.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

TEST(table_models, say_the_way_that_lookups_take) {
  u64 windows_read = 0;
  for (const char* probing : {"linear", "quadratic", "double"}) {
    for (const char* rest : {"", " layout=soa", " keys=u64", " layout=soa keys=u64 lanes=8 window=16"}) {
      const std::string line = std::string("HT+OA load=100 probing=") + probing + rest;
      SCOPED_TRACE(line);
      const index_config config = testing::config_of(line);
      const key_array keys = *make_keys({.keys = 1000, .dist = distribution::uniform}, config.keys);
      const auto index = testing::build_on_cpu(config, keys);
      ASSERT_TRUE(index);
      const auto model = model_of(*index);
      const auto windows = model->windows();
      ASSERT_TRUE(windows);
      EXPECT_EQ(windows->count * windows->cells, model->region(main_region).cells);
      EXPECT_EQ(windows->count, model->node_count());
      for (u64 i = 0; i < 300; ++i) {
        const u64 key = keys[i] + i % 2;  // some are there
        const lookup_trace trace = *trace_lookup(*index, key);
        const std::vector<u64> path = model->probe_path(key, static_cast<u32>(trace.steps.size()));
        ASSERT_EQ(path.size(), trace.steps.size());
        for (std::size_t s = 0; s < path.size(); ++s, ++windows_read)
          for (const comparison& c : trace.steps[s].compared) ASSERT_EQ(c.slot / windows->cells, path[s]) << s;
      }
      const std::vector<u64> all = model->probe_path(keys[0], ~0u);
      EXPECT_EQ(all.size(), windows->count);
      EXPECT_EQ(std::set<u64>(all.begin(), all.end()).size(), windows->count) << "each once";
    }
  }
  EXPECT_GT(windows_read, 12 * 300u + 1000u) << "some went further";
}

}  // namespace
}  // namespace pivotscope
