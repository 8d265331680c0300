#include "core/workload/make_script.hpp"

#include <fmt/format.h>

#include "core/common/expect.hpp"
#include "core/workload/batch.hpp"
#include "core/workload/field_needs.hpp"
#include "core/workload/generate/fill.hpp"
#include "core/workload/generate/key_formula.hpp"
#include "core/workload/generate/missing_values.hpp"
#include "core/workload/script_list.hpp"
#include "core/workload/script_text.hpp"

namespace pivotscope {
namespace {

seeded_bijection order_of(u64 count, u64 seed, purpose p) { return {count == 0 ? 0 : count - 1, seed_for(seed, p)}; }

workload with_rows(workload w, u64 rows) {
  w.keys = rows;
  return w;
}

// What inserts bring, and what is in no row even then, for keys that a formula made.
class formula_values {
 public:
  formula_values(const workload& w, key_width width, u64 inserts)
      : from_nothing_(w.keys == 0),
        formula_(with_rows(w, from_nothing_ ? inserts : w.keys), width),
        takes_both_sides_(!from_nothing_ && w.dist == distribution::ends),
        all_(with_rows(w, w.keys + inserts), width),
        order_(order_of(inserts, w.seed, purpose::insert_order)),
        first_miss_(first_miss(w, inserts)) {}

  u64 inserted(u64 i) const { return from_nothing_ ? formula_.key(i) : formula_.beyond(order_(i)); }
  u64 miss(u64 bits) const {
    // beyond() takes values of `ends` from both sides of what is left.
    const key_formula& left = takes_both_sides_ ? all_ : formula_;
    return left.miss(first_miss_ + scale_to(bits, left.greatest_miss() - first_miss_));
  }

 private:
  // The number of the first miss that no insert brings.
  static u64 first_miss(const workload& w, u64 inserts) {
    if (w.keys == 0 || w.dist == distribution::duplicates || w.dist == distribution::ends) return 0;
    return w.dist == distribution::paper ? std::min<u64>(inserts, std::size(paper_misses)) : inserts;
  }

  bool from_nothing_;
  key_formula formula_;
  bool takes_both_sides_;
  key_formula all_;
  seeded_bijection order_;
  u64 first_miss_;
};

// The same where the formula draws each key by itself, and knows no value that is none.
template <class Key>
class drawn_values {
 public:
  drawn_values(std::span<const Key> keys, const workload& w, u64 inserts)
      : formula_(with_rows(w, w.keys == 0 ? inserts : w.keys),
                 sizeof(Key) == sizeof(u32) ? key_width::u32 : key_width::u64),
        from_nothing_(w.keys == 0),
        missing_(all_rows(keys, inserts)) {}

  u64 inserted(u64 i) const { return from_nothing_ ? formula_.key(i) : formula_.beyond(i); }
  u64 miss(u64 bits) const { return missing_(scale_to(bits, missing_.greatest())); }

 private:
  std::vector<Key> all_rows(std::span<const Key> keys, u64 inserts) const {
    std::vector<Key> rows(keys.begin(), keys.end());
    for (u64 i = 0; i < inserts; ++i) rows.push_back(static_cast<Key>(inserted(i)));
    return rows;
  }

  key_formula formula_;
  bool from_nothing_;
  missing_values<Key> missing_;
};

// The same for keys of one's own, of which only the values that they lack are known.
template <class Key>
class missing_of {
 public:
  missing_of(std::span<const Key> keys, u64 seed, u64 inserts)
      : missing_(keys), inserts_(inserts), order_(missing_.greatest(), seed_for(seed, purpose::insert_order)) {}

  u64 inserted(u64 i) const { return missing_(order_(i)); }
  u64 miss(u64 bits) const { return missing_(order_(inserts_ + scale_to(bits, missing_.greatest() - inserts_))); }

 private:
  missing_values<Key> missing_;
  u64 inserts_;
  seeded_bijection order_;
};

// Operation i of each kind, over the rows of the set and those that the script inserts.
template <class Key, class Values>
class operation_formula {
 public:
  operation_formula(std::span<const Key> keys, const Values& values, const workload& w)
      : keys_(keys),
        values_(values),
        rows_(keys.size() + w.recipe.inserts),
        // A power of two times `hits` is exact: the same decision on every machine.
        hits_of_2_to_53_(rows_ == 0 ? 0 : static_cast<u64>(w.hits * 0x1p53)),
        erase_seed_(seed_for(w.seed, purpose::erase_choice)),
        find_seed_(seed_for(w.seed, purpose::find_choice)),
        erase_order_(order_of(rows_, w.seed, purpose::erase_order)) {}

  question insert(u64 i) const { return {operation::insert, values_.inserted(i)}; }
  question erase(u64 i) const {
    const bool hit = hits(erase_seed_, i);
    return {operation::erase,
            hit ? key_of(erase_order_(i % rows_)) : values_.miss(random_bits(erase_seed_, 2 * i + 1))};
  }
  question find(u64 i) const {
    const u64 which = random_bits(find_seed_, 2 * i + 1);
    return {operation::find, hits(find_seed_, i) ? key_of(scale_to(which, rows_ - 1)) : values_.miss(which)};
  }

 private:
  bool hits(u64 seed, u64 i) const { return (random_bits(seed, 2 * i) >> 11) < hits_of_2_to_53_; }
  u64 key_of(u64 row) const { return row < keys_.size() ? keys_[row] : values_.inserted(row - keys_.size()); }

  std::span<const Key> keys_;
  const Values& values_;
  u64 rows_, hits_of_2_to_53_, erase_seed_, find_seed_;
  seeded_bijection erase_order_;
};

// A batch in the list below, in the script, and where its line is.
constexpr u64 batch_bytes = 2 * sizeof(script_batch) + 2 * sizeof(u64);
u64 batches_in(const script_recipe& recipe, u64 among) {
  const u64 size = batch_of(recipe);
  if (recipe.mix != 0) return ceil_div(among, size);
  return size == whole_batch ? 0 : ceil_div(recipe.inserts, size) + ceil_div(among - recipe.inserts, size);
}
// The batches whose ends the verbs do not tell: mixed ones, and those of inserts or erases that come in several.
std::vector<script_batch> batches_of(const script_recipe& recipe, u64 among) {
  std::vector<script_batch> batches;
  batches.reserve(batches_in(recipe, among));
  const u64 size = batch_of(recipe);
  const auto cut = [&](u64 begin, u64 end) {
    for (; begin < end; begin += std::min(end - begin, size))
      batches.push_back({begin, begin + std::min(end - begin, size), true});
  };
  if (recipe.mix != 0) {
    cut(0, among);
  } else if (size != whole_batch) {
    cut(0, recipe.inserts);
    cut(recipe.inserts, among);
  }
  return batches;
}

// `last`: the workload's own batch, where it is not drawn here.
template <class Key, class Formula>
outcome<script> fill_script(const Formula& formula, const workload& w, const batch& last, const job_control& control) {
  const script_recipe& recipe = w.recipe;
  const u64 writes = recipe.inserts + recipe.erases;
  const u64 among = writes + finds_among(recipe);
  const u64 drawn = among + (last.size() == 0 ? batch_size(w) : 0);
  const u64 count = drawn + last.size();
  const bool mixed = recipe.mix != 0, ranges = last.size() != 0 && last.kind == operation::range;
  const seeded_bijection order = order_of(among, w.seed, purpose::mixed_order);
  const auto one = [&](u64 i) -> question {
    const u64 which = mixed && i < among ? order(i) : i;
    if (which < recipe.inserts) return formula.insert(which);
    return which < writes ? formula.erase(which - recipe.inserts) : formula.find(which - writes);
  };
  const u64 bytes =
      count * (sizeof(operation) + sizeof(Key) * (ranges ? 2 : 1)) + batches_in(recipe, among) * batch_bytes;
  return with_memory(bytes, fmt::format("{} operations", count_text(count)), [&]() -> outcome<script> {
    std::vector<operation> verbs(count, last.kind);
    std::vector<Key> keys(count), highs(ranges ? count : 0);
    const auto set = [&](u64 i) {
      const question operation = one(i);
      verbs[i] = operation.kind, keys[i] = static_cast<Key>(operation.key);
    };
    if (status made = for_each_index(drawn, set, "making the script", control); !made) return made.error();
    const auto behind = static_cast<std::ptrdiff_t>(drawn);
    const std::span<const Key> low = last.keys.as<Key>(), high = last.highs.as<Key>();
    std::copy(low.begin(), low.end(), keys.begin() + behind);
    if (ranges) std::copy(high.begin(), high.end(), highs.begin() + behind);
    return script({std::move(verbs), key_array(std::move(keys)), key_array(std::move(highs))},
                  batches_of(recipe, among));
  });
}

template <class Key, class Values>
outcome<script> make_of(std::span<const Key> keys, const Values& values, const workload& w, const batch& last,
                        const job_control& control) {
  return fill_script<Key>(operation_formula<Key, Values>(keys, values, w), w, last, control);
}

outcome<script> made_by_recipe(const key_array& keys, const workload& w, const batch& last,
                               const job_control& control) {
  return keys.visit([&]<class Key>(const std::vector<Key>& rows) -> outcome<script> {
    if (!w.own_keys.given() && numbers_misses(w.dist))
      return make_of<Key>(rows, formula_values(w, keys.width(), w.recipe.inserts), w, last, control);
    control.progress("sorting the keys to find others", -1);
    const u64 copied = rows.size() + (w.own_keys.given() ? 0 : w.recipe.inserts);
    return with_memory(copied * sizeof(Key), "a sorted copy of the keys", [&]() -> outcome<script> {
      if (!w.own_keys.given())
        return make_of<Key>(rows, drawn_values<Key>(rows, w, w.recipe.inserts), w, last, control);
      return make_of<Key>(rows, missing_of<Key>(rows, w.seed, w.recipe.inserts), w, last, control);
    });
  });
}

// The file's or the list's operations, and `last` behind them.
outcome<script> read_own_script(const key_array& keys, const own_operations& own, const batch& last,
                                const job_control& control) {
  outcome<script> read =
      own.file.empty() ? script_from_list(own.list, keys.width()) : read_script(own.file, keys.width(), control);
  if (!read) return read;
  if (auto refused = check_rows(keys.size(), read->inserts())) return problem{*refused};
  const bool ranges = last.kind == operation::range;
  const u64 bytes = last.size() * (sizeof(operation) + 2 * sizeof(u64));
  return with_memory(bytes, fmt::format("{} operations", count_text(last.size())), [&]() -> outcome<script> {
    read->reserve(read->size() + last.size());
    for (u64 i = 0; i < last.size(); ++i) read->add({last.kind, last.keys[i], ranges ? last.highs[i] : 0});
    return read;
  });
}

// The workload's own batch, where it is not lookups that are drawn with the writes.
bool draws_lookups(const workload& w) {
  return operation_of(w) == operation::find && !w.own_batch.given() && !w.own_script.given() &&
         w.misses == miss_place::anywhere && w.order == lookup_order::random && w.popular == popularity::uniform;
}

}  // namespace

outcome<script> make_script(const key_array& keys, const workload& all, const job_control& control) {
  // So that what has no effect has none on where lookups are drawn either.
  const workload w = without_idle(all);
  if (auto refused = check(w, keys.width())) return problem{*refused};
  if (auto refused = check(w.recipe, keys.size())) return problem{*refused};
  PIVOTSCOPE_EXPECT(w.own_keys.given() || keys.size() == w.keys);
  batch last{operation::find, key_array(keys.width(), 0), key_array(keys.width(), 0)};
  if (!draws_lookups(w) && (batch_size(w) != 0 || w.own_batch.given())) {
    outcome<batch> own = make_batch(w, keys, control);
    if (!own) return own.error();
    last = std::move(*own);
    if (last.kind != operation::range) last.highs = key_array(keys.width(), 0);
  }
  if (w.own_script.given()) return read_own_script(keys, w.own_script, last, control);
  return made_by_recipe(keys, w, last, control);
}

}  // namespace pivotscope
