#include "core/reference/possible_entries.hpp"

namespace pivotscope {

possible_entries::possible_entries(std::vector<stored_entry> sorted)
    : known_(std::make_shared<const known_entries>(std::move(sorted))), size_(known_->size()) {}

std::vector<possible_entries::entry> possible_entries::of(u64 key) const {
  if (const auto changed = changed_.find(key); changed != changed_.end()) return changed->second;
  std::vector<entry> all;
  for (std::size_t at = place_of(key); at < known_->size() && (*known_)[at].key == key; ++at)
    all.push_back({(*known_)[at].row, true});
  return all;
}

std::optional<u64> possible_entries::next_key(u64 above) const {
  auto changed = changed_.upper_bound(above);
  while (changed != changed_.end() && changed->second.empty()) ++changed;
  std::size_t known = above == ~u64{0} ? known_->size() : place_of(above + 1);
  for (; known < known_->size();
       known = (*known_)[known].key == ~u64{0} ? known_->size() : place_of((*known_)[known].key + 1)) {
    const auto now = changed_.find((*known_)[known].key);
    if (now == changed_.end() || !now->second.empty()) break;
  }
  if (known == known_->size()) return changed == changed_.end() ? std::nullopt : std::optional(changed->first);
  return changed == changed_.end() ? (*known_)[known].key : std::min((*known_)[known].key, changed->first);
}

std::vector<possible_entries::entry>& possible_entries::change(u64 key) {
  if (const auto changed = changed_.find(key); changed != changed_.end()) return changed->second;
  return changed_.emplace(key, of(key)).first->second;
}

void possible_entries::add(u64 key, entry one) {
  change(key).push_back(one);
  ++size_;
}

void possible_entries::erase(u64 key) {
  std::vector<entry>& all = change(key);
  size_ -= all.size();
  all.clear();
}

}  // namespace pivotscope
