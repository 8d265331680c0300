// Which searches of the cpu machine are compiled for their config.
#include "core/families/ordered/hot_configs.hpp"

#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

struct compiled {
  bool is = false;
  ordered_config for_config = {};
};
compiled compiled_for(const ordered_config& config) {
  compiled out;
  const auto note = [&]<class Config>(Config chosen) {
    out = {!std::is_same_v<Config, dynamic_config<ordered_config>>, chosen.value};
    return true;
  };
  const bool told = config.keys == key_width::u32 ? ordered_hot_configs::with<key_width::u32>(config, note)
                                                  : ordered_hot_configs::with<key_width::u64>(config, note);
  EXPECT_TRUE(told);
  return out;
}

TEST(hot_configs, are_the_usual_k_of_each_method_in_both_widths_and_layouts) {
  for (const char* line :
       {"AO+BS", "EO+BS", "EO+KS fanout=9", "EO+KS fanout=17", "AO+PB+BS", "AO+PB+KS fanout=9", "AO+PB+KS fanout=17"}) {
    for (const char* rest : {"", " layout=soa", " keys=u64", " keys=u64 layout=soa"}) {
      ordered_config config = *config_from_line(std::string(line) + rest);
      const compiled is = compiled_for(config);
      EXPECT_TRUE(is.is) << line << rest;
      config.lanes = 1;
      EXPECT_EQ(to_line(is.for_config), to_line(config));
    }
  }
}

TEST(hot_configs, are_the_same_for_any_lanes_and_any_tiles) {
  for (const char* rest : {" lanes=2", " threads=64", " per_thread=3", " schedule=static blocks_per_sm=2"}) {
    const compiled is = compiled_for(*config_from_line(std::string("EO+KS fanout=9") + rest));
    EXPECT_TRUE(is.is) << rest;
    EXPECT_EQ(to_line(is.for_config), "EO+KS lanes=1");
  }
}

TEST(hot_configs, are_none_of_those_that_search_otherwise) {
  for (const char* line : {"EO+KS fanout=8", "AO+KS fanout=9", "EO+BS pin=full", "EO+BS reorder=lookup",
                           "EO+BS reorder=double", "AO+PB+BS pivots=3"}) {
    const outcome<index_config> config = config_from_line(line);
    if (!config) {
      ADD_FAILURE() << config.error().words;
      continue;
    }
    const compiled is = compiled_for(*config);
    EXPECT_FALSE(is.is) << line;
    EXPECT_EQ(is.for_config, *config);
  }
}

}  // namespace
}  // namespace pivotscope
