// What the model says of slabs and links is what searches meet.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/families/buckets/buckets_model.hpp"
#include "core/index/cell_state.hpp"
#include "core/index/index_reader.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/workload/workload.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

TEST(buckets_models, have_the_chains_that_lookups_follow) {
  u64 followed = 0;
  for (const char* rest : {"", " layout=soa", " keys=u64", " layout=soa keys=u64"}) {
    const std::string line = fmt::format("HT+BUCKET slab=4 lanes=2 load=250{}", rest);
    SCOPED_TRACE(line);
    const index_config config = testing::config_of(line);
    const key_array keys = *make_keys({.keys = 500, .dist = distribution::uniform}, config.keys);
    const auto index = testing::build_on_cpu(config, keys);
    ASSERT_TRUE(index);
    const auto model = model_of(*index);
    const region_reader read = index_reader(*index);
    std::vector<node_link> links;
    const std::vector<tree_node> nodes = model->nodes();
    ASSERT_TRUE(model->links_of(nodes, read, links));
    std::map<u64, u64> next;
    for (const node_link& link : links) EXPECT_TRUE(next.emplace(link.from, link.to).second);
    // The same from cells, and no slab in two chains.
    std::vector<cell_link> leads;
    ASSERT_TRUE(model->leads_of({main_region, 0, model->region(main_region).cells}, read, leads));
    ASSERT_EQ(leads.size(), links.size());
    std::set<u64> behind;
    for (const cell_link& lead : leads) {
      EXPECT_EQ(lead.from.cell % 4, 3u);
      EXPECT_EQ(next.at(lead.from.cell / 4), lead.to.cell / 4);
      EXPECT_TRUE(behind.insert(lead.to.cell / 4).second);
      EXPECT_EQ(model->words_of(lead.from, read), fmt::format("on to slab {}", lead.to.cell / 4));
      EXPECT_EQ(model->brief_of(lead.from, read), std::to_string(lead.to.cell / 4));
      EXPECT_FALSE(model->value_of(lead.from, read)->key) << "a link has no key";
    }
    for (u64 i = 0; i < keys.size(); ++i) {
      const lookup_trace trace = *trace_lookup(*index, keys[i]);
      u64 slab = *model->part_of(keys[i], {});
      for (const trace_step& step : trace.steps) {
        for (const comparison& c : step.compared) ASSERT_EQ(c.slot / 4, slab);
        EXPECT_EQ(step.level, slab < nodes.size() && nodes[slab].level == 0 ? 0u : 1u);
        if (&step != &trace.steps.back()) slab = next.at(slab), ++followed;
      }
      ASSERT_NE(trace.row, not_found);
      EXPECT_EQ(trace.slot / 4, slab);
    }
  }
  EXPECT_GT(followed, 1000u);
}

TEST(buckets_models, say_what_links_counters_and_free_slabs_hold) {
  const index_config config = testing::config_of("HT+BUCKET slab=4 lanes=1 load=400 room=12");
  const auto index = testing::build_on_cpu(config, key_array(std::vector<u32>{1, 2, 3, 4}));
  const auto model = model_of(*index);
  const region_reader read = index_reader(*index);
  // One bucket and a pool of four slabs, of which one is taken.
  EXPECT_EQ(model->words_of({main_region, 3}, read), "on to slab 1");
  EXPECT_EQ(model->words_of({main_region, 7}, read), "the chain ends here");
  EXPECT_EQ(model->brief_of({main_region, 7}, read), "end");
  EXPECT_EQ(model->words_of({main_region, 11}, read), "the slab is in no chain");
  EXPECT_EQ(model->words_of({main_region, 2}, read), "") << "an entry";
  EXPECT_EQ(model->words_of({buckets_region::free, 1}, read), "slab 2");
  EXPECT_EQ(model->words_of({buckets_region::pool, pool_more}, read), "0 more entries were erased than keys");
  std::vector<part_fill> fills(5);
  ASSERT_TRUE(model->fills_of(0, read, fills));
  EXPECT_EQ(fills, (std::vector<part_fill>{{3, 0}, {1, 1}, {0, 1}, {0, 1}, {0, 1}}));
}

}  // namespace
}  // namespace pivotscope
