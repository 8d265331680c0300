// What the host compiles of `open_addressing` for a config works as that config does.
#include "core/families/open_addressing/hot_configs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/batch/hot_configs.hpp"
#include "core/index/config_text.hpp"

namespace pivotscope {
namespace {

std::vector<std::string> all_that_work_differently() {
  std::vector<std::string> lines;
  for (const u32 window : {1u, 2u, 4u, 8u, 16u})
    for (const char* probing : {"linear", "quadratic", "double"})
      for (const char* layout : {"aos", "soa"})
        for (const char* keys : {"u32", "u64"})
          for (const char* reorder : {"none", "lookup"})
            for (u32 lanes = std::max(1u, window / 8); lanes <= window; lanes *= 2)
              lines.push_back(fmt::format("HT+OA lanes={} window={} probing={} layout={} keys={} reorder={}", lanes,
                                          window, probing, layout, keys, reorder));
  return lines;
}

TEST(open_addressing_hot_configs, differ_from_what_they_stand_for_in_nothing_but_lanes) {
  u32 compiled = 0;
  for (const std::string& line : all_that_work_differently()) {
    const open_addressing_config asked = open_addressing_config::of(*config_from_line(line));
    with_hot_config<open_addressing_hot_configs>(asked, [&]<class Config, class Key>(Config chosen, Key) {
      EXPECT_EQ(sizeof(Key), key_bytes(asked.keys)) << line;
      if (std::is_same_v<Config, dynamic_config<open_addressing_config>>) {
        EXPECT_EQ(chosen.value, asked) << line;
        return;
      }
      ++compiled;
      open_addressing_config c = asked;
      c.lanes = 1;
      EXPECT_EQ(chosen.value, c) << line;
    });
  }
  EXPECT_EQ(compiled, 2 * (3 + 4 + 4));
}

}  // namespace
}  // namespace pivotscope
