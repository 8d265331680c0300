#include "core/reference/oracle.hpp"

#include <fmt/format.h>
#include <tbb/parallel_sort.h>

#include <algorithm>

#include "core/common/expect.hpp"
#include "core/reference/check_each.hpp"
#include "core/reference/possible_sums.hpp"

namespace pivotscope {
namespace {

std::string words_of(operation what, const script_answer& answer) {
  if (answer_of(what) == answer_kind::sum)
    return fmt::format("{} entr{} with row sum {}", answer.number, answer.number == 1 ? "y" : "ies", answer.row);
  if (answer.row == not_found) return "none";
  return what == operation::find ? fmt::format("row {}", answer.row)
                                 : fmt::format("key {} with row {}", answer.number, answer.row);
}

}  // namespace

oracle::oracle(const key_array& keys, bool keeps_duplicates) : keys_(&keys), keeps_duplicates_(keeps_duplicates) {
  PIVOTSCOPE_EXPECT(keys.size() <= max_keys);
  std::vector<stored_entry> all(keys.size());
  for (u64 i = 0; i < all.size(); ++i) all[i] = {keys[i], static_cast<u32>(i)};
  tbb::parallel_sort(all.begin(), all.end());
  for (u64 i = 1; i < all.size(); ++i)
    if (!keeps_duplicates && all[i - 1].key == all[i].key) open_.insert(open_.end(), all[i].key);
  entries_ = possible_entries(std::move(all));
  for (const u64 key : open_) entries_.doubt(key);
}

void oracle::begin(const script& s, u64 batch) {
  PIVOTSCOPE_EXPECT(script_ == nullptr && batch == batch_ && batch < s.batches().size());
  const script_batch& asked = s.batches()[batch];
  PIVOTSCOPE_EXPECT(asked.inserts_before == inserted_.size());
  script_ = &s;
  struct write {
    u64 key, i;
    u32 row;  // of an insert
  };
  std::vector<write> all;
  for (u64 i = asked.begin; i < asked.end; ++i) {
    const question operation = s[i];
    if (!is_write(operation.kind)) continue;
    all.push_back({operation.key, i, static_cast<u32>(rows())});
    if (operation.kind == operation::erase) continue;
    PIVOTSCOPE_EXPECT(rows() < max_keys);
    inserted_.push_back(operation.key);
  }
  tbb::parallel_sort(all.begin(), all.end(),
                     [](const write& a, const write& b) { return a.key != b.key ? a.key < b.key : a.i < b.i; });
  for (auto at = all.begin(); at != all.end();) {
    writes of_key{.key = at->key, .first_row = written_rows_.size()};
    for (; at != all.end() && at->key == of_key.key; ++at) {
      const bool erases = s.verb_of(at->i) == operation::erase;
      if (erases || of_key.erases == 0) of_key.last = at->i;
      if (erases) {
        ++of_key.erases;
      } else {
        written_rows_.push_back(at->row);
      }
    }
    of_key.inserts = written_rows_.size() - of_key.first_row;
    running_.push_back(of_key);
  }
}

const oracle::writes* oracle::running(u64 key) const {
  const auto at = std::lower_bound(running_.begin(), running_.end(), key,
                                   [](const writes& by, u64 wanted) { return by.key < wanted; });
  return at == running_.end() || at->key != key ? nullptr : &*at;
}

// Where duplicates are kept, an erase takes a key's entries one by one, so that each of them is a choice of its own.
std::vector<oracle::choice> oracle::choices(u64 key) const {
  static const writes none{};
  const writes* of_batch = running(key);
  const writes& by = of_batch == nullptr ? none : *of_batch;
  const std::vector<entry> there = entries_.of(key);
  std::vector<choice> all;
  if (keeps_duplicates_) {
    for (const entry& one : there) all.push_back({{one.row}, !one.sure || by.erases > 0});
    for (const u32 row : inserted(by)) all.push_back({{row}, true});
    return all;
  }
  choice one;
  for (const entry& each : there) one.rows.push_back(each.row);
  const std::span<const u32> added = inserted(by);
  one.rows.insert(one.rows.end(), added.begin(), added.end());
  one.may_be_absent = there.empty() || !there.front().sure || by.erases > 0;
  if (!one.rows.empty()) all.push_back(std::move(one));
  return all;
}

bool oracle::next_key(u64 above, u64& key) const {
  const std::optional<u64> there = entries_.next_key(above);
  const auto behind = std::upper_bound(running_.begin(), running_.end(), above,
                                       [](u64 wanted, const writes& by) { return wanted < by.key; });
  const auto insert = std::find_if(behind, running_.end(), [](const writes& by) { return by.inserts > 0; });
  if (!there && insert == running_.end()) return false;
  key = !there ? insert->key : insert == running_.end() ? *there : std::min(*there, insert->key);
  return true;
}

std::string oracle::row_fault(u64 key, u64 row) const {
  for (const choice& one : choices(key))
    if (std::find(one.rows.begin(), one.rows.end(), row) != one.rows.end()) return {};
  if (row >= rows()) return fmt::format("but there are {} rows", rows());
  const u32 known = static_cast<u32>(row);
  if (key_of(known) != key) return fmt::format("but row {} holds key {}", row, key_of(known));
  const ending ended = known < endings_.size() ? endings_[known] : ending{};
  if (ended.batch == 0)
    return keeps_duplicates_ || choices(key).empty() ? "whose insert did not go in"
                                                     : "but another row of the key is kept";
  constexpr std::string_view ways[] = {"replaced", "erased", "cleared"};
  return fmt::format("which was {} in batch {}, line {}", ways[static_cast<u8>(ended.way)], ended.batch, ended.line);
}

std::string oracle::find_fault(u64 key, const script_answer& answer) const {
  if (answer.row != not_found) return row_fault(key, answer.row);
  for (const choice& one : choices(key))
    if (!one.may_be_absent)
      return one.rows.size() == 1
                 ? fmt::format("but row {} is there", one.rows.front())
                 : fmt::format("but one of {} rows is there, row {} among them", one.rows.size(), one.rows.front());
  return {};
}

std::string oracle::range_fault(u64 low, u64 high, const script_answer& answer) const {
  possible_sums sums;
  u64 key = low;
  bool more = low <= high && (low == 0 || next_key(low - 1, key));
  while (more && key <= high) {
    for (const choice& one : choices(key)) sums.add(one.rows, one.may_be_absent);
    more = next_key(key, key);
  }
  return sums.fault({answer.number, answer.row});
}

// The least key above `key`, or with `itself` the least that is not smaller.
std::string oracle::next_fault(u64 key, bool itself, const script_answer& answer) const {
  const bool none = answer.row == not_found;
  if (!none && (itself ? answer.number < key : answer.number <= key))
    return itself ? "which is smaller" : "which is not greater";
  if (itself && !none && answer.number == key) return row_fault(key, answer.row);
  if (itself) {
    const std::string there = find_fault(key, script_answer::none());
    if (!there.empty()) return fmt::format("but the key itself is there: {}", there.substr(4));
  }
  for (u64 between = key; next_key(between, between) && (none || between < answer.number);) {
    const std::string there = find_fault(between, script_answer::none());
    if (!there.empty()) return fmt::format("but key {} comes before: {}", between, there.substr(4));
  }
  return none ? "" : row_fault(answer.number, answer.row);
}

std::string oracle::fault_of(const question& asked, const script_answer& answer) const {
  switch (answer_of(asked.kind)) {
    case answer_kind::row:
      return find_fault(asked.key, answer);
    case answer_kind::sum:
      return range_fault(asked.key, asked.greatest_key(), answer);
    case answer_kind::next:
      return next_fault(asked.key, takes_itself(asked.kind), answer);
    case answer_kind::done:
      break;
  }
  return {};
}

std::string oracle::fault(u64 i, const script_answer& answer) const {
  PIVOTSCOPE_EXPECT(script_ != nullptr);
  PIVOTSCOPE_EXPECT(script_->batches()[batch_].begin <= i && i < script_->batches()[batch_].end);
  const question asked = (*script_)[i];
  if (is_write(asked.kind)) return {};
  const std::string why = fault_of(asked, answer);
  if (why.empty()) return {};
  const std::string keys =
      asked.kind == operation::range ? fmt::format("{} {}", asked.key, asked.high) : fmt::format("{}", asked.key);
  return fmt::format("{} {} in batch {}, line {}, answered {}, {}", operation_verb(asked.kind), keys, batch_ + 1,
                     script_->line(i), words_of(asked.kind, answer), why);
}

check_report oracle::check(std::span<const script_answer> answers, const job_control& control) const {
  PIVOTSCOPE_EXPECT(script_ != nullptr);
  const script_batch& asked = script_->batches()[batch_];
  u64 writes_of_all = 0;
  for (u64 i = asked.begin; i < asked.end; ++i) writes_of_all += is_write(script_->verb_of(i)) ? 1 : 0;
  const u64 asks = asked.size() - writes_of_all;
  if (answers.size() != asked.size())
    return {0, std::max<u64>(1, asks), 0, fmt::format("{} operations but {} answers", asked.size(), answers.size())};
  const auto found = [&](u64 i) {
    const operation what = script_->verb_of(asked.begin + i);
    return !is_write(what) &&
           (answer_of(what) == answer_kind::sum ? answers[i].number != 0 : answers[i].row != not_found);
  };
  // Few at a time: some ranges hold all keys.
  check_report report = check_each(
      asked.size(), 1 << 10, control, [&](u64 i) { return accepts(asked.begin + i, answers[i]); }, found,
      [&](u64 i) { return fault(asked.begin + i, answers[i]); });
  report.checked = asks;
  return report;
}

void oracle::end(inserts_done done) {
  PIVOTSCOPE_EXPECT(script_ != nullptr);
  for (const writes& by : running_) replay(by, done);
  if (script_->batches()[batch_].whole == maintenance::clear) clear();  // a rebuild changes no entry
  running_.clear();
  written_rows_.clear();
  script_ = nullptr;
  ++batch_;
}

void oracle::clear() {
  const ending how{batch_ + 1, script_->line_of_whole(batch_), ending::by::clear};
  entries_.each([&](u64, const entry& one) { note_ending(one.row, how); });
  entries_ = possible_entries();
  open_.clear();
}

void oracle::note_ending(u32 row, const ending& how) {
  if (row >= endings_.size()) endings_.resize(rows());
  endings_[row] = how;
}

void oracle::note_ending(u32 row, const writes& by) {
  note_ending(row, {batch_ + 1, script_->line(by.last), by.erases > 0 ? ending::by::erase : ending::by::insert});
}

void oracle::end_entries(const writes& by) {
  for (const entry& one : entries_.of(by.key)) note_ending(one.row, by);
  entries_.erase(by.key);
}

void oracle::replay(const writes& by, inserts_done done) {
  const bool all_in = done == inserts_done::all;
  const bool erased = by.erases > 0;
  // The last erase may come before any of the inserts or behind it; an insert that goes in replaces what was there where
  // one entry a key is kept.
  bool sure = all_in && !erased;
  if (erased || (!keeps_duplicates_ && all_in)) {
    end_entries(by);
  } else if (!keeps_duplicates_) {
    const std::vector<entry> there = entries_.of(by.key);
    sure = !there.empty() && there.front().sure;
  }
  for (const u32 row : inserted(by)) {
    entries_.add(by.key, {row, sure});
    if (erased || (!keeps_duplicates_ && by.inserts > 1)) note_ending(row, by);  // which it may not outlive
  }
  note_open(by.key);
}

void oracle::note_open(u64 key) {
  const std::vector<entry> there = entries_.of(key);
  const bool one_state = keeps_duplicates_ ? std::ranges::all_of(there, [](const entry& one) { return one.sure; })
                                           : there.empty() || (there.front().sure && there.size() == 1);
  if (one_state) {
    open_.erase(key);
  } else {
    open_.insert(key);
  }
}

std::string oracle::settle_fault(u64 key, std::span<const u32> rows) const {
  std::vector<u32> sorted(rows.begin(), rows.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) return fmt::format("key {} holds row {} twice", key, *twice);
  for (const u32 row : rows)
    if (const std::string why = row_fault(key, row); !why.empty())
      return fmt::format("key {} holds row {}, {}", key, row, why);
  // Now all rows are the key's: where one is kept, of its one choice.
  if (!keeps_duplicates_ && rows.size() > 1)
    return fmt::format("key {} holds rows {} and {}, but one entry a key is kept", key, rows[0], rows[1]);
  for (const choice& one : choices(key)) {
    const bool held = std::any_of(one.rows.begin(), one.rows.end(),
                                  [&](u32 row) { return std::binary_search(sorted.begin(), sorted.end(), row); });
    if (!held && !one.may_be_absent)
      return fmt::format("key {} does not hold row {}, which is there", key, one.rows.front());
  }
  return {};
}

std::string oracle::settle(u64 key, std::span<const u32> rows) {
  PIVOTSCOPE_EXPECT(script_ == nullptr);
  if (std::string why = settle_fault(key, rows); !why.empty()) return why;
  entries_.erase(key);
  for (const u32 row : rows) entries_.add(key, {row, true});
  open_.erase(key);
  return {};
}

std::string oracle::settle(std::vector<stored_entry> all) {
  PIVOTSCOPE_EXPECT(script_ == nullptr);
  tbb::parallel_sort(all.begin(), all.end());
  // What is wrong with a key that is held counts before one that should be.
  std::string of_held, of_missing;
  entries_.each_difference(all, [&](u64 key, std::span<const u32> rows) {
    std::string& first = rows.empty() ? of_missing : of_held;
    if (first.empty()) first = settle_fault(key, rows);
  });
  if (!of_held.empty() || !of_missing.empty()) return of_held.empty() ? of_missing : of_held;
  entries_ = possible_entries(std::move(all));
  open_.clear();
  return {};
}

}  // namespace pivotscope
