// What the host compiles of `btree` for a config works as that config does.
#include "core/families/btree/hot_configs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/batch/hot_configs.hpp"
#include "core/index/config_text.hpp"

namespace pivotscope {
namespace {

std::vector<std::string> all_nodes() {
  std::vector<std::string> lines;
  for (const u32 node : {8u, 16u, 32u})
    for (const char* layout : {"aos", "soa"})
      for (const char* keys : {"u32", "u64"})
        for (const char* reorder : {"none", "lookup"})
          for (u32 lanes = std::max(1u, node / 8); lanes <= node; lanes *= 2)
            lines.push_back(
                fmt::format("BTREE lanes={} node={} layout={} keys={} reorder={}", lanes, node, layout, keys, reorder));
  return lines;
}

TEST(btree_hot_configs, differ_from_what_they_stand_for_in_nothing_but_lanes) {
  u32 compiled = 0;
  for (const std::string& line : all_nodes()) {
    const btree_config asked = btree_config::of(*config_from_line(line));
    with_hot_config<btree_hot_configs>(asked, [&]<class Config, class Key>(Config chosen, Key) {
      EXPECT_EQ(sizeof(Key), key_bytes(asked.keys)) << line;
      if (std::is_same_v<Config, dynamic_config<btree_config>>) {
        EXPECT_EQ(chosen.value, asked) << line;
        return;
      }
      ++compiled;
      btree_config c = asked;
      c.lanes = c.node > 8 ? 2 : 1;
      EXPECT_EQ(chosen.value, c) << line;
    });
  }
  EXPECT_EQ(compiled, 2 * (4 + 4));
}

}  // namespace
}  // namespace pivotscope
