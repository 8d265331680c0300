// However one came to a state, by applying, undoing and redoing, with states let go in between: it is the one that its
// script brings to an index that was just built, and the oracle's.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "app/session/index_history.hpp"
#include "core/index/family.hpp"
#include "core/run/held_entries.hpp"
#include "tests/support/any_script.hpp"

namespace pivotscope {
namespace {

// Batches of one verb, so that one state alone is right.
script some_batches(const index_config& config, u64 most) {
  script s(key_width::u32);
  const script drawn = testing::any_script(key_width::u32, most, rc::gen::inRange<u32>(0, 12));
  for (u64 i = 0; i < drawn.size(); ++i) {
    script_operation one = drawn[i];
    if (!family_of(config).serves(one.what)) one = {operation::find, one.key};
    s.add(one);
  }
  return s;
}

std::vector<held_entry> held_by(const index_history& history) {
  std::vector<held_entry> all = *held_entries(*history.index());
  std::sort(all.begin(), all.end());
  return all;
}

void demand_states_of_scripts(const index_config& config) {
  const std::unique_ptr<machine> on = detail::open_cpu();
  const auto keys = *key_set::load(*on, key_array(std::vector<u32>{3, 7, 7, 1, 9}), {});
  const auto built = *on->build(config, keys->resident(), {});
  index_history history(*rc::gen::element<u64>(0, 1000, 1u << 30));
  history.begin(built, keys);
  const int moves = *rc::gen::inRange(1, 8);
  for (int move = 0; move < moves; ++move) {
    const bool moved = *rc::gen::arbitrary<bool>();
    if (moved) {
      const auto to = *rc::gen::inRange<std::size_t>(0, history.batches().size() + 1);
      RC_ASSERT(history.go_to(*on, to, {}).ok());
      RC_ASSERT(history.applied() == to);
    } else {
      const std::size_t before = history.applied();
      const script more = some_batches(config, 12);
      RC_ASSERT(history.apply(*on, more, {}).ok());
      RC_ASSERT(history.applied() >= before && history.applied() == history.batches().size());
      for (const viz::applied_batch& batch : history.batches()) RC_ASSERT(batch.record.check.wrong == 0u);
    }
    index_history fresh;
    fresh.begin(built, keys);
    const script applied = first_batches(history.all(), history.applied());
    RC_ASSERT(fresh.bring_to(*on, applied, {}).ok());
    RC_ASSERT(held_by(fresh) == held_by(history));
    RC_ASSERT(fresh.all() == applied);
    // And the other way round, from whatever is there.
    RC_ASSERT(fresh.bring_to(*on, history.all(), {}).ok());
    RC_ASSERT(fresh.all() == history.all());
    RC_ASSERT(fresh.bring_to(*on, applied, {}).ok());
    RC_ASSERT(held_by(fresh) == held_by(history));
  }
}

RC_GTEST_PROP(IndexHistory, AStateIsWhatItsScriptMakes, ()) {
  std::vector<index_config> changing;
  for (const family* f : families())
    if (f->changes()) changing.push_back(f->standard());
  demand_states_of_scripts(*rc::gen::elementOf(changing));
}

// Batches keep apart, however they are put together.
RC_GTEST_PROP(IndexHistory, AppendedBatchesAreAsManyAndDoTheSame, ()) {
  const script a = testing::any_script(key_width::u32, 12, rc::gen::inRange<u32>(0, 9)),
               b = testing::any_script(key_width::u32, 12, rc::gen::inRange<u32>(0, 9));
  script both = a;
  append(both, b);
  RC_ASSERT(both.batches().size() == a.batches().size() + b.batches().size());
  RC_ASSERT(both.size() == a.size() + b.size());
  for (u64 i = 0; i < b.size(); ++i) RC_ASSERT(both[a.size() + i] == b[i]);
  for (std::size_t i = 0; i < b.batches().size(); ++i)
    RC_ASSERT(both.batches()[a.batches().size() + i].size() == b.batches()[i].size());
  RC_ASSERT(first_batches(both, a.batches().size()) == a);
}

}  // namespace
}  // namespace pivotscope
