// What an insert does that finds a latch taken, and what fences are for.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/families/btree/tight_starts.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/verify/interleaving.hpp"

namespace pivotscope {
namespace {

// Two inserts into a leaf: the first one is stopped while it has the latch. Returns how often the second one reads inner nodes.
u64 reads_of_inner_nodes(const std::string& line) {
  const auto cpu = detail::open_cpu();
  const auto made =
      interleaving::make(*cpu, *config_from_line(line),
                         {.keys = {10, 20}, .operations = {{operation::insert, 15}, {operation::insert, 16}}});
  EXPECT_TRUE(made) << made.error().words;
  u32 until_latched = 0;
  for (const shared_access& a : (*made)->run({}).accesses) {
    if (a.task != 0) continue;
    ++until_latched;
    if (a.what == shared_access::kind::set_bits) break;
  }
  const interleaved_run ran = (*made)->run({{{0, until_latched}, {1}, {0}, {1}}});
  EXPECT_EQ(ran.fault, "") << line;
  EXPECT_EQ(ran.done, (std::vector<write_done>{write_done::added, write_done::added})) << line;
  return static_cast<u64>(std::ranges::count_if(ran.accesses, [](const shared_access& a) {
    return a.task == 1 && a.region == btree_region::inner && a.what != shared_access::kind::fence;
  }));
}

TEST(latch_waits, begin_again_from_the_root_or_stay_at_the_latch) {
  for (const std::string layout : {"", " layout=soa", " keys=u64"}) {
    const u64 restart = reads_of_inner_nodes("BTREE node=8 lanes=1" + layout);
    const u64 spin = reads_of_inner_nodes("BTREE node=8 lanes=1 wait=spin" + layout);
    EXPECT_GE(restart, 2 * spin) << layout;
    EXPECT_EQ(reads_of_inner_nodes("BTREE node=8 lanes=1 wait=backoff" + layout), spin) << layout;
  }
}

// Stores that no fence orders may be seen in another order: a reader loses a key that is there.
TEST(fences, left_out_let_a_schedule_fail_that_holds_with_them) {
  const auto cpu = detail::open_cpu();
  for (const char* fences : {"on", "none"}) {
    const index_config config =
        *config_from_line(std::string("BTREE node=8 lanes=1 keys=u64 layout=soa fences=") + fences);
    u64 failing = 0, tried = 0;
    for (const tight_start& start : family_of(config).tight_starts(config)) {
      std::vector<u64> keys = start.keys;
      for (const question& o : start.before) keys.push_back(o.key);
      const u64 greatest = *std::ranges::max_element(keys);
      const auto pair =
          interleaving::make(*cpu, config,
                             {.keys = start.keys,
                              .before = start.before,
                              .operations = {{operation::insert, start.next[0]}, {operation::find, greatest}}});
      ASSERT_TRUE(pair) << pair.error().words;
      failing += (*pair)->two_switches().failing.has_value();
      ++tried;
    }
    EXPECT_GE(tried, 3u);
    EXPECT_EQ(failing > 0, std::string(fences) == "none") << fences;
  }
}

// It is set by hand, with a caution: nothing draws or proposes it.
TEST(fences, left_out_are_named_wrong) {
  const auto config = config_from_line("BTREE fences=none");
  ASSERT_TRUE(config) << config.error().words;
  const family& btree = family_of(*config);
  ASSERT_TRUE(btree.caution(*config));
  EXPECT_TRUE(btree.caution(*config)->starts_with("fences=none is wrong")) << *btree.caution(*config);
  EXPECT_FALSE(btree.caution(btree.standard()));
  for (const axis& a : btree.axes()) {
    if (a.name != "fences") continue;
    EXPECT_EQ(a.values, std::vector<std::string>{"on"});
  }
  EXPECT_NE(config_from_line("BTREE fences=few").error().words.find("one of on, none"), std::string::npos);
}

}  // namespace
}  // namespace pivotscope
