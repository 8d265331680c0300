// What the oracle says of wrong answers, and of an index that holds something wrong.
#include "core/reference/oracle.hpp"

#include <gtest/gtest.h>

#include "core/reference/possible_sums.hpp"
#include "core/workload/script_text.hpp"

namespace pivotscope {
namespace {

// An input, a script, and the oracle that replays it up to some batch.
class judged_script {
 public:
  judged_script(std::vector<u64> keys, std::string_view text, bool keeps_duplicates = true)
      : keys_(std::move(keys)), script_(*script_from_text(text, key_width::u64)), judge_(keys_, keeps_duplicates) {}

  oracle& before(u64 batch) {
    for (; done_ + 1 < batch; ++done_) run(done_);
    return judge_;
  }
  // What is wrong with the answer to the operation of a line, in the batch that it lies in.
  std::string fault(u64 line, const script_answer& answer) {
    u64 i = 0;
    while (script_.line(i) != line) ++i;
    u64 b = 0;
    while (script_.batches()[b].end <= i) ++b;
    before(b + 1).begin(script_, b);
    std::string why = judge_.fault(i, answer);
    judge_.end();
    ++done_;
    return why;
  }
  oracle& after_all() { return before(script_.batches().size() + 1); }

 private:
  void run(u64 b) {
    judge_.begin(script_, b);
    judge_.end();
  }

  key_array keys_;
  script script_;
  oracle judge_;
  u64 done_ = 0;
};

using found = script_answer;

TEST(oracle, says_which_operation_ended_a_row) {
  const char* text = "insert 7\nerase 7\n\ninsert 7\nfind 7\nfind 8\n";  // rows 2 and 3
  const std::vector<u64> keys = {7, 9};
  EXPECT_EQ(judged_script(keys, text).fault(5, found::found(3)), "");
  EXPECT_EQ(judged_script(keys, text).fault(5, found::found(2)),
            "find 7 in batch 4, line 5, answered row 2, which was erased in batch 2, line 2");
  EXPECT_EQ(judged_script(keys, text).fault(5, found::found(0)),
            "find 7 in batch 4, line 5, answered row 0, which was erased in batch 2, line 2");
  EXPECT_EQ(judged_script(keys, text).fault(5, found::found(1)),
            "find 7 in batch 4, line 5, answered row 1, but row 1 holds key 9");
  EXPECT_EQ(judged_script(keys, text).fault(5, found::found(4)),
            "find 7 in batch 4, line 5, answered row 4, but there are 4 rows");
  EXPECT_EQ(judged_script(keys, text).fault(5, found::none()),
            "find 7 in batch 4, line 5, answered none, but row 3 is there");
  EXPECT_EQ(judged_script(keys, text).fault(6, found::none()), "");
  EXPECT_EQ(judged_script(keys, text).fault(2, found::found(17)), "");  // a write answers nothing
}

// The row of an insert that comes later is none yet.
TEST(oracle, knows_no_row_before_its_batch) {
  EXPECT_EQ(judged_script({7}, "find 7\ninsert 7\n").fault(1, found::found(1)),
            "find 7 in batch 1, line 1, answered row 1, but there are 1 rows");
}

TEST(oracle, keeps_one_entry_a_key_where_it_is_told_so) {
  const char* text = "find 7\ninsert 7\ninsert 7\nfind 7\ninsert 7\nfind 7\n";  // rows 2, 3 and 4
  const std::vector<u64> keys = {7, 7};
  EXPECT_EQ(judged_script(keys, text, false).fault(1, found::found(1)), "");
  EXPECT_EQ(judged_script(keys, text, false).fault(1, found::none()),
            "find 7 in batch 1, line 1, answered none, but one of 2 rows is there, row 0 among them");
  EXPECT_EQ(judged_script(keys, text, false).fault(4, found::found(2)), "");
  EXPECT_EQ(judged_script(keys, text, false).fault(4, found::found(3)), "");
  EXPECT_EQ(judged_script(keys, text, false).fault(4, found::found(1)),
            "find 7 in batch 3, line 4, answered row 1, which was replaced in batch 2, line 3");
  EXPECT_EQ(judged_script(keys, text, false).fault(6, found::found(2)),
            "find 7 in batch 5, line 6, answered row 2, which was replaced in batch 4, line 5");
  EXPECT_EQ(judged_script(keys, text, true).fault(6, found::found(0)), "");
}

TEST(oracle, counts_what_is_in_a_range) {
  const char* text = "erase 7\nrange 5 9\nbegin\nrange 5 9\ninsert 6\ninsert 6\nerase 9\nend\n";
  const std::vector<u64> keys = {5, 7, 9, 10};
  EXPECT_EQ(judged_script(keys, text).fault(2, found::counted({2, 2})), "");
  EXPECT_EQ(judged_script(keys, text).fault(2, found::counted({3, 3})),
            "range 5 9 in batch 2, line 2, answered 3 entries with row sum 3, right is 2 entries with row sum 2");
  // 5 for certain; 9, and the rows 4 and 5, or not.
  for (const range_answer& right : {range_answer{1, 0}, {2, 2}, {2, 4}, {2, 5}, {3, 6}, {3, 9}, {4, 11}})
    EXPECT_EQ(judged_script(keys, text).fault(4, found::counted(right)), "");
  EXPECT_EQ(judged_script(keys, text).fault(4, found::counted({0, 0})),
            "range 5 9 in batch 3, line 4, answered 0 entries with row sum 0, right is a count of 1 to 4");
  EXPECT_EQ(
      judged_script(keys, text).fault(4, found::counted({3, 5})),
      "range 5 9 in batch 3, line 4, answered 3 entries with row sum 5, right is a row sum of 6 to 9 for so many");
  EXPECT_EQ(judged_script(keys, text).fault(4, found::counted({2, 3})),
            "range 5 9 in batch 3, line 4, answered 2 entries with row sum 3, but no such choice of the entries that "
            "may be there has that row sum");
}

TEST(oracle, knows_the_next_key) {
  const char* text = "successor 5\nbegin\nsuccessor 5\nerase 7\ninsert 6\nend\n";
  const std::vector<u64> keys = {5, 7, 9};
  EXPECT_EQ(judged_script(keys, text).fault(1, found::next(7, 1)), "");
  EXPECT_EQ(judged_script(keys, text).fault(1, found::next(9, 2)),
            "successor 5 in batch 1, line 1, answered key 9 with row 2, but key 7 comes before: row 1 is there");
  EXPECT_EQ(judged_script(keys, text).fault(1, found::none()),
            "successor 5 in batch 1, line 1, answered none, but key 7 comes before: row 1 is there");
  EXPECT_EQ(judged_script(keys, text).fault(1, found::next(5, 0)),
            "successor 5 in batch 1, line 1, answered key 5 with row 0, which is not greater");
  EXPECT_EQ(judged_script(keys, text).fault(1, found::next(7, 2)),
            "successor 5 in batch 1, line 1, answered key 7 with row 2, but row 2 holds key 9");
  EXPECT_EQ(judged_script(keys, text).fault(3, found::next(6, 3)), "");
  EXPECT_EQ(judged_script(keys, text).fault(3, found::next(7, 1)), "");
  EXPECT_EQ(judged_script(keys, text).fault(3, found::next(9, 2)), "");
  EXPECT_NE(judged_script(keys, text).fault(3, found::none()), "");
}

TEST(oracle, takes_the_ends_of_the_width) {
  const char* text = "range 0 18446744073709551615\nsuccessor 18446744073709551615\nsuccessor 18446744073709551614\n";
  const std::vector<u64> keys = {0, ~0ull};
  EXPECT_EQ(judged_script(keys, text).fault(1, found::counted({2, 1})), "");
  EXPECT_EQ(judged_script(keys, text).fault(2, found::none()), "");
  EXPECT_EQ(judged_script(keys, text).fault(3, found::next(~0ull, 1)), "");
  EXPECT_NE(judged_script(keys, text).fault(3, found::none()), "");
}

TEST(oracle, checks_a_batch) {
  const key_array keys(std::vector<u64>{5, 7});
  const script s =
      *script_from_text("begin\nfind 5\nfind 6\ninsert 9\nrange 0 7\nrange 8 8\nsuccessor 9\nend\n", key_width::u64);
  oracle judge(keys, true);
  judge.begin(s, 0);
  std::vector<script_answer> answers = {found::found(0),        found::none(),      {},
                                        found::counted({2, 1}), found::counted({}), found::none()};
  const check_report right = judge.check(answers);
  EXPECT_EQ(right.checked, 5u);
  EXPECT_EQ(right.wrong, 0u);
  EXPECT_EQ(right.found, 2u);
  EXPECT_EQ(right.first_wrong, "");
  answers[1] = found::found(1);
  answers[4] = found::counted({1, 1});
  const check_report wrong = judge.check(answers);
  EXPECT_EQ(wrong.wrong, 2u);
  EXPECT_EQ(wrong.first_wrong, "find 6 in batch 1, line 3, answered row 1, but row 1 holds key 7");
  answers.pop_back();
  const check_report fewer = judge.check(answers);
  EXPECT_EQ(fewer.checked, 0u);
  EXPECT_EQ(fewer.wrong, 5u);
  EXPECT_EQ(fewer.first_wrong, "6 operations but 5 answers");
}

// An erase beside two inserts of its key: any of the two may outlive it.
TEST(oracle, settles_what_a_mixed_batch_left) {
  const char* text = "begin\ninsert 7\ninsert 7\nerase 7\nend\nfind 7\n";
  const std::vector<u64> keys = {7};
  using rows = std::vector<u32>;
  judged_script left(keys, text);
  EXPECT_EQ(left.before(2).open_keys(), (std::set<u64>{7}));
  for (const rows& right : {rows{}, rows{1}, rows{2}, rows{2, 1}}) {
    oracle copy = left.before(2);
    EXPECT_EQ(copy.settle(7, right), "");
    EXPECT_TRUE(copy.open_keys().empty());
    EXPECT_EQ(copy.contents().size(), right.size());
  }
  oracle copy = left.before(2);
  EXPECT_EQ(copy.settle(7, rows{1, 0}), "key 7 holds row 0, which was erased in batch 1, line 4");
  EXPECT_EQ(copy.settle(7, rows{1, 1}), "key 7 holds row 1 twice");
  EXPECT_EQ(copy.settle(7, rows{3}), "key 7 holds row 3, but there are 3 rows");
  EXPECT_EQ(copy.settle(8, rows{1}), "key 8 holds row 1, but row 1 holds key 7");
  EXPECT_EQ(copy.open_keys().size(), 1u);
  // Once settled, what is not there was erased.
  EXPECT_EQ(left.before(2).settle(7, rows{2}), "");
  EXPECT_EQ(left.fault(6, found::found(1)),
            "find 7 in batch 2, line 6, answered row 1, which was erased in batch 1, line 4");
}

TEST(oracle, compares_a_whole_index) {
  const std::vector<u64> keys = {5, 7, 7};
  judged_script left(keys, "insert 9\nerase 5\n");
  const auto settle = [&](std::vector<stored_entry> all) { return oracle(left.after_all()).settle(std::move(all)); };
  EXPECT_EQ(settle({{9, 3}, {7, 2}, {7, 1}}), "");
  EXPECT_EQ(settle({{9, 3}, {7, 2}}), "key 7 does not hold row 1, which is there");
  EXPECT_EQ(settle({{7, 1}, {7, 2}}), "key 9 does not hold row 3, which is there");
  EXPECT_EQ(settle({{9, 3}, {7, 2}, {7, 1}, {5, 0}}), "key 5 holds row 0, which was erased in batch 2, line 2");
  EXPECT_EQ(settle({{9, 3}, {7, 2}, {7, 1}, {9, 3}}), "key 9 holds row 3 twice");
  judged_script one(keys, "insert 9\n", false);
  EXPECT_EQ(oracle(one.after_all()).settle({{5, 0}, {7, 2}, {9, 3}}), "");
  EXPECT_EQ(oracle(one.after_all()).settle({{5, 0}, {7, 2}, {7, 1}, {9, 3}}),
            "key 7 holds rows 1 and 2, but one entry a key is kept");
}

// A full table: what was in stays in, and of the inserts any may be.
TEST(oracle, allows_refused_inserts_where_it_is_told_so) {
  const key_array keys(std::vector<u64>{7});
  const script s = *script_from_text("insert 7\ninsert 9\n", key_width::u64);
  for (const bool keeps : {true, false}) {
    oracle judge(keys, keeps);
    judge.begin(s, 0);
    judge.end(inserts_done::some);
    EXPECT_EQ(oracle(judge).settle({{7, 0}}), "");
    EXPECT_EQ(oracle(judge).settle({{7, 0}, {9, 2}}), "");
    EXPECT_EQ(oracle(judge).settle({{7, 0}, {7, 1}}),
              keeps ? "" : "key 7 holds rows 0 and 1, but one entry a key is kept");
    EXPECT_EQ(oracle(judge).settle({{7, 1}}), keeps ? "key 7 does not hold row 0, which is there" : "");
    EXPECT_EQ(oracle(judge).settle({{9, 2}}), "key 7 does not hold row 0, which is there");
    EXPECT_EQ(judge.settle({{7, 0}}), "");
    EXPECT_EQ(judge.settle({{7, 0}, {9, 2}}), "key 9 holds row 2, whose insert did not go in");
    EXPECT_EQ(judge.settle({{7, 1}}), keeps ? "key 7 holds row 1, whose insert did not go in"
                                            : "key 7 holds row 1, but another row of the key is kept");
  }
}

// Exact up to so many choices; then counts and sums between the least and the greatest.
TEST(possible_sums, are_known_while_they_are_few) {
  possible_sums sums;
  sums.add({100}, false);
  for (u32 row = 1; row <= 9; ++row) sums.add({1u << row}, true);
  EXPECT_EQ(sums.fault({3, 100 + 2 + 16}), "");
  EXPECT_EQ(sums.fault({3, 100 + 2 + 17}), "but no such choice of the entries that may be there has that row sum");
  for (u32 row = 10; row <= 20; ++row) sums.add({1u << row}, true);
  EXPECT_EQ(sums.fault({3, 100 + 2 + 17}), "");
  EXPECT_EQ(sums.fault({3, 100 + 2 + 3}), "right is a row sum of 106 to 1572964 for so many");
  EXPECT_EQ(sums.fault({3, 100 + 1572864 + 1}), "right is a row sum of 106 to 1572964 for so many");
  EXPECT_EQ(sums.fault({22, 100}), "right is a count of 1 to 21");
  EXPECT_EQ(sums.fault({0, 0}), "right is a count of 1 to 21");
}

TEST(possible_sums, choose_one_of_several_rows) {
  possible_sums sums;
  sums.add({}, true);
  sums.add({3, 8}, false);
  sums.add({20, 5}, true);
  for (const range_answer& right : {range_answer{1, 3}, {1, 8}, {2, 23}, {2, 8}, {2, 28}, {2, 13}})
    EXPECT_EQ(sums.fault(right), "");
  EXPECT_NE(sums.fault({1, 5}), "");
  EXPECT_NE(sums.fault({2, 11}), "");
  EXPECT_NE(sums.fault({0, 0}), "");
  EXPECT_NE(sums.fault({3, 31}), "");
}

}  // namespace
}  // namespace pivotscope
