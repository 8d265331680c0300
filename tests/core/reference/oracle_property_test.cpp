// The oracle against brute force: every order of small batches, one after the other, and what each of them answers.
#include "core/reference/oracle.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

#include "core/workload/script_text.hpp"
#include "tests/support/any_script.hpp"

namespace pivotscope {
namespace {

// What an index holds: sorted rows a key, none of them empty.
using holding = std::map<u64, std::set<u32>>;

struct small_write {
  bool erase = false;
  u64 key = 0;
  u32 row = 0;  // of an insert
};

void apply_write(holding& at, const small_write& write, bool keeps_duplicates) {
  if (write.erase || !keeps_duplicates) at.erase(write.key);
  if (!write.erase) at[write.key].insert(write.row);
}

// Everything that may be seen while a batch runs, and what it may leave.
struct every_order {
  std::set<holding> seen, left;
  std::vector<std::vector<holding>> runs;  // the states of each order, from the first to the last
};

every_order all_orders(const std::set<holding>& before, std::vector<small_write> writes, bool keeps_duplicates) {
  every_order all;
  std::vector<u32> order(writes.size());
  for (u32 i = 0; i < order.size(); ++i) order[i] = i;
  do {
    for (const holding& start : before) {
      std::vector<holding> run{start};
      for (const u32 i : order) {
        run.push_back(run.back());
        apply_write(run.back(), writes[i], keeps_duplicates);
      }
      all.seen.insert(run.begin(), run.end());
      all.left.insert(run.back());
      all.runs.push_back(std::move(run));
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

// What a scan may count that looks at the entries one after the other while a run goes on: at each entry (where
// duplicates are kept), or at each key's only one, at a time of its own.
std::set<std::pair<u64, u64>> sums_of_scans(const every_order& all, u64 low, u64 high, bool keeps_duplicates) {
  std::set<std::pair<u64, u64>> sums;
  for (const std::vector<holding>& run : all.runs) {
    // Of each looked-at thing, what it may add.
    std::map<std::pair<u64, u32>, std::set<std::pair<u64, u64>>> looks;
    for (const holding& at : run)
      for (const auto& [key, rows] : at)
        for (const u32 row : rows) looks[{key, keeps_duplicates ? row : 0}];
    for (auto& [what, adds] : looks) {
      for (const holding& at : run) {
        const auto there = at.find(what.first);
        const bool held = there != at.end() && (!keeps_duplicates || there->second.contains(what.second));
        const u64 row = !held ? 0 : keeps_duplicates ? what.second : *there->second.begin();
        adds.insert({held ? 1 : 0, row});
      }
    }
    std::set<std::pair<u64, u64>> of_run{{0, 0}};
    for (const auto& [what, adds] : looks) {
      if (what.first < low || what.first > high) continue;
      std::set<std::pair<u64, u64>> next;
      for (const auto& sum : of_run)
        for (const auto& add : adds) next.insert({sum.first + add.first, sum.second + add.second});
      of_run = std::move(next);
    }
    sums.insert(of_run.begin(), of_run.end());
  }
  return sums;
}

constexpr u64 small_keys_of_oracle[] = {5, 9};
// What is asked in every batch, behind its writes: finds of both keys and of another, ranges, successors.
const std::vector<question> small_questions = {
    {operation::find, 5},      {operation::find, 9},      {operation::find, 7},
    {operation::range, 0, 5},  {operation::range, 5, 9},  {operation::range, 9, 5},
    {operation::successor, 0}, {operation::successor, 5}, {operation::successor, 9},
};

std::set<std::pair<u64, u64>> right_answers(const every_order& all, const question& asked, bool keeps) {
  std::set<std::pair<u64, u64>> right;
  if (asked.kind == operation::range) {
    return asked.key > asked.high ? std::set<std::pair<u64, u64>>{{0, 0}}
                                  : sums_of_scans(all, asked.key, asked.high, keeps);
  }
  for (const holding& at : all.seen) {
    const auto there = asked.kind == operation::find ? at.find(asked.key) : at.upper_bound(asked.key);
    if (there == at.end()) {
      right.insert({0, not_found});
    } else {
      for (const u32 row : there->second) right.insert({asked.kind == operation::find ? 0 : there->first, row});
    }
  }
  return right;
}

u64 answers_asked = 0;  // that the tests ask something is seen

// accepts() takes exactly the right answers, of all that are small.
void expect_exactly(const oracle& judge, const script& s, u64 i, const std::set<std::pair<u64, u64>>& right, u64 rows,
                    const std::string& where) {
  const question asked = s[i];
  std::set<std::pair<u64, u64>> accepted;
  const auto ask = [&](u64 number, u64 row) {
    ++answers_asked;
    if (judge.accepts(i, {number, row})) accepted.insert({number, row});
  };
  std::vector<u64> numbers{0};
  if (asked.kind == operation::successor) numbers = {4, 5, 7, 9, 11};
  for (u64 count = 1; asked.kind == operation::range && count <= rows + 1; ++count) numbers.push_back(count);
  const u64 most = asked.kind == operation::range ? rows * rows / 2 + 2 : rows + 1;
  for (const u64 number : numbers)
    for (u64 row = 0; row <= most; ++row) ask(number, row);
  if (asked.kind != operation::range) ask(0, not_found);
  EXPECT_EQ(accepted, right) << where << "operation " << i;
}

std::vector<stored_entry> entries_of(const holding& at) {
  std::vector<stored_entry> all;
  for (const auto& [key, rows] : at)
    for (const u32 row : rows) all.push_back({key, row});
  return all;
}

// What is left is exactly what some order leaves, of all that could be: every set of rows at their keys.
void expect_left(const oracle& judge, const std::set<holding>& left, const std::vector<u64>& key_of_row,
                 const std::string& where) {
  std::set<holding> accepted;
  for (u32 subset = 0; subset < 1u << key_of_row.size(); ++subset) {
    holding at;
    for (u32 row = 0; row < key_of_row.size(); ++row)
      if ((subset >> row & 1) != 0) at[key_of_row[row]].insert(row);
    oracle copy = judge;
    const std::string why = copy.settle(entries_of(at));
    if (!why.empty()) continue;
    accepted.insert(at);
    EXPECT_TRUE(copy.open_keys().empty());
    EXPECT_EQ(copy.contents().size(), entries_of(at).size());
  }
  EXPECT_EQ(accepted, left) << where;
  for (const u64 key : small_keys_of_oracle) {
    std::set<std::set<u32>> states;
    for (const holding& at : left) states.insert(at.contains(key) ? at.at(key) : std::set<u32>());
    EXPECT_EQ(judge.open_keys().contains(key), states.size() > 1) << where << "key " << key;
  }
}

// Batches of writes by number: 0 inserts 5, 1 inserts 9, 2 erases 5, 3 erases 9.
using write_codes = std::vector<int>;

std::vector<write_codes> all_write_codes(std::size_t most) {
  std::vector<write_codes> all{{}};
  for (std::size_t begin = 0, length = 0; length < most; ++length) {
    const std::size_t end = all.size();
    for (; begin < end; ++begin) {
      for (int code = 0; code < 4; ++code) {
        all.push_back(all[begin]);
        all.back().push_back(code);
      }
    }
  }
  return all;
}

// `done`: of each batch; behind the last of them all inserts go in.
void check_batches(const std::vector<u64>& keys, const std::vector<write_codes>& batches, bool keeps,
                   const std::vector<inserts_done>& done = {}) {
  script s;
  std::vector<u64> key_of_row = keys;
  std::vector<std::vector<small_write>> writes;
  for (const write_codes& codes : batches) {
    s.begin_mixed();
    writes.emplace_back();
    for (const int code : codes) {
      const u64 key = small_keys_of_oracle[code % 2];
      writes.back().push_back({code >= 2, key, static_cast<u32>(key_of_row.size())});
      if (code < 2) key_of_row.push_back(key);
      s.add({code < 2 ? operation::insert : operation::erase, key});
    }
    for (const question& asked : small_questions) s.add(asked);
    s.end_mixed();
  }
  // Of an input with duplicates, an index that keeps one entry a key has any of them.
  std::set<holding> states{{}};
  for (u32 row = 0; row < keys.size(); ++row) {
    std::set<holding> next;
    for (holding at : states) {
      if (!keeps && at.contains(keys[row])) next.insert(at);
      apply_write(at, {false, keys[row], row}, keeps);
      next.insert(at);
    }
    states = std::move(next);
  }
  std::string where = fmt::format("keys {}, {} duplicates,", fmt::join(keys, " "), keeps ? "with" : "no");
  for (const inserts_done each : done) where += each == inserts_done::all ? " all" : " some";
  where += "\n" + to_text(s);
  const key_array array(keys);
  oracle judge(array, keeps);
  u64 rows = keys.size();
  for (u64 b = 0; b < batches.size(); ++b) {
    for (const small_write& write : writes[b]) rows += write.erase ? 0 : 1;
    judge.begin(s, b);
    const every_order all = all_orders(states, writes[b], keeps);
    for (u64 i = s.batches()[b].begin + writes[b].size(); i < s.batches()[b].end; ++i)
      expect_exactly(judge, s, i, right_answers(all, s[i], keeps), rows, where);
    const inserts_done went_in_of_it = b < done.size() ? done[b] : inserts_done::all;
    judge.end(went_in_of_it);
    states = all.left;
    if (went_in_of_it == inserts_done::some) {
      std::set<holding> starts;
      for (const std::vector<holding>& run : all.runs) starts.insert(run.front());
      states.clear();
      for (u32 refused = 0; refused < 1u << writes[b].size(); ++refused) {
        std::vector<small_write> went_in;
        bool inserts_only = true;
        for (u32 i = 0; i < writes[b].size(); ++i) {
          if ((refused >> i & 1) == 0) went_in.push_back(writes[b][i]);
          inserts_only &= (refused >> i & 1) == 0 || !writes[b][i].erase;
        }
        if (!inserts_only) continue;
        const every_order without = all_orders(starts, went_in, keeps);
        states.insert(without.left.begin(), without.left.end());
      }
    }
    expect_left(judge, states, {key_of_row.begin(), key_of_row.begin() + static_cast<std::ptrdiff_t>(rows)}, where);
    if (::testing::Test::HasFailure()) return;
  }
}

const std::vector<std::vector<u64>> small_inputs = {{}, {5}, {5, 5}, {9, 5}};

TEST(OracleProperty, AcceptsWhatSomeOrderOfABatchAnswersAndNothingElse) {
  answers_asked = 0;
  for (const bool keeps : {true, false})
    for (const std::vector<u64>& keys : small_inputs)
      for (const write_codes& first : all_write_codes(3))
        for (const write_codes& second : all_write_codes(2)) {
          check_batches(keys, {first, second}, keeps);
          ASSERT_FALSE(HasFailure());
        }
  EXPECT_EQ(answers_asked, 6'797'580u);
}

TEST(OracleProperty, AcceptsWhatABatchOfFourWritesAnswersAndNothingElse) {
  for (const bool keeps : {true, false})
    for (const std::vector<u64>& keys : small_inputs)
      for (const write_codes& writes : all_write_codes(4)) {
        if (!std::is_sorted(writes.begin(), writes.end())) continue;
        check_batches(keys, {writes}, keeps);
        ASSERT_FALSE(HasFailure());
      }
}

TEST(OracleProperty, KnowsThatInsertsMayHaveBeenRefused) {
  using enum inserts_done;
  for (const bool keeps : {true, false})
    for (const std::vector<u64>& keys : small_inputs)
      for (const write_codes& first : all_write_codes(2))
        for (const write_codes& second : all_write_codes(2))
          for (const std::vector<inserts_done>& done : {std::vector{some, some}, {some, all}, {all, some}}) {
            check_batches(keys, {first, second}, keeps, done);
            ASSERT_FALSE(HasFailure());
          }
}

// Three batches of a write or two: what a batch is not sure of, the next ones may leave so or settle.
TEST(OracleProperty, GoesOnFromWhatItIsNotSureOf) {
  using enum inserts_done;
  for (const bool keeps : {true, false})
    for (const std::vector<u64>& keys : {std::vector<u64>{}, {5, 5}})
      for (const write_codes& first : all_write_codes(2))
        for (const int second : {0, 2})
          for (const int third : {0, 2})
            for (const inserts_done before : {all, some})
              for (const inserts_done last : {all, some}) {
                check_batches(keys, {first, {second}, {third}}, keeps, {before, before, last});
                ASSERT_FALSE(HasFailure());
              }
}

// An index that takes a batch's operations in some order is always right, and what it holds can always be settled; with a
// row that there is not, it is wrong.
void demand_right_index(bool keeps) {
  const auto key = rc::gen::inRange<u64>(0, 6);
  const std::vector<u64> input = *rc::gen::container<std::vector<u64>>(key);
  const script s = testing::any_script(key_width::u64, 60, key);
  const key_array keys(input);
  std::mt19937_64 random(*rc::gen::arbitrary<u64>());
  holding at;
  for (u32 row = 0; row < input.size(); ++row) apply_write(at, {false, input[row], row}, keeps);
  oracle judge(keys, keeps);
  for (u64 b = 0; b < s.batches().size(); ++b) {
    const script_batch& batch = s.batches()[b];
    judge.begin(s, b);
    std::vector<u64> order;
    std::vector<u32> rows(batch.size());
    u64 row = input.size() + batch.inserts_before;
    for (u64 i = batch.begin; i < batch.end; ++i) {
      order.push_back(i);
      if (s.verb_of(i) == operation::insert) rows[i - batch.begin] = static_cast<u32>(row++);
    }
    std::shuffle(order.begin(), order.end(), random);
    for (const u64 i : order) {
      const question asked = s[i];
      script_answer answer;
      const auto there = asked.kind == operation::successor     ? at.upper_bound(asked.key)
                         : asked.kind == operation::lower_bound ? at.lower_bound(asked.key)
                                                                : at.find(asked.key);
      if (is_write(asked.kind)) {
        apply_write(at, {asked.kind == operation::erase, asked.key, rows[i - batch.begin]}, keeps);
      } else if (answer_of(asked.kind) == answer_kind::sum) {
        range_answer sum;
        for (const stored_entry& entry : entries_of(at))
          if (asked.key <= entry.key && entry.key <= asked.greatest_key()) ++sum.count, sum.row_sum += entry.row;
        answer = script_answer::counted(sum);
      } else if (there != at.end()) {
        answer = {asked.kind == operation::find ? 0 : there->first, *there->second.begin()};
      }
      const std::string why = judge.fault(i, answer);
      if (!why.empty()) RC_FAIL(why + "\n" + to_text(s));
      if (!is_write(asked.kind)) {
        ++answer.number, answer.row += 100'000;  // no such row, no such sum
        RC_ASSERT(!judge.fault(i, answer).empty());
      }
    }
    judge.end();
    const bool settles = *rc::gen::arbitrary<bool>();
    if (!settles) continue;
    const std::string why = judge.settle(entries_of(at));
    if (!why.empty()) RC_FAIL(why + "\n" + to_text(s));
    RC_ASSERT(judge.open_keys().empty());
  }
  RC_ASSERT(judge.settle(entries_of(at)).empty());
  std::vector<stored_entry> held;
  judge.contents().each([&](u64 of, const oracle::entry& entry) { held.push_back({of, entry.row}); });
  std::sort(held.begin(), held.end());
  RC_ASSERT(held == entries_of(at));
}

RC_GTEST_PROP(OracleProperty, AcceptsAnIndexThatKeepsDuplicates, ()) { demand_right_index(true); }
RC_GTEST_PROP(OracleProperty, AcceptsAnIndexThatKeepsOneEntryAKey, ()) { demand_right_index(false); }

}  // namespace
}  // namespace pivotscope
