#include "core/workload/batch.hpp"

#include <type_traits>

#include "core/common/expect.hpp"
#include "core/workload/generate/key_formula.hpp"
#include "core/workload/own_numbers.hpp"
#include "core/workload/row_sums.hpp"

namespace pivotscope {
namespace {

key_array first_keys(const key_array& all, u64 count) {
  PIVOTSCOPE_EXPECT(count <= all.size());
  return all.visit([count](const auto& keys) {
    return key_array(
        std::remove_cvref_t<decltype(keys)>(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count)));
  });
}

}  // namespace

batch first_of(const batch& all, u64 count) {
  batch first{all.kind, first_keys(all.keys, count)};
  if (all.kind == operation::range) first.highs = first_keys(all.highs, count);
  return first;
}

outcome<batch> make_batch(const workload& w, const key_array& keys, const job_control& control) {
  if (w.own_batch.given()) {
    outcome<batch> own = read_own_lookups(w.own_batch, keys.width(), control);
    if (!own || own->row_sums.empty()) return own;
    const status right = check_row_sums(keys, own->keys, own->row_sums, w.own_batch.numbers.file, control);
    return right ? std::move(own) : outcome<batch>(right.error());
  }
  if (w.ranges != 0) return draw_ranges(keys, w, control);
  outcome<key_array> lookups = takes_keys(w) ? draw_lookups(keys, w, control) : make_lookups(w, keys.width(), control);
  if (!lookups) return lookups.error();
  return batch{operation_of(w), std::move(*lookups)};
}

outcome<batch> make_batch(const workload& w, key_width width, const job_control& control) {
  const bool of_file = !w.own_batch.numbers.file.empty();
  const bool of_keys = w.own_batch.given() ? of_file : w.ranges != 0 || takes_keys(w);
  if (!of_keys) return make_batch(w, key_array(width, 0), control);
  outcome<key_array> keys = make_keys(w, width, control);
  if (!keys) return keys.error();
  return make_batch(w, *keys, control);
}

}  // namespace pivotscope
