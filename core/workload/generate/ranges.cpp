// draw_ranges: range i is a formula of i and of the sorted keys.
#include <tbb/parallel_sort.h>

#include "core/workload/batch.hpp"
#include "core/workload/generate/fill.hpp"
#include "core/workload/generate/missing_values.hpp"
#include "core/workload/generate/nearly_sorted.hpp"
#include "core/workload/generate/popular_rows.hpp"
#include "core/workload/generate/seeded_bijection.hpp"

namespace pivotscope {
namespace {

template <class Key>
struct range {
  Key low, high;
};

template <class Key>
std::vector<Key> sorted_copy(std::span<const Key> keys) {
  std::vector<Key> sorted(keys.begin(), keys.end());
  tbb::parallel_sort(sorted.begin(), sorted.end());
  return sorted;
}

// By their low ends, then by their high ones.
template <class Key>
void sort_together(std::vector<Key>& low, std::vector<Key>& high) {
  std::vector<std::pair<Key, Key>> both(low.size());
  for (std::size_t i = 0; i < both.size(); ++i) both[i] = {low[i], high[i]};
  tbb::parallel_sort(both.begin(), both.end());
  for (std::size_t i = 0; i < both.size(); ++i) low[i] = both[i].first, high[i] = both[i].second;
}

template <class Key>
class range_formula {
 public:
  range_formula(const workload& w, std::span<const Key> keys)
      : seed_(seed_for(w.seed, purpose::range_choice)),
        sorted_(sorted_copy(keys)),
        entries_(std::min<u64>(w.range_hits, sorted_.size())),
        rank_(w, entries_ == 0 ? 0 : sorted_.size() - entries_ + 1),
        // A power of two times `hits` is exact: the same decision on every machine.
        full_of_2_to_53_(entries_ == 0 ? 0 : static_cast<u64>(w.hits * 0x1p53)),
        all_missing_(full_of_2_to_53_ == 1ull << 53 ? std::span<const Key>() : std::span<const Key>(sorted_)),
        missing_(all_missing_, w.misses) {}

  // Whether there is a place for ranges without entries.
  bool has_misses() const { return missing_.some(); }

  range<Key> operator()(u64 i) const {
    const u64 choice = random_bits(seed_, 2 * i), which = random_bits(seed_, 2 * i + 1);
    if ((choice >> 11) < full_of_2_to_53_) {
      const u64 rank = rank_(which);
      return {sorted_[rank], sorted_[rank + entries_ - 1]};
    }
    return empty(missing_(scale_to(which, missing_.greatest())), (choice & 1) != 0, spread_bits(which));
  }

 private:
  // Around a value that no row has: backwards, to any lesser value; or forwards, before the next key at most.
  range<Key> empty(u64 value, bool backwards, u64 bits) const {
    const Key low = static_cast<Key>(value);
    if (backwards && value > 0) return {low, static_cast<Key>(scale_to(bits, value - 1))};
    const auto next = std::upper_bound(sorted_.begin(), sorted_.end(), low);
    const u64 last = next == sorted_.end() ? u64{greatest_key<Key>()} : u64{*next} - 1;
    return {low, static_cast<Key>(value + scale_to(bits, last - value))};
  }

  u64 seed_;
  std::vector<Key> sorted_;
  u64 entries_;        // of a range that is not empty
  popular_rows rank_;  // that it begins at
  u64 full_of_2_to_53_;
  missing_values<Key> all_missing_;  // of nothing when no range is empty
  missing_values_at<Key> missing_;
};

template <class Key>
outcome<batch> draw_typed(std::span<const Key> keys, const workload& w, const job_control& control) {
  const u64 copies = w.hits < 1 || w.range_hits == 0 ? 2 : 1;
  const u64 bytes = (copies * keys.size() + 2 * w.ranges) * sizeof(Key);
  const std::string what = fmt::format("{} ranges and a sorted copy of the keys", count_text(w.ranges));
  return with_memory(bytes, what, [&]() -> outcome<batch> {
    control.progress("sorting the keys to draw ranges", -1);
    const range_formula<Key> formula(w, keys);
    if (!formula.has_misses()) return no_such_misses(w.misses);
    std::vector<Key> low(w.ranges), high(w.ranges);
    const auto draw = [&](u64 i) {
      const range<Key> drawn = formula(i);
      low[i] = drawn.low, high[i] = drawn.high;
    };
    if (status drawn = for_each_index(w.ranges, draw, "drawing ranges", control); !drawn) return drawn.error();
    if (w.order != lookup_order::random) sort_together(low, high);
    if (w.order == lookup_order::nearly)
      shuffle_nearby(w.ranges, w, [&](u64 a, u64 b) { std::swap(low[a], low[b]), std::swap(high[a], high[b]); });
    return batch{operation::range, key_array(std::move(low)), key_array(std::move(high))};
  });
}

}  // namespace

outcome<batch> draw_ranges(const key_array& keys, const workload& w, const job_control& control) {
  workload drawn = w;
  drawn.dist = distribution::uniform;  // how the keys came about does not matter here
  drawn.own_keys = {};
  drawn.keys = keys.size();
  if (auto refused = check(drawn, keys.width())) return problem{*refused};
  return keys.visit(
      [&]<class Key>(const std::vector<Key>& rows) -> outcome<batch> { return draw_typed<Key>(rows, drawn, control); });
}

}  // namespace pivotscope
