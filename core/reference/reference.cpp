#include "core/reference/reference.hpp"

#include <algorithm>

#include "core/common/expect.hpp"

namespace pivotscope {

reference::reference(const key_array& keys) {
  PIVOTSCOPE_EXPECT(keys.size() <= max_keys);  // a row id has 32 bits
  sorted_.resize(keys.size());
  for (u64 i = 0; i < keys.size(); ++i) sorted_[i] = {keys[i], static_cast<u32>(i)};
  std::stable_sort(sorted_.begin(), sorted_.end(), [](const entry& a, const entry& b) { return a.key < b.key; });
}

u32 reference::find(u64 key) const {
  const auto at =
      std::lower_bound(sorted_.begin(), sorted_.end(), key, [](const entry& e, u64 k) { return e.key < k; });
  return at != sorted_.end() && at->key == key ? at->row : not_found;
}

bool reference::contains(u64 key) const { return find(key) != not_found; }

bool reference::accepts(u64 key, u32 row) const {
  if (row == not_found) return !contains(key);
  auto at = std::lower_bound(sorted_.begin(), sorted_.end(), key, [](const entry& e, u64 k) { return e.key < k; });
  for (; at != sorted_.end() && at->key == key; ++at) {
    if (at->row == row) return true;
  }
  return false;
}

std::span<const reference::entry> reference::within(u64 low, u64 high) const {
  if (low > high) return {};
  const auto first =
      std::lower_bound(sorted_.begin(), sorted_.end(), low, [](const entry& e, u64 k) { return e.key < k; });
  const auto last = std::upper_bound(first, sorted_.end(), high, [](u64 k, const entry& e) { return k < e.key; });
  return {first, last};
}

range_answer reference::range(u64 low, u64 high) const {
  range_answer answer;
  for (const entry& e : within(low, high)) ++answer.count, answer.row_sum += e.row;
  return answer;
}

bool reference::accepts_range(u64 low, u64 high, bool one_a_key, const range_answer& answer) const {
  if (!one_a_key) return answer == range(low, high);
  u64 count = 0, least = 0, greatest = 0;
  const std::span<const entry> all = within(low, high);
  for (std::size_t i = 0; i < all.size(); ++i) {  // equal keys in the order of their rows
    if (i == 0 || all[i - 1].key != all[i].key) ++count, least += all[i].row;
    if (i + 1 == all.size() || all[i + 1].key != all[i].key) greatest += all[i].row;
  }
  return answer.count == count && least <= answer.row_sum && answer.row_sum <= greatest;
}

bool reference::accepts_range_rows(u64 low, u64 high, bool one_a_key, std::vector<u32> rows) const {
  std::sort(rows.begin(), rows.end());
  if (!one_a_key) return rows == range_rows(low, high);
  std::size_t right = 0;
  const std::span<const entry> all = within(low, high);
  for (std::size_t i = 0; i < all.size();) {
    const u64 key = all[i].key;
    u64 listed = 0;
    for (; i < all.size() && all[i].key == key; ++i)
      listed += static_cast<u64>(std::count(rows.begin(), rows.end(), all[i].row));
    if (listed != 1) return false;
    ++right;
  }
  return right == rows.size();
}

std::vector<u32> reference::range_rows(u64 low, u64 high) const {
  std::vector<u32> rows;
  for (const entry& e : within(low, high)) rows.push_back(e.row);
  std::sort(rows.begin(), rows.end());
  return rows;
}

successor_answer reference::next_key(u64 key, bool itself) const {
  const auto at = std::partition_point(sorted_.begin(), sorted_.end(),
                                       [&](const entry& e) { return itself ? e.key < key : e.key <= key; });
  return at == sorted_.end() ? successor_answer{} : successor_answer{at->key, at->row};
}

bool reference::accepts_next_key(u64 key, bool itself, const successor_answer& answer) const {
  const successor_answer right = next_key(key, itself);
  if (answer.row == not_found || right.row == not_found) return answer == right;
  return answer.key == right.key && accepts(answer.key, answer.row);
}

}  // namespace pivotscope
