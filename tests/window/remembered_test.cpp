// Scenarios as text: no window is needed.
#include <gtest/gtest.h>

#include "app/files/scenario_text.hpp"
#include "core/index/config_text.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

TEST(ScenarioText, EveryPartIsOptionalAndOrderDoesNotMatter) {
  const auto whole = scenario_from_line("lookup=7 keys=2^12 EO+KS keys=u64 distribution=dense fanout=5");
  ASSERT_TRUE(whole.ok()) << whole.error().words;
  EXPECT_EQ(knobs_of(*whole->config).fanout, 5u);
  EXPECT_EQ(whole->config->keys, key_width::u64);
  EXPECT_EQ(whole->load->keys, 4096u);
  EXPECT_EQ(whole->key, 7u);
  const auto key_only = scenario_from_line("lookup=0x10");
  ASSERT_TRUE(key_only.ok());
  EXPECT_FALSE(key_only->config);
  EXPECT_EQ(key_only->key, 16u);
}

TEST(ScenarioText, ALineComesBackAsItWas) {
  for (const char* line : {"EO+BS", "AO+PB+KS fanout=17 lanes=4 layout=soa keys=u64", "AO+BS threads=512"}) {
    const outcome<index_config> config = config_from_line(line);
    ASSERT_TRUE(config.ok()) << line;
    workload load;
    load.keys = 5000;
    load.dist = distribution::uniform;
    load.seed = 9;
    load.hits = 0.25;
    const auto back = scenario_from_line(to_line(*config, load, 123));
    ASSERT_TRUE(back.ok()) << back.error().words;
    EXPECT_EQ(*back->config, *config);
    EXPECT_EQ(*back->load, load);
    EXPECT_EQ(back->key, 123u);
  }
}

}  // namespace
}  // namespace pivotscope
