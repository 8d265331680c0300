// Each tight start of a chain is what its name says, whatever the knobs are.
#include "core/families/buckets/tight_starts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/families/buckets/buckets_model.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/verify/interleaving.hpp"

namespace pivotscope {
namespace {

// What an insert of the first of the next keys comes to, alone.
write_done wanted_of(const buckets_config& config, const std::string& name) {
  if (name == "the chain is full, and no slab is free") return write_done::full;
  const bool erased = name == "the first slab is full, one of its entries erased";
  return erased && keeps_all(config) ? write_done::revived : write_done::added;
}

TEST(tight_chains, are_what_their_names_say) {
  const auto cpu = detail::open_cpu();
  std::map<std::string, u64> seen;
  for (const key_width keys : {key_width::u32, key_width::u64}) {
    for (const cell_layout layout : {cell_layout::aos, cell_layout::soa}) {
      for (const u32 slab : {4u, 8u, 16u}) {
        for (const auto duplicates : {kept_duplicates::off, kept_duplicates::on}) {
          for (const auto grow : {pool_growth::off, pool_growth::on}) {
            const buckets_config config{keys, slab / 4, slab, 100, layout, duplicates, 0, grow};
            for (const tight_start& start : tight_chains(config)) {
              SCOPED_TRACE(to_line(index_config(config)) + ": " + start.name);
              const auto made = interleaving::make(
                  *cpu, config,
                  {.keys = start.keys, .before = start.before, .operations = {{operation::insert, start.next[0]}}});
              ASSERT_TRUE(made);
              EXPECT_EQ((*made)->run({}).done[0], wanted_of(config, start.name));
              const auto bucket = (*made)->model()->part_of(start.next[0], {});
              EXPECT_EQ((*made)->model()->part_of(start.next[1], {}), bucket) << "they meet";
              ++seen[start.name];
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), 5u);
  for (const auto& [name, count] : seen) EXPECT_GE(count, 24u) << name;
}

// A cell's entry is erased, and another key's takes the cell, while a read is between key and row id: whichever it loads
// first, it answers neither key with the other's row id.
TEST(reads_beside_writers, tell_an_entry_from_the_one_that_took_its_cell) {
  const auto cpu = detail::open_cpu();
  u64 schedules = 0;
  for (const char* line :
       {"HT+BUCKET slab=4 lanes=1 duplicates=on", "HT+BUCKET slab=4 lanes=1 duplicates=on layout=soa",
        "HT+BUCKET slab=4 lanes=1 duplicates=on keys=u64",
        "HT+BUCKET slab=4 lanes=1 duplicates=on keys=u64 layout=soa"}) {
    const index_config config = *config_from_line(line);
    const std::vector<tight_start> starts = tight_chains(buckets_config::of(config));
    const auto full = std::ranges::find(starts, "the first slab is full, and its chain ends", &tight_start::name);
    ASSERT_NE(full, starts.end());
    const u64 old = full->keys.front(), another = full->next[0];
    for (const operation read : {operation::find, operation::matches, operation::erase}) {
      for (const u64 asked : {old, another}) {
        SCOPED_TRACE(fmt::format("{}: {} of {}", line, operation_noun(read), asked));
        interleaved_case c{.keys = full->keys, .before = full->before};
        c.operations = {{read, asked}, {operation::erase, old}, {operation::insert, another}};
        const auto three = interleaving::make(*cpu, config, c);
        ASSERT_TRUE(three) << three.error().words;
        const interleaving_report report = (*three)->two_switches();
        schedules += report.schedules;
        EXPECT_FALSE(report.failing) << report.words;
      }
    }
  }
  EXPECT_GT(schedules, 1000u);
}

TEST(tight_chains, are_small) {
  EXPECT_EQ(tight_chains({}).size(), 4u);
  EXPECT_EQ(tight_chains({.grow = pool_growth::off}).size(), 5u);
  EXPECT_TRUE(tight_chains({.room = 1 << 20}).empty()) << "each schedule would copy a large table";
}

}  // namespace
}  // namespace pivotscope
