// What is peculiar to the family `merged`: its array, what a lookup reads, and how its trace tells of it.
#include "core/families/merged/merged.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/index/check.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/tuning/autotuner.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

using testing::build_on_cpu;
using testing::config_of;

lookup_trace traced(const key_array& keys, const question& what) {
  const char* const line = keys.width() == key_width::u64 ? "SA keys=u64" : "SA";
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

template <class Key>
void expect_sorted_array(const std::vector<Key>& keys) {
  const auto index = build_on_cpu(config_of(sizeof(Key) == 4 ? "SA" : "SA keys=u64"), key_array(keys));
  ASSERT_EQ(index->regions().size(), 1u);
  EXPECT_EQ(index->bytes(), keys.size() * sizeof(entry_cell<Key>)) << "nothing beside the entries";
  EXPECT_EQ(index->state_as<merged_view>().entries, keys.size());
  std::vector<entry_cell<Key>> cells(keys.size());
  ASSERT_TRUE(index->read(merged::entries, 0, std::as_writable_bytes(std::span(cells))));
  const std::vector<u32> rows = testing::rows_in_order(keys);
  for (std::size_t slot = 0; slot < cells.size(); ++slot) {
    EXPECT_EQ(cells[slot].row, rows[slot]) << slot;
    EXPECT_EQ(cells[slot].key, keys[rows[slot]]) << slot;
  }
}

TEST(Merged, IsTheSortedArrayAndNothingElse) {
  expect_sorted_array<u32>({10, 7, 1, 7, 16});
  expect_sorted_array<u64>({1ull << 40, 7, greatest_key<u64>(), 7, 0});
  expect_sorted_array<u32>({});
  expect_sorted_array<u32>(std::vector<u32>(100, 7));
}

TEST(Merged, ALookupHalvesItsStepAndTellsWhatIsLeft) {
  const lookup_trace hit = traced(testing::paper_keys_in_order(), 9);
  EXPECT_EQ(hit.start,
            "The first step is 8, the greatest power of two up to n: are the keys in slots 0 to 7 smaller? Look at the "
            "last of them.");
  ASSERT_EQ(hit.steps.size(), 5u);
  const u64 slots[] = {7, 3, 5, 6, 6}, firsts[] = {0, 4, 6, 6, 6}, ends[] = {7, 7, 7, 7, 7};
  for (std::size_t i = 0; i < 5; ++i) {
    SCOPED_TRACE(i);
    ASSERT_EQ(hit.steps[i].accesses.size(), 1u);
    EXPECT_EQ(hit.steps[i].accesses[0].slot, slots[i]);
    EXPECT_EQ(hit.steps[i].accesses[0].bytes, i < 4 ? 4u : 8u) << "the row id is read at the end alone";
    EXPECT_EQ(hit.steps[i].left_first, firsts[i]);
    EXPECT_EQ(hit.steps[i].left_end, ends[i]);
    EXPECT_EQ(hit.steps[i].where, i < 4 ? "level " + std::to_string(i) : "slot 6");
  }
  EXPECT_EQ(hit.steps[0].words, "10 is greater than 9: it and all entries after it are out. 7 of 14 keys are left.");
  EXPECT_EQ(hit.steps[0].next, "Halve the step to 4: are the keys in slots 0 to 3 smaller? Look at the last of them.");
  EXPECT_EQ(hit.steps[1].words, "6 is less than 9: it and all entries before it are out. 3 of 14 keys are left.");
  EXPECT_EQ(hit.steps[2].next, "Halve the step to 1: is the key in slot 6 smaller?");
  EXPECT_EQ(hit.steps[3].words, "9 is equal: keep it, and see if there is an earlier one. 1 of 14 keys is left.");
  EXPECT_EQ(hit.steps[3].next, "6 entries are smaller: look at the one behind, slot 6.");
  EXPECT_EQ(hit.steps[4].words, "Slot 6 has the key 9. Found.");
  EXPECT_EQ(hit.verdict, "9 is in the index: row id 6, in slot 6 of the entries.");

  const lookup_trace first = traced(testing::paper_keys_in_order(), 7);
  EXPECT_EQ(first.row, 4u) << "the least row id of two";
  EXPECT_EQ(first.slot, 4u);
}

TEST(Merged, AMissIsToldByItsNeighbours) {
  const key_array keys = testing::paper_keys_in_order();
  const lookup_trace between = traced(keys, 8);
  EXPECT_EQ(between.steps.back().words, "Slot 6 has the first key that is not smaller: 9, and not 8.");
  EXPECT_EQ(between.verdict, "8 is not in the index. It would lie between 7 and 9.");
  EXPECT_EQ(between.steps.back().left_first, between.steps.back().left_end);

  const lookup_trace before = traced(keys, 0);
  EXPECT_EQ(before.steps[3].next, "No entry is smaller: look at the one behind, slot 0.");
  EXPECT_EQ(before.verdict, "0 is not in the index. It would lie before 1.");

  const lookup_trace after = traced(keys, 18);
  ASSERT_EQ(after.steps.size(), 4u) << "there is no entry to look at";
  EXPECT_EQ(after.steps[3].words, "Slot 14 would be behind the last entry, so nothing is read.");
  EXPECT_TRUE(after.steps[3].accesses.empty());
  EXPECT_EQ(after.verdict, "18 is not in the index. It would lie after 17.");

  const lookup_trace none = traced(key_array(std::vector<u32>{}), 7);
  EXPECT_TRUE(none.steps.empty());
  EXPECT_EQ(none.verdict, "7 is not in the index: it is empty.");
}

TEST(Merged, ARangeReadsOnFromItsLowEnd) {
  const lookup_trace some = traced(even_keys(), {operation::range, 60, 66});
  ASSERT_EQ(some.steps.size(), 8u);
  EXPECT_EQ(some.steps[0].words,
            "126 is greater than 66: it and all entries after it are out. 63 of 100 keys are left.");
  EXPECT_EQ(some.steps[1].words, "62 is in the range, which begins there or before. 63 of 100 keys are left.");
  EXPECT_EQ(some.steps[6].next, "30 entries are smaller: read on from slot 30.");
  EXPECT_EQ(some.steps[7].words, "4 entries are in the range. 68 is greater than 66: the scan ends.");
  EXPECT_EQ(some.steps[7].left_first, 30u);
  EXPECT_EQ(some.steps[7].left_end, 34u);
  EXPECT_EQ(some.verdict, "4 entries from 60 to 66; the sum of row ids is 126.");

  const lookup_trace all = traced(even_keys(), {operation::range, 0, 500});
  ASSERT_EQ(all.steps.size(), 9u);
  EXPECT_EQ(all.steps[7].words, "32 entries are in the range. The scan is not at its end.");
  EXPECT_EQ(all.steps[7].next, "More than 32 entries: from here on all 32 lanes of the warp read together.");
  EXPECT_EQ(all.steps[8].words, "68 entries are in the range. That was the last entry of the array.");
  EXPECT_EQ(all.steps[8].where, "slots 32 to 99");
  ASSERT_EQ(all.steps[8].accesses.size(), 68u);
  for (u32 i = 0; i < 3; ++i) {
    EXPECT_EQ(all.steps[8].accesses[i].lane, 0u);
    EXPECT_EQ(all.steps[8].accesses[i].slot, 32 + 32 * i) << "neighbours are read by neighbouring lanes";
  }

  EXPECT_EQ(traced(even_keys(), {operation::range, 61, 61}).steps.back().words,
            "62 is greater than 61: the scan ends.");
  const lookup_trace empty = traced(even_keys(), {operation::range, 9, 8});
  EXPECT_TRUE(empty.steps.empty()) << "nothing is read for it";
}

TEST(Merged, TheEntryArrivedAtIsTheNextKey) {
  const key_array keys = testing::paper_keys_in_order();
  const lookup_trace after = traced(keys, {operation::successor, 9});
  EXPECT_EQ(after.steps[0].words, "10 is greater than 9: the answer is there or before. 8 of 14 keys are left.");
  EXPECT_EQ(after.steps[3].words,
            "9 is not greater than 9: it and all entries before it are out. 1 of 14 keys is left.");
  EXPECT_EQ(after.steps[4].kind, step_kind::next);
  EXPECT_EQ(after.steps[4].words, "Slot 7 has the key 10: the first that is greater.");
  EXPECT_EQ(after.verdict, "After 9 comes 10: row id 7, in slot 7 of the entries.");
  EXPECT_EQ(traced(keys, {operation::lower_bound, 9}).steps.back().words,
            "Slot 6 has the key 9: the first that is not smaller.");
  EXPECT_EQ(traced(keys, {operation::successor, 17}).verdict, "Nothing comes after 17: no key is greater.");
}

// Its search is for the greatest value itself, which is not taken.
TEST(Merged, NothingComesAfterTheGreatestValue) {
  const key_array keys(std::vector<u64>{5, greatest_key<u64>()});
  const lookup_trace trace = traced(keys, {operation::successor, greatest_key<u64>()});
  EXPECT_EQ(trace.row, not_found);
  EXPECT_EQ(
      trace.steps[0].words,
      "18446744073709551615 is the greatest value that a key can have: nothing comes after it. 1 of 2 keys is left.");
  EXPECT_EQ(trace.steps.back().words, "Slot 1 has the key 18446744073709551615. No key value is greater.");
  EXPECT_EQ(traced(keys, {operation::lower_bound, greatest_key<u64>()}).row, 1u);
}

TEST(Merged, HasAllOperationsAndOneKernelOfItsBuildForAllLaunches) {
  const family& f = family_of(merged_id);
  for (const operation kind : all_operations) EXPECT_TRUE(f.serves(kind)) << operation_noun(kind);
  EXPECT_TRUE(f.for_build(config_of("SA threads=64 reorder=double")) == f.for_build(config_of("SA")));
  EXPECT_FALSE(f.for_build(config_of("SA keys=u64")) == f.for_build(config_of("SA")));
}

TEST(Merged, IsProposedToTheTunerOnceForEveryQuestion) {
  for (const bool ascending : {false, true}) {
    const auto list = tuning_candidates({machine_kind::cpu, 1u << 20, key_width::u64, ascending, true});
    EXPECT_EQ(std::count(list.begin(), list.end(), config_of("SA keys=u64")), 1);
  }
}

}  // namespace
}  // namespace pivotscope
