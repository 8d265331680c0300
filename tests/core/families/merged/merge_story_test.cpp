// What a view tells of a merge: in words, and of arrays that are read in several runs.
#include "core/families/merged/merge_story.hpp"

#include "core/workload/script_list.hpp"
#include "tests/support/told_merge.hpp"

namespace pivotscope {
namespace {

using testing::told_merge;

told_merge told(const std::vector<u64>& keys, const char* list) {
  return told_merge(keys, *script_from_list(list, key_width::u32));
}

// The example of core/families/merged/merge.hpp.
TEST(merge_story, tells_the_example) {
  const told_merge of = told({3, 5, 5, 9}, "(-5,+5,+7)");
  of.expect_all();
  const batch_merge& merge = *of.merge;
  std::string parts;
  for (u64 s = 0; s < merge.steps(); ++s) parts += "kd-+"[static_cast<int>(merge.at_step(s).part)];
  EXPECT_EQ(parts, "k-dd++k");
  EXPECT_EQ(merge.at_slot(3), (path_step{6, path_part::keep, 3, 3, 1, 2}));
  EXPECT_EQ(merge.write(1), (merged_write{operation::insert, 5, 1, 4}));
}

TEST(merge_story, says_why_a_step_makes_a_slot) {
  const told_merge of = told({3, 5, 5, 9}, "(-5,+5,+7)");
  const auto words = [&](u64 slot) { return of.merge->build_step_of(slot).words; };
  EXPECT_EQ(words(0), "Step 0 copies old slot 0: its key is less than that of the next write, erase 5.");
  EXPECT_EQ(words(1), "Step 4 inserts 5: the next entry, in old slot 3, has a greater key.");
  EXPECT_EQ(words(3), "Step 6 copies old slot 3: no write is left.");
  const told_merge ends = told({3, 5}, "+5,+6");
  EXPECT_EQ(ends.merge->build_step_of(1).words,
            "Step 1 copies old slot 1: its key is not greater than that of the next write, insert 5. Of a key, inserts "
            "come after entries.");
  EXPECT_EQ(ends.merge->build_step_of(3).words, "Step 3 inserts 6: no entry of the old array is left.");
}

TEST(merge_story, terms_lead_from_the_slot_to_its_step_and_back) {
  const told_merge of = told({3, 5, 5, 9}, "(-5,+5,+7)");
  std::string text;
  for (const step_term& term : of.merge->build_step_of(2).terms)
    text += term.name + ": " + term.numbers + " = " + std::to_string(term.value) + "\n";
  EXPECT_EQ(text,
            "s: 5 = 5\n"
            "w: insert 7 is not before entry 2 = 2\n"
            "entry: 5 - 2 = 3\n"
            "erases: 1 of 2 = 1\n"
            "dropped: 2 of 3 = 2\n"
            "slot: 5 - 1 - 2 = 2\n");
  EXPECT_EQ(told({3, 5}, "+4").merge->build_step_of(2).terms.back().formula, "s") << "without erases";
}

TEST(merge_story, is_not_told_to_the_end_of_a_job_that_was_cancelled) {
  const told_merge of = told({3, 5, 5, 9}, "(-5,+5,+7)");
  job_control control;
  control.cancel();
  const auto merge = family_of(of.index->config()).merge_of(*of.index, of.batches, 0, control);
  ASSERT_FALSE(merge);
  EXPECT_TRUE(merge.error().cancelled);
}

TEST(merge_story, tells_arrays_and_batches_that_are_empty_or_become_so) {
  told({}, "+4,+4").expect_all();
  told({}, "-4").expect_all();
  const told_merge gone = told({4, 4}, "(-4,-4,-5)");
  gone.expect_all();
  EXPECT_EQ(gone.merge->after(), 0u);
  told({4, 4}, "(-4,+4)").expect_all();
}

// Runs of equal keys, erased and not, over the ends of what is read at once.
TEST(merge_story, reads_large_arrays_around_the_writes_alone) {
  std::vector<u64> keys;
  for (u64 i = 0; i < 40'000; ++i) keys.push_back(2 * i);
  keys.insert(keys.end(), 40'000, 60'000);
  script s(key_width::u32);
  s.begin_mixed();
  for (const u64 key :
       {1ull, 32'766ull, 32'767ull, 32'768ull, 32'769ull, 60'000ull, 79'998ull, 79'999ull, 4'000'000ull})
    s.add({operation::insert, key}), s.add({operation::erase, key}), s.add({operation::insert, key});
  s.end_mixed();
  const told_merge of(keys, s);
  ASSERT_NO_FATAL_FAILURE(of.expect_sums());
  ASSERT_NO_FATAL_FAILURE(of.expect_writes());
  ASSERT_NO_FATAL_FAILURE(of.expect_path());
  EXPECT_EQ(of.merge->dropped(), 40'001u + 3);
}

// One write, at and about the places to which the search for its place doubles its steps: 2^12, 3 x 2^12, 7 x 2^12.
TEST(merge_story, finds_the_place_of_a_single_write) {
  std::vector<u64> keys;
  for (u64 i = 0; i < 30'000; ++i) keys.push_back(2 * i);
  for (const u64 runs : {0u, 1u, 3u, 7u}) {
    for (const u64 about : {0u, 1u, 2u, 3u}) {
      const u64 at = runs * 4096 + about;  // one more than the entry's number, so that both sides are met
      if (at < 2) continue;
      for (const operation kind : {operation::insert, operation::erase}) {
        script s(key_width::u32);
        s.add({kind, 2 * (at - 2)});
        const told_merge of(keys, s);
        const path_step step = of.merge->at_step(at - 2 + (kind == operation::insert ? 1 : 0));
        EXPECT_EQ(step.part, kind == operation::insert ? path_part::insert : path_part::erase) << at;
        EXPECT_EQ(of.merge->dropped(), kind == operation::erase ? 1u : 0u) << at;
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope
