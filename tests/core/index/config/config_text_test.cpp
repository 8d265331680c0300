#include "core/index/config_text.hpp"
#include "core/families/ordered/config.hpp"
#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "tests/core/index/config/refusal.hpp"
#include "tests/support/method_lists.hpp"
#include "tests/support/ordered.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pivotscope {
namespace {

ordered_config knobs_of(std::string_view line) { return *config_from_line(line); }

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

TEST(ConfigText, TheMethods) {
  EXPECT_THAT(method_names(), ElementsAreArray(testing::and_later({"AO+BS", "AO+KS", "EO+BS", "EO+KS", "AO+PB+BS",
                                                                   "AO+PB+KS", "PLAIN", "HT+OA", "PACKED"})));
}

TEST(ConfigText, MethodsThatAreKeptBecauseTheyAreSlowSaySo) {
  for (const std::string& method : method_names()) {
    const index_config config = *config_from_line(method);
    if (!testing::is_golden(family_of(config))) continue;  // a later one says so in tests of its own
    EXPECT_EQ(caution(config).has_value(), method == "AO+KS" || method == "PLAIN") << method;
  }
  EXPECT_THAT(*caution(*config_from_line("AO+KS")), HasSubstr("slower than binary search"));
}

TEST(ConfigText, ALineHoldsTheMethodAndWhatDiffers) {
  EXPECT_EQ(to_line(ordered_config{}), "EO+BS");
  EXPECT_EQ(to_line(ordered_config{.order = order_kind::eytzinger, .fanout = 17, .lanes = 16}), "EO+KS fanout=17");
  EXPECT_EQ(to_line(ordered_config{.order = order_kind::pivot_buffer, .fanout = 9, .lanes = 2, .keys = key_width::u64}),
            "AO+PB+KS lanes=2 keys=u64");
}

TEST(ConfigText, KsMeansKMinusOneLanesUnlessSaidOtherwise) {
  EXPECT_EQ(knobs_of("EO+KS").fanout, 9u);
  EXPECT_EQ(knobs_of("EO+KS").lanes, 8u);
  EXPECT_EQ(knobs_of("EO+KS fanout=17").lanes, 16u);
  EXPECT_EQ(knobs_of("EO+KS lanes=4 fanout=17").lanes, 4u) << "in any order";
}

TEST(ConfigText, RefusesInWordsThatNameTheCulprit) {
  EXPECT_THAT(words_of(""), HasSubstr("empty"));
  EXPECT_THAT(words_of("B+"), HasSubstr("unknown method 'B+'"));
  EXPECT_THAT(words_of("EO+BS speed=9"), HasSubstr("unknown setting 'speed'"));
  EXPECT_THAT(words_of("EO+BS threads"), HasSubstr("'threads' in a config is not of the form"));
  EXPECT_THAT(words_of("EO+BS keys=u16"), HasSubstr("'u16' is no value for keys"));
  EXPECT_THAT(words_of("EO+BS threads=-64"), HasSubstr("'-64' is no value for threads"));
  EXPECT_THAT(words_of("EO+BS threads=64 threads=64"), HasSubstr("twice"));
  EXPECT_THAT(words_of("EO+KS fanout=34"), HasSubstr("fanout=34 is outside 2 to 33"));
  EXPECT_THAT(words_of("EO+KS fanout=9 lanes=9"), HasSubstr("lanes=9 is outside 1 to 8"));
  EXPECT_THAT(words_of("EO+BS pivots=3"), HasSubstr("needs a pivot buffer"));
  EXPECT_THAT(words_of("AO+PB+BS pivots=0"), HasSubstr("'0' is no value for pivots"));
  EXPECT_THAT(words_of("AO+PB+BS pivots=33"), HasSubstr("no pivot buffer is that high"));
  EXPECT_THAT(words_of("EO+BS blocks_per_sm=2"), HasSubstr("needs schedule=static"));
  EXPECT_THAT(words_of("EO+BS schedule=static blocks_per_sm=33"), HasSubstr("outside 1 to 32"));
  EXPECT_THAT(words_of("EO+BS scratch=8KiB"), HasSubstr("needs pin=steps or pin=full"));
  EXPECT_THAT(words_of("EO+BS pin=full scratch=8"), HasSubstr("multiple of 16 bytes"));
  EXPECT_THAT(words_of("EO+BS pin=full scratch=228KiB"), HasSubstr("to 227KiB"));
  EXPECT_THAT(words_of("EO+BS keys=u64 threads=1024 per_thread=16 pin=full reorder=double"),
              HasSubstr("bytes of scratch"));
  EXPECT_THAT(words_of("EO+BS pin=all"), HasSubstr("'all' is no value for pin"));
  EXPECT_THAT(words_of("EO+BS reorder=both"), HasSubstr("none, lookup, double"));
  EXPECT_THAT(words_of("EO+BS threads=100"), HasSubstr("multiple of 32"));
  EXPECT_THAT(words_of("EO+BS per_thread=17"), HasSubstr("outside 1 to 16"));
  EXPECT_THAT(words_of("EO+BS per_thread=99999999999"), HasSubstr("no value"));
}

TEST(ConfigText, NearestAcceptedIsAcceptedAndKeepsWhatItShould) {
  const ordered_config wide{.order = order_kind::ascending, .fanout = 9, .lanes = 8};
  EXPECT_EQ(ordered_config::of(nearest_accepted(wide, "fanout")).fanout, 9u);
  EXPECT_EQ(ordered_config::of(nearest_accepted(wide, "method")).order, order_kind::ascending);
  for (const u32 fanout : {0u, 1u, 2u, 9u, 33u, 40u}) {
    for (const u32 lanes : {0u, 1u, 8u, 32u, 99u}) {
      for (const u32 threads : {0u, 33u, 100u, 1024u, 5000u}) {
        for (const char* keep : {"", "fanout", "lanes", "method"}) {
          ordered_config c{.order = order_kind::ascending,
                           .fanout = fanout,
                           .lanes = lanes,
                           .launch = {.threads = threads, .per_thread = 20}};
          EXPECT_EQ(check(nearest_accepted(c, keep)), std::nullopt)
              << fanout << " " << lanes << " " << threads << " " << keep;
        }
      }
    }
  }
}

TEST(ConfigText, BadJsonIsRefusedInWords) {
  const auto words = [](const char* text) {
    const auto config = config_from_json(nlohmann::json::parse(text));
    return config ? std::string("accepted") : config.error().words;
  };
  EXPECT_THAT(words("[]"), HasSubstr("is an object"));
  EXPECT_THAT(words(R"({"method": 3})"), HasSubstr("\"method\""));
  EXPECT_THAT(words(R"({"method": "EO+BS lanes=1"})"), HasSubstr("unknown method"));
  EXPECT_THAT(words(R"({"method": "EO+BS", "threads": 64.5})"), HasSubstr("'64.5' is no value for threads"));
  EXPECT_THAT(words(R"({"method": "EO+BS", "threads": -1})"), HasSubstr("no value"));
  EXPECT_THAT(words(R"({"method": "EO+BS", "colour": "red"})"), HasSubstr("unknown setting 'colour'"));
  EXPECT_EQ(words(R"({"method": "EO+KS", "fanout": 5, "lanes": 2})"), "accepted");
}

TEST(ConfigText, EveryAxisExplainsItself) {
  for (const axis& a : axes(ordered_id)) {
    EXPECT_FALSE(a.sentence.empty()) << a.name;
    EXPECT_FALSE(a.values.empty()) << a.name;
    EXPECT_EQ(find_axis(a.name), &a);
    for (const std::string& value : a.values) {
      index_config c = default_config();
      EXPECT_TRUE(a.set(c, value)) << a.name << " " << value;
    }
    index_config c = default_config();
    EXPECT_FALSE(a.set(c, "nonsense")) << a.name;
  }
}

}  // namespace
}  // namespace pivotscope
