// make_keys, make_lookups, draw_lookups: formulas evaluated in parallel.
#include <fmt/format.h>

#include "core/workload/generate/fill.hpp"
#include "core/workload/generate/key_formula.hpp"
#include "core/workload/generate/missing_values.hpp"
#include "core/workload/generate/nearly_sorted.hpp"
#include "core/workload/generate/popular_rows.hpp"
#include "core/workload/own_numbers.hpp"

namespace pivotscope {
namespace {

template <class Formula>
outcome<key_array> make_array(key_width width, u64 n, std::string_view what, std::string_view stage,
                              const Formula& formula, const job_control& control) {
  const u64 bytes = n * (width == key_width::u32 ? sizeof(u32) : sizeof(u64));
  return with_memory(bytes, what, [&]() -> outcome<key_array> {
    key_array out(width, n);
    const status filled = out.visit([&](auto& values) { return fill(std::span(values), formula, stage, control); });
    if (!filled) return filled.error();
    return out;
  });
}

// Lookup i: the key of a random one of n rows, or places in sorted order, with probability `hits`, else a miss.
template <class Key, class Miss>
class lookup_formula {
 public:
  lookup_formula(const workload& w, u64 rows, u64 greatest_miss, Key key, Miss miss)
      : seed_(seed_for(w.seed, purpose::lookup_choice)),
        row_(w, rows),
        greatest_miss_(greatest_miss),
        // A power of two times `hits` is exact: the same decision on every machine.
        hits_of_2_to_53_(rows == 0 ? 0 : static_cast<u64>(w.hits * 0x1p53)),
        key_(key),
        miss_(miss) {}

  u64 operator()(u64 i) const {
    const u64 which = random_bits(seed_, 2 * i + 1);
    if ((random_bits(seed_, 2 * i) >> 11) < hits_of_2_to_53_) return key_(row_(which));
    return miss_(scale_to(which, greatest_miss_));
  }

 private:
  u64 seed_;
  popular_rows row_;
  u64 greatest_miss_, hits_of_2_to_53_;
  Key key_;
  Miss miss_;
};

// In the order in which they are wanted.
outcome<key_array> in_order(outcome<key_array> lookups, const workload& w, const job_control& control) {
  if (!lookups || w.order == lookup_order::random) return lookups;
  control.progress("sorting the lookups", -1);
  lookups->visit([&](auto& keys) {
    tbb::parallel_sort(keys.begin(), keys.end());
    if (w.order == lookup_order::nearly)
      shuffle_nearby(keys.size(), w, [&](u64 a, u64 b) { std::swap(keys[a], keys[b]); });
  });
  return lookups;
}

// Keys that successors are asked of are drawn as lookups are.
u64 asked_of(const workload& w) { return operation_of(w) == operation::range ? w.lookups : batch_size(w); }

}  // namespace

outcome<key_array> make_keys(const workload& w, key_width width, const job_control& control) {
  if (auto refused = check(w, width)) return problem{*refused};
  if (w.own_keys.given()) return read_own_keys(w.own_keys, width, control);
  const key_formula formula(w, width);
  return make_array(
      width, w.keys, fmt::format("{} keys", count_text(w.keys)), "making keys",
      [&](u64 row) { return formula.key(row); }, control);
}

outcome<key_array> make_lookups(const workload& w, key_width width, const job_control& control) {
  if (auto refused = check(w, width)) return problem{*refused};
  if (w.own_batch.given()) {
    outcome<batch> own = read_own_lookups(w.own_batch, width, control);
    if (!own) return own.error();
    return std::move(own->keys);
  }
  if (takes_keys(w)) {
    const outcome<key_array> keys = make_keys(w, width, control);
    if (!keys) return keys.error();
    return draw_lookups(*keys, w, control);
  }
  const key_formula formula(w, width);
  const lookup_formula lookup(
      w, w.keys, numbers_misses(w.dist) ? formula.greatest_miss() : 0, [&](u64 row) { return formula.key(row); },
      [&](u64 i) { return formula.miss(i); });
  return in_order(make_array(width, asked_of(w), fmt::format("{} lookups", count_text(asked_of(w))), "making lookups",
                             lookup, control),
                  w, control);
}

outcome<key_array> draw_lookups(const key_array& keys, const workload& w, const job_control& control) {
  workload drawn = w;
  drawn.dist = distribution::uniform;  // how the keys came about does not matter here
  drawn.own_keys = {};
  drawn.keys = keys.size();
  if (auto refused = check(drawn, keys.width())) return problem{*refused};
  const std::string what = fmt::format("{} lookups", count_text(asked_of(w)));
  return keys.visit([&]<class Key>(const std::vector<Key>& rows) -> outcome<key_array> {
    const auto draw = [&](std::span<const Key> hits, u64 greatest_miss, const auto& miss) {
      const lookup_formula lookup(
          drawn, rows.size(), greatest_miss, [&](u64 row) -> u64 { return hits[row]; }, miss);
      return in_order(make_array(keys.width(), asked_of(w), what, "drawing lookups", lookup, control), w, control);
    };
    const auto with_misses = [&](std::span<const Key> hits) -> outcome<key_array> {
      if (w.hits == 1 && !rows.empty()) return draw(hits, 0, [](u64 i) { return i; });
      control.progress("sorting the keys to find misses", -1);
      return with_memory(rows.size() * sizeof(Key), "a sorted copy of the keys", [&]() -> outcome<key_array> {
        const missing_values<Key> all{std::span<const Key>(rows)};
        const missing_values_at<Key> missing(all, w.misses);
        if (!missing.some()) return no_such_misses(w.misses);
        return draw(hits, missing.greatest(), [&](u64 i) { return missing(i); });
      });
    };
    if (!popular_by_order(w) || w.hits == 0) return with_misses(rows);
    control.progress("sorting the keys to find hot ones", -1);
    return with_memory(rows.size() * sizeof(Key), "a sorted copy of the keys", [&]() -> outcome<key_array> {
      std::vector<Key> sorted(rows);
      tbb::parallel_sort(sorted.begin(), sorted.end());
      return with_misses(sorted);
    });
  });
}

}  // namespace pivotscope
