// possible_entries: what an index that changes may hold, key by key. Most keys are as they were when all entries were last
// known: those lie sorted in an array, which copies share. What has changed since is a map beside it.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/common/stored_entry.hpp"

namespace pivotscope {

class possible_entries {
 public:
  // An entry that may be there, or certainly is.
  struct entry {
    u32 row = 0;
    bool sure = true;
    bool operator==(const entry&) const = default;
  };

  // Entries that are certainly there, in ascending order.
  explicit possible_entries(std::vector<stored_entry> sorted = {});

  u64 size() const { return size_; }
  bool contains(u64 key) const { return !of(key).empty(); }
  std::vector<entry> of(u64 key) const;
  // The least key above one that has entries.
  std::optional<u64> next_key(u64 above) const;
  // Calls f(key, entry) for all of them, the keys in ascending order.
  template <class F>
  void each(F&& f) const;
  void add(u64 key, entry one);
  void erase(u64 key);
  // Counts the key as changed: each_difference() tells of it.
  void doubt(u64 key) { change(key); }

  // Calls f(key, rows) for each key that has changed since all entries were last known, and for each that a sorted list has
  // in another way than they were then. The rows are the list's. Keys ascend.
  template <class F>
  void each_difference(std::span<const stored_entry> sorted, F&& f) const;

 private:
  using known_entries = std::vector<stored_entry>;
  using changed_entries = std::map<u64, std::vector<entry>>;

  // Where the known entries of a key begin, or those of the next greater one.
  std::size_t place_of(u64 key) const {
    return static_cast<std::size_t>(std::lower_bound(known_->begin(), known_->end(), stored_entry{key, 0}) -
                                    known_->begin());
  }
  // Calls f(key, its known entries, those that it has now; null: the known ones).
  template <class F>
  void each_key(F&& f) const;
  std::vector<entry>& change(u64 key);

  std::shared_ptr<const known_entries> known_;
  changed_entries changed_;  // a key without entries: it has none any more
  u64 size_ = 0;
};

template <class F>
void possible_entries::each_key(F&& f) const {
  auto changed = changed_.begin();
  for (std::size_t at = 0; at < known_->size() || changed != changed_.end();) {
    const bool is_changed = changed != changed_.end() && (at == known_->size() || changed->first <= (*known_)[at].key);
    const u64 key = is_changed ? changed->first : (*known_)[at].key;
    const std::size_t first = at;
    while (at < known_->size() && (*known_)[at].key == key) ++at;
    f(key, std::span<const stored_entry>(*known_).subspan(first, at - first), is_changed ? &changed->second : nullptr);
    if (is_changed) ++changed;
  }
}

template <class F>
void possible_entries::each(F&& f) const {
  each_key([&](u64 key, std::span<const stored_entry> known, const std::vector<entry>* changed) {
    if (changed == nullptr)
      for (const stored_entry& one : known) f(key, entry{one.row, true});
    else
      for (const entry& one : *changed) f(key, one);
  });
}

template <class F>
void possible_entries::each_difference(std::span<const stored_entry> sorted, F&& f) const {
  std::size_t at = 0;
  std::vector<u32> rows;
  // The list's entries of a key, which is the next one of it or before that.
  const auto take = [&](u64 key) {
    const std::size_t first = at;
    while (at < sorted.size() && sorted[at].key == key) ++at;
    return sorted.subspan(first, at - first);
  };
  const auto tell = [&](u64 key, std::span<const stored_entry> held) {
    rows.clear();
    for (const stored_entry& one : held) rows.push_back(one.row);
    f(key, std::span<const u32>(rows));
  };
  const auto tell_next = [&] {
    const u64 key = sorted[at].key;
    tell(key, take(key));
  };
  each_key([&](u64 key, std::span<const stored_entry> known, const std::vector<entry>* changed) {
    while (at < sorted.size() && sorted[at].key < key) tell_next();
    const std::span<const stored_entry> held = take(key);
    if (changed != nullptr || !std::ranges::equal(known, held)) tell(key, held);
  });
  while (at < sorted.size()) tell_next();
}

}  // namespace pivotscope
