// Many inserts of one key at once. Each that another comes before counts as done just before that one, so that none tries again for
// each of the others: of k inserts a key costs k swaps or a few times that, not k * k / 2.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/verify/interleaving.hpp"

namespace pivotscope {
namespace {

constexpr u32 inserts = 24;
constexpr u64 hot = 5;

// All take turns of one access each, so that all look before one of them swaps.
schedule in_step() {
  schedule s;
  for (u32 round = 0; round < 200; ++round)
    for (u32 task = 0; task < inserts; ++task) s.turns.push_back({task, 1});
  return s;
}

TEST(hot_keys, cost_each_insert_a_few_swaps_however_many_there_are) {
  const auto cpu = detail::open_cpu();
  for (const char* line :
       {"HT+OA", "HT+OA keys=u64", "HT+OA layout=soa", "HT+BUCKET", "HT+BUCKET keys=u64", "HT+BUCKET layout=soa",
        "HT+CUCKOO", "HT+CUCKOO keys=u64", "HT+CUCKOO layout=soa", "HT+CUCKOO placement=lighter load=60",
        "HT+CUCKOO placement=lighter load=60 keys=u64", "GPH", "GPH keys=u64", "GPH layout=soa"}) {
    const auto config = config_from_line(line);
    ASSERT_TRUE(config) << line << ": " << config.error().words;
    const interleaved_case begins[] = {
        {.keys = {hot, 6}}, {.keys = {6}}, {.keys = {hot, 6}, .before = {{operation::erase, hot}}}};
    for (const interleaved_case& begin : begins) {
      interleaved_case c = begin;
      c.operations.assign(inserts, {operation::insert, hot});
      const auto made = interleaving::make(*cpu, *config, c);
      ASSERT_TRUE(made) << made.error().words;
      const interleaved_run ran = (*made)->run(in_step());
      SCOPED_TRACE(std::string(line) + ", " + to_text(begin));
      EXPECT_EQ(ran.fault, "");
      const auto swaps = std::ranges::count(ran.accesses, shared_access::kind::swap, &shared_access::what);
      EXPECT_GE(swaps, static_cast<int>(inserts)) << "they did not meet";
      EXPECT_LE(swaps, static_cast<int>(4 * inserts));
      // One found the key absent, if it was.
      const auto gave = std::ranges::count(ran.done, write_done::replaced);
      EXPECT_EQ(gave, static_cast<int>(begin.before.empty() && begin.keys.size() == 2 ? inserts : inserts - 1));
    }
  }
}

}  // namespace
}  // namespace pivotscope
