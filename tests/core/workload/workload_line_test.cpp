#include <gtest/gtest.h>

#include <limits>

#include "core/workload/seeded_bijection.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {
namespace {

workload parsed(std::string_view line) {
  const outcome<workload> w = workload_from_line(line);
  EXPECT_TRUE(w.ok()) << line << ": " << (w.ok() ? "" : w.error().words);
  return w.ok() ? *w : workload{};
}

std::string words(std::string_view line) {
  const outcome<workload> w = workload_from_line(line);
  EXPECT_FALSE(w.ok()) << line;
  return w.ok() ? "" : w.error().words;
}

TEST(workload_line, is_what_the_design_shows) {
  workload w{.keys = 1ull << 26, .dist = distribution::uniform, .seed = 1, .lookups = 1ull << 27};
  EXPECT_EQ(to_line(w), "keys=2^26 distribution=uniform seed=1 lookups=2^27 hits=1");
  w.dist = distribution::mix;
  w.uniformity = 0.25;
  w.hits = 0.9;
  EXPECT_EQ(to_line(w), "keys=2^26 distribution=mix uniformity=0.25 seed=1 lookups=2^27 hits=0.9");
  w = {.keys = 100, .dist = distribution::duplicates, .repeat = 7};
  EXPECT_EQ(to_line(w), "keys=100 distribution=duplicates repeat=7 seed=1 lookups=64 hits=1");
  w = {.keys = 100, .dist = distribution::dense, .lookups = 0, .ranges = 1 << 16};
  EXPECT_EQ(to_line(w), "keys=100 distribution=dense seed=1 lookups=0 hits=1 ranges=2^16 range_hits=64");
}

TEST(workload_line, round_trips) {
  u64 draw = 0;
  const auto next = [&draw](u64 greatest) { return scale_to(random_bits(5, draw++), greatest); };
  for (int i = 0; i < 2000; ++i) {
    workload w;
    w.dist = static_cast<distribution>(next(distribution_names().size() - 1));
    w.keys = w.dist == distribution::paper ? 14 : (next(1) != 0 ? next(max_keys) : 1ull << next(31));
    w.uniformity = static_cast<double>(next(1ull << 53)) * 0x1p-53;
    w.repeat = static_cast<u32>(1 + next(0xFFFFFFFEu));
    w.seed = next(~0ull);
    w.lookups = next(max_lookups);
    w.hits = next(3) == 0 ? 1.0 : static_cast<double>(next(1ull << 53)) * 0x1p-53;
    if (next(1) != 0) w.ranges = 1 + next(max_lookups - 1), w.range_hits = next(max_keys);
    EXPECT_EQ(parsed(to_line(w)), w) << to_line(w);
  }
  EXPECT_EQ(parsed(to_line(workload{})), workload{});
}

TEST(workload_line, fills_in_what_is_not_given) {
  EXPECT_EQ(parsed(""), workload{});
  EXPECT_EQ(parsed("seed=3").dist, distribution::paper);
  EXPECT_EQ(parsed("keys=100").dist, distribution::uniform);
  EXPECT_EQ(parsed("distribution=paper").keys, 14u);
  EXPECT_EQ(parsed("  keys=5\tdistribution=dense \n").keys, 5u);
}

TEST(workload_line, names_what_is_wrong) {
  EXPECT_NE(words("kesy=5").find("did you mean 'keys'"), std::string::npos);
  EXPECT_NE(words("distribution=unifrom").find("did you mean 'uniform'"), std::string::npos);
  EXPECT_NE(words("distribution=zipf").find("there are uniform, dense"), std::string::npos);
  EXPECT_NE(words("keys").find("name=value"), std::string::npos);
  EXPECT_NE(words("keys=5 keys=6").find("keys twice"), std::string::npos);
  EXPECT_NE(words("keys=5000000000").find("4294967294"), std::string::npos);
  EXPECT_NE(words("hits=1.5").find("hits=1.5"), std::string::npos);
  EXPECT_NE(words("hits=-0.1").find("not between 0 and 1"), std::string::npos);
  EXPECT_NE(words("hits=nan").find("hits"), std::string::npos);
  EXPECT_NE(words("hits=most").find("hits 'most'"), std::string::npos);
  EXPECT_NE(words("hits=").find("hits ''"), std::string::npos);
  EXPECT_NE(words("keys=9 distribution=mix uniformity=2").find("uniformity=2"), std::string::npos);
  EXPECT_NE(words("repeat=0").find("below the least, 1"), std::string::npos);
  EXPECT_NE(words("keys=15 distribution=paper").find("exactly 14 keys, not 15"), std::string::npos);
  EXPECT_NE(words("rages=5").find("did you mean 'ranges'"), std::string::npos);
  EXPECT_NE(words("range_hit=5").find("did you mean 'range_hits'"), std::string::npos);
  EXPECT_NE(words("ranges=2^33").find("4294967296"), std::string::npos);
  EXPECT_NE(words("range_hits=2^32").find("4294967294"), std::string::npos);
  EXPECT_NE(words("ranges=1 ranges=2").find("ranges twice"), std::string::npos);
  EXPECT_NE(words("lookups=2^33").find("4294967296"), std::string::npos);
}

TEST(check_workload, refuses_in_words) {
  const auto refused = [](workload w) { return check(w, key_width::u32).value_or(""); };
  EXPECT_EQ(refused(workload{}), "");
  EXPECT_NE(refused({.keys = max_keys + 1, .dist = distribution::uniform}), "");
  EXPECT_EQ(refused({.keys = max_keys, .dist = distribution::uniform}), "");
  EXPECT_NE(refused({.keys = 9, .dist = distribution::paper}), "");
  EXPECT_NE(refused({.repeat = 0}), "");
  EXPECT_NE(refused({.hits = std::numeric_limits<double>::quiet_NaN()}), "");
  EXPECT_NE(refused({.uniformity = -1}), "");
  EXPECT_NE(refused({.lookups = max_lookups + 1}), "");
  EXPECT_NE(refused({.ranges = max_lookups + 1}), "");
  EXPECT_NE(refused({.range_hits = max_keys + 1}), "");
  EXPECT_NE(refused({.dist = static_cast<distribution>(99)}), "");
}

TEST(distributions, each_have_a_name_and_a_sentence) {
  for (const std::string& name : distribution_names()) {
    const outcome<distribution> d = parse_distribution(name);
    ASSERT_TRUE(d.ok());
    EXPECT_EQ(distribution_name(*d), name);
    EXPECT_GT(distribution_sentence(*d).size(), 20u);
  }
}

}  // namespace
}  // namespace pivotscope
