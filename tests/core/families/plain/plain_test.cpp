// What is peculiar to the family `plain`: where its entries lie, what a lookup reads, and how its trace tells of it.
#include <gtest/gtest.h>

#include <cstring>

#include "core/families/plain/plain.hpp"
#include "core/index/check.hpp"
#include "core/index/entry_cell.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/tuning/autotuner.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

using testing::build_on_cpu;
using testing::config_of;

const key_array shuffled(std::vector<u32>{10, 7, 1, 7, 16});

lookup_trace traced(const char* line, const key_array& keys, const question& what) {
  auto trace = trace_of(*build_on_cpu(config_of(line), keys), what);
  EXPECT_TRUE(trace.ok()) << trace.error().words;
  return std::move(*trace);
}

// 100 keys, of which slot s holds 2 s.
key_array even_keys() {
  std::vector<u32> keys(100);
  for (u32 i = 0; i < 100; ++i) keys[i] = 2 * i;
  return key_array(keys);
}

TEST(Plain, HasTheEntriesAsTheyCameAndEmptyOnesUpToAWholeStep) {
  const auto index = build_on_cpu(config_of("PLAIN"), shuffled);
  ASSERT_EQ(index->regions().size(), 1u);
  EXPECT_EQ(index->bytes(), 32u * 8);
  std::vector<entry_cell<u32>> cells(32);
  ASSERT_TRUE(index->read(plain::entries, 0, std::as_writable_bytes(std::span(cells))));
  for (u32 slot = 0; slot < 32; ++slot) {
    EXPECT_EQ(cells[slot].key, slot < 5 ? shuffled[slot] : greatest_key<u32>()) << slot;
    EXPECT_EQ(cells[slot].row, slot < 5 ? slot : not_found) << slot;
  }
  EXPECT_EQ(build_on_cpu(config_of("PLAIN keys=u64"), key_array(std::vector<u64>(33)))->bytes(), 64u * 16);
  EXPECT_EQ(build_on_cpu(config_of("PLAIN"), key_array(std::vector<u32>{}))->bytes(), 0u);
}

TEST(Plain, ALookupEndsAtTheStepWithItsKeyAndTellsWhatItRead) {
  const lookup_trace hit = traced("PLAIN", even_keys(), 80);
  EXPECT_EQ(hit.start, "Nothing says where a key lies: begin at slot 0, and look at every entry.");
  ASSERT_EQ(hit.steps.size(), 2u) << "of 4";
  EXPECT_EQ(hit.bytes, 64u * 8);
  EXPECT_EQ(hit.steps[0].words, "32 of 100 entries looked through, none is 80.");
  EXPECT_EQ(hit.steps[0].next, "Nothing says where else to look: on to the next entries, from slot 32.");
  EXPECT_EQ(hit.steps[1].words, "The entry in slot 40 is 80. Found.");
  EXPECT_EQ(hit.steps[0].left_first, 32u);
  EXPECT_EQ(hit.steps[0].left_end, 100u);
  EXPECT_EQ(hit.steps[1].left_first, 40u);
  EXPECT_EQ(hit.steps[1].left_end, 41u);
  EXPECT_EQ(hit.verdict, "80 is in the index: row id 40, in slot 40 of the entries. 64 of 100 entries were read.");

  const lookup_trace miss = traced("PLAIN", even_keys(), 81);
  ASSERT_EQ(miss.steps.size(), 4u);
  EXPECT_EQ(miss.steps[3].words, "100 of 100 entries looked through, none is 81.");
  EXPECT_EQ(miss.steps[3].left_first, 100u);
  EXPECT_EQ(miss.verdict, "81 is not in the index. 100 of 100 entries were read.");

  EXPECT_EQ(traced("PLAIN", shuffled, 7).row, 1u) << "the least row id of two";
  const lookup_trace greatest = traced("PLAIN", shuffled, greatest_key<u32>());
  EXPECT_EQ(greatest.row, not_found) << "what empty slots hold is no key";
  EXPECT_TRUE(greatest.steps[0].compared[5].empty);
  EXPECT_EQ(greatest.steps[0].compared[5].met, relation::equal);

  const lookup_trace none = traced("PLAIN", key_array(std::vector<u32>{}), 7);
  EXPECT_TRUE(none.steps.empty());
  EXPECT_EQ(none.verdict, "7 is not in the index: it is empty.");
  EXPECT_EQ(traced("PLAIN", key_array(std::vector<u32>{3}), 7).verdict,
            "7 is not in the index. 1 of 1 entry was read.");
}

TEST(Plain, ARangeLooksThroughAllEntries) {
  const lookup_trace some = traced("PLAIN", even_keys(), {operation::range, 60, 66});
  ASSERT_EQ(some.steps.size(), 4u);
  EXPECT_EQ(some.steps[3].left_first, 0u) << "what was looked through may be in the range";
  EXPECT_EQ(some.steps[0].words, "2 of these are in the range. 32 of 100 entries looked through.");
  EXPECT_EQ(some.steps[1].words, "2 of these are in the range. 64 of 100 entries looked through.");
  EXPECT_EQ(some.steps[2].words, "None of these are in the range. 96 of 100 entries looked through.");
  EXPECT_EQ(some.verdict, "4 entries from 60 to 66; the sum of row ids is 126. 100 of 100 entries were read.");
  EXPECT_EQ(traced("PLAIN", shuffled, {operation::range, 8, 10}).steps[0].words,
            "1 of these is in the range. 5 of 5 entries looked through.");
  EXPECT_EQ(traced("PLAIN", shuffled, {operation::range, 11, 15}).verdict,
            "No key from 11 to 15 is in the index. 5 of 5 entries were read.");
  const lookup_trace empty = traced("PLAIN", shuffled, {operation::range, 9, 8});
  EXPECT_EQ(empty.verdict, "The range from 9 to 8 is empty: it ends before it begins.");
  EXPECT_TRUE(empty.steps.empty()) << "nothing is read for it";
}

// 12 lanes: 3 entries each, and the last one has none.
TEST(Plain, LanesShareAStep) {
  const lookup_trace trace = traced("PLAIN lanes=12", even_keys(), 1);
  std::vector<u32> cells(12);
  for (const memory_access& a : trace.steps[0].accesses) cells[a.lane] += a.slots;
  EXPECT_EQ(cells, (std::vector<u32>{3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 0}));
  EXPECT_EQ(model_of(config_of("PLAIN lanes=12"), 100)->lanes().keys_each, 3u);
}

TEST(Plain, IsRefusedAndAcceptedByItsLanes) {
  EXPECT_EQ(
      config_from_line("PLAIN lanes=33").error().words,
      "the config PLAIN lanes=33 is refused: lanes=33 is outside 1 to 32: a step reads 32 entries, and every lane "
      "needs one");
  EXPECT_FALSE(config_from_line("PLAIN lanes=0").ok());
  EXPECT_EQ(to_line(nearest_accepted(plain_config{.lanes = 50})), "PLAIN lanes=32");
  EXPECT_EQ(config_from_line("PLAIN lanes=x").error().words,
            "'x' is no value for lanes: expected a number from 1 to 32");
}

// The build knows nothing of lanes, nor of how a batch is served: all configs of a width share its kernel.
TEST(Plain, OneBuildIsForAllLanes) {
  const auto build_of = [](const char* line) {
    const index_config config = config_of(line);
    return family_of(config).for_build(config);
  };
  EXPECT_EQ(build_of("PLAIN lanes=8 threads=512 reorder=lookup"), build_of("PLAIN"));
  EXPECT_NE(build_of("PLAIN keys=u64"), build_of("PLAIN"));
}

// It is for patience beyond a few thousand keys, and for nobody who needs an order.
TEST(Plain, IsProposedForFewKeysAlone) {
  const auto proposed = [](u64 keys, bool ascending) {
    u64 count = 0;
    for (const index_config& c : tuning_candidates({machine_kind::cpu, keys, key_width::u64, ascending})) {
      count += c == index_config(plain_config{.keys = key_width::u64});
      EXPECT_TRUE(c.family != plain_id || c.keys == key_width::u64);
    }
    return count;
  };
  EXPECT_EQ(proposed(4096, false), 1u);
  EXPECT_EQ(proposed(4097, false), 0u);
  EXPECT_EQ(proposed(4096, true), 0u);
}

}  // namespace
}  // namespace pivotscope
