// Which searches of the cpu machine are compiled for their config.
#include "core/families/ordered/hot_configs.hpp"

#include <gtest/gtest.h>

#include "core/batch/host_code_of.hpp"
#include "core/families/rx/hot_configs.hpp"
#include "core/families/rx/scene.hpp"
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

// A family that answers whether its code was compiled for its config.
struct telling {
  using config = rx_config;
  using state = rx_view;
  PIVOTSCOPE_FN static constexpr u32 lanes(const config&) { return 1; }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const config&) { return 0; }
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config, Wave& wave, const state_view&) {
    return wave.all(std::is_same_v<Config, dynamic_config<config>> ? 0u : 1u);
  }
};

TEST(hot_configs, are_the_same_for_a_part_of_lookups_that_is_timed_by_itself) {
  constexpr host_code code = host_code_of<telling, rx_hot_configs, telling>();
  for (const auto& [line, hot] :
       {std::pair("RX", 1u), std::pair("RX keys=u64 y_scale=0 updates=refit", 1u), std::pair("RX wide=8", 0u)}) {
    const index_config config = *config_from_line(line);
    const key_array keys =
        config.keys == key_width::u32 ? key_array(std::vector<u32>(100)) : key_array(std::vector<u64>(100));
    for (const auto run : {code.find, code.part}) {
      std::vector<u32> answers(100, 7);
      ASSERT_TRUE(run({config, index_view{}, ~u64{0}, {}, 0}, keys, answers));
      EXPECT_EQ(answers, std::vector<u32>(100, hot)) << line << (run == code.find ? ": find" : ": part");
    }
  }
}

}  // namespace
}  // namespace pivotscope
