#include "core/workload/script.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/common/answers.hpp"
#include "core/common/expect.hpp"

namespace pivotscope {
namespace {

void push(key_array& keys, u64 key) {
  keys.visit([key]<class Key>(std::vector<Key>& all) {
    PIVOTSCOPE_EXPECT(key <= greatest_key<Key>());
    all.push_back(static_cast<Key>(key));
  });
}

bool same_keys(const key_array& a, const key_array& b) {
  return a.width() == b.width() && a.visit([&]<class Key>(const std::vector<Key>& keys) {
    return std::equal(keys.begin(), keys.end(), b.as<Key>().begin(), b.as<Key>().end());
  });
}

}  // namespace

script::script(key_width width) : columns_{{}, key_array(width, 0), key_array(width, 0)} {}

script::script(script_columns columns, std::span<const script_batch> mixed) : columns_(std::move(columns)) {
  PIVOTSCOPE_EXPECT(columns_.keys.size() == size());
  PIVOTSCOPE_EXPECT(columns_.highs.size() == 0 || columns_.highs.size() == size());
  auto next = mixed.begin();
  for (u64 i = 0; i < size(); ++i) {
    if (next != mixed.end() && i == next->begin) begin_mixed_at(i);
    count(i);
    if (next == mixed.end() || i + 1 != next->end) continue;
    end_mixed();
    ++next;
  }
  PIVOTSCOPE_EXPECT(next == mixed.end());
}

void script::begin_mixed() { begin_mixed_at(size()); }

void script::begin_mixed_at(u64 i) {
  PIVOTSCOPE_EXPECT(!open_);
  open_ = true;
  batches_.push_back({i, i, true, inserts_});
  ++next_line_;
}

void script::end_mixed() {
  PIVOTSCOPE_EXPECT(open_ && batches_.back().size() != 0);
  open_ = false;
  ++next_line_;
}

void script::add(const question& operation) {
  const bool is_range = operation.kind == operation::range;
  columns_.verbs.push_back(operation.kind);
  push(columns_.keys, operation.key);
  if (is_range && columns_.highs.size() == 0) columns_.highs = key_array(width(), size() - 1);
  if (is_range || columns_.highs.size() != 0) push(columns_.highs, is_range ? operation.high : 0);
  count(size() - 1);
}

void script::add(maintenance whole) {
  PIVOTSCOPE_EXPECT(!open_);
  whole_lines_.push_back({batches_.size(), next_line_++});
  batches_.push_back({size(), size(), false, inserts_, whole});
}

void script::count(u64 i) {
  const operation what = columns_.verbs[i];
  const bool goes_on = open_ || (!batches_.empty() && !batches_.back().mixed && !batches_.back().whole &&
                                 columns_.verbs[batches_.back().begin] == what);
  if (!goes_on) batches_.push_back({i, i, false, inserts_});
  batches_.back().end = i + 1;
  if (what == operation::insert) ++inserts_;
  if (runs_.empty() || runs_.back().line + (i - runs_.back().operation) != next_line_) runs_.push_back({i, next_line_});
  ++next_line_;
}

void script::reserve(u64 operations) {
  columns_.verbs.reserve(operations);
  columns_.keys.visit([&](auto& keys) { keys.reserve(operations); });
}

question script::operator[](u64 i) const {
  return {verb_of(i), columns_.keys[i], columns_.highs.size() == 0 ? 0 : columns_.highs[i]};
}

u64 script::line(u64 i) const {
  PIVOTSCOPE_EXPECT(i < size());
  const auto behind = std::upper_bound(runs_.begin(), runs_.end(), i,
                                       [](u64 operation, const line_run& run) { return operation < run.operation; });
  const line_run& run = *std::prev(behind);
  return run.line + (i - run.operation);
}

u64 script::line_of_whole(u64 batch) const {
  const auto at = std::lower_bound(whole_lines_.begin(), whole_lines_.end(), batch,
                                   [](const whole_line& one, u64 wanted) { return one.batch < wanted; });
  PIVOTSCOPE_EXPECT(at != whole_lines_.end() && at->batch == batch);
  return at->line;
}

bool script::operator==(const script& other) const {
  return columns_.verbs == other.columns_.verbs && same_keys(columns_.keys, other.columns_.keys) &&
         same_keys(columns_.highs, other.columns_.highs) && batches_ == other.batches_;
}

u64 script::inserts_of(u64 batch) const {
  return (batch + 1 < batches_.size() ? batches_[batch + 1].inserts_before : inserts_) - batches_[batch].inserts_before;
}

std::optional<operation> script::one_verb(const script_batch& batch) const {
  if (batch.size() == 0) return std::nullopt;
  const operation first = verb_of(batch.begin);
  const auto verbs = std::span(columns_.verbs).subspan(batch.begin, batch.mixed ? batch.size() : 1);
  return std::ranges::all_of(verbs, [&](operation verb) { return verb == first; }) ? std::optional(first)
                                                                                   : std::nullopt;
}

bool script::asks(u64 batch, operation what) const {
  const script_batch& b = batches_[batch];
  if (b.whole) return false;
  const auto first = columns_.verbs.begin() + static_cast<std::ptrdiff_t>(b.begin);
  return b.mixed ? std::find(first, first + static_cast<std::ptrdiff_t>(b.size()), what) !=
                       first + static_cast<std::ptrdiff_t>(b.size())
                 : *first == what;
}

std::optional<std::string> check_rows(u64 keys, u64 inserts) {
  if (keys <= max_rows && inserts <= max_rows - keys) return std::nullopt;
  return fmt::format("{} keys and {} inserts are more than {} = 2^32 - 3 rows: row ids are 32 bits wide; insert fewer",
                     keys, inserts, max_rows);
}

}  // namespace pivotscope
