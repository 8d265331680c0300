// However one came to a state, by applying, undoing, redoing and editing, with moves that were cancelled and states let go in between:
// it is the one that its script brings to an index that was just built, and the oracle's.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "app/session/index_history.hpp"
#include "core/index/family.hpp"
#include "core/run/stored_entries.hpp"
#include "tests/support/any_script.hpp"
#include "tests/support/whole_space.hpp"

namespace pivotscope {
namespace {

constexpr u32 most_key = 12;

// Batches of one verb, and mixed ones that ask for each key once: so one state alone is right. A mixed one may begin with a read.
script some_batches(const index_config& config, u64 most) {
  script s(key_width::u32);
  const script drawn = testing::any_script(key_width::u32, most, rc::gen::inRange<u32>(0, most_key));
  for (const script_batch& batch : drawn.batches()) {
    if (batch.mixed) s.begin_mixed();
    std::set<u64> keys;
    for (u64 i = batch.begin; i < batch.end; ++i) {
      question one = drawn[i];
      if (!family_of(config).serves(one.kind)) one = {operation::find, one.key};
      if (!batch.mixed || keys.insert(one.key).second) s.add(one);
    }
    if (batch.mixed) s.end_mixed();
  }
  return s;
}

// The same script, one operation of which is another: the first or the last of its batch, or any.
script edited(const index_config& config, const script& s) {
  const u64 which = *rc::gen::inRange<u64>(0, s.batches().size());
  const script_batch& in = s.batches()[which];
  const u64 at = *rc::gen::element(in.begin, in.end - 1, *rc::gen::inRange<u64>(in.begin, in.end));
  script changed(s.width());
  for (const script_batch& batch : s.batches()) {
    if (batch.mixed) changed.begin_mixed();
    for (u64 i = batch.begin; i < batch.end; ++i) {
      question one = s[i];
      if (i == at) {
        const bool has_high = one.kind == operation::range;
        switch (*rc::gen::inRange(0, 3)) {
          case 0:
            one.kind = *rc::gen::elementOf(all_operations);
            if (!family_of(config).serves(one.kind)) one.kind = operation::find;
            one.high = one.kind == operation::range ? most_key : 0;
            break;
          case 1:
            if (has_high) one.high ^= 1;
            if (has_high) break;
            [[fallthrough]];
          default:
            one.key = most_key + 1;  // which no other of the batch asks for
        }
      }
      changed.add(one);
    }
    if (batch.mixed) changed.end_mixed();
  }
  return changed;
}

// Cancels itself with its `at`-th word of progress; 0: never.
class cancelled_at {
 public:
  explicit cancelled_at(u64 at) : at_(at) {}
  operator const job_control&() const { return control_; }

 private:
  u64 at_;
  std::atomic<u64> told_{0};
  job_control control_{[this](std::string_view, double) {
    if (++told_ == at_) control_.cancel();
  }};
};

std::vector<stored_entry> held_by(const index_history& history) {
  std::vector<stored_entry> all = *stored_entries(*history.index());
  std::sort(all.begin(), all.end());
  return all;
}

// What a history is to be, by its scripts alone.
struct known_history {
  script all{key_width::u32};
  std::size_t applied = 0;
  std::vector<std::optional<u64>> names{std::nullopt};  // of the states, as seeds

  script now() const { return first_batches(all, applied); }
  void take(std::size_t kept, script whole, u64 name) {
    names.resize(kept + 1);
    all = std::move(whole), applied = all.batches().size();
    names.resize(applied + 1);
    names[applied] = name;
  }
  std::size_t shared_with(const script& other) const {
    std::size_t same = 0;
    while (same < all.batches().size() && same < other.batches().size() &&
           first_batches(all, same + 1) == first_batches(other, same + 1))
      ++same;
    return same;
  }
};

class history_under_test {
 public:
  explicit history_under_test(const index_config& config)
      : config_(config), history_(*rc::gen::element<u64>(0, 0, 1000, 1u << 30)) {
    keys_ = *key_set::load(*on_, key_array(first_keys_), {});
    built_ = *on_->build(config, keys_->resident(), {});
    history_.begin(built_, keys_);
  }

  void move() {
    const cancelled_at control(*rc::gen::element<u64>(0, *rc::gen::inRange<u64>(1, 10)));
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        return go_to(*rc::gen::inRange<std::size_t>(0, known_.all.batches().size() + 1), control);
      case 1:
        return apply(some_batches(config_, 8), control);
      default:
        if (known_.all.size() == 0) return;
        const script base = *rc::gen::arbitrary<bool>() ? known_.all : known_.now();
        return bring_to(base.size() == 0 ? base : edited(config_, base), control);
    }
  }

  // From the first state to the last, over all batches between.
  void redo_all() {
    go_to(0, {});
    go_to(known_.all.batches().size(), {});
  }

  void expect_known() {
    RC_ASSERT(history_.applied() == known_.applied);
    RC_ASSERT(history_.all() == known_.all);
    RC_ASSERT(history_.batches().size() == known_.all.batches().size());
    index_history fresh;
    fresh.begin(built_, keys_);
    RC_ASSERT(fresh.bring_to(*on_, known_.now(), {}).ok());
    RC_ASSERT(held_by(fresh) == held_by(history_));
    RC_ASSERT(fresh.all() == known_.now());
    expect_told();
    expect_rows();
    if (*rc::gen::arbitrary<bool>()) expect_checked();
  }

 private:
  bool done(const status& s, const job_control& control) {
    if (!s.ok()) RC_LOG() << s.error().words << "\n";
    RC_ASSERT((s.ok() || (s.error().cancelled && control.cancelled())));
    return s.ok();
  }
  void go_to(std::size_t to, const job_control& control) {
    if (done(history_.go_to(*on_, to, control), control)) known_.applied = to;
  }
  void apply(const script& more, const job_control& control) {
    if (!done(history_.apply(*on_, more, control), control)) return;
    script whole = known_.now();
    append(whole, more);
    known_.take(known_.applied, std::move(whole), name());
  }
  void bring_to(const script& wanted, const job_control& control) {
    const std::size_t same = known_.shared_with(wanted);
    if (!done(history_.bring_to(*on_, wanted, control), control)) return;
    if (same < wanted.batches().size()) return known_.take(same, wanted, name());
    known_.applied = same;
    known_.names[same] = name();
  }
  u64 name() {
    history_.set_name({.seed = ++names_});
    return names_;
  }

  // What stands beside each batch, and each state's name.
  void expect_told() {
    for (std::size_t b = 0; b < history_.batches().size(); ++b) {
      const viz::applied_batch& told = history_.batches()[b];
      const script_batch& batch = known_.all.batches()[b];
      std::set<operation> verbs;
      u64 writes = 0;
      for (u64 i = batch.begin; i < batch.end; ++i) {
        verbs.insert(known_.all.verb_of(i));
        writes += is_write(known_.all.verb_of(i)) ? 1 : 0;
      }
      RC_ASSERT(told.kind == (verbs.size() == 1 ? operation_verb(*verbs.begin()) : "mixed"));
      RC_ASSERT(told.writes == writes);
      RC_ASSERT(told.record.operations == batch.size());
      RC_ASSERT(told.record.check.wrong == 0u);
    }
    for (std::size_t s = 0; s < known_.names.size(); ++s) {
      RC_ASSERT(history_.name(s).has_value() == known_.names[s].has_value());
      RC_ASSERT(!known_.names[s] || history_.name(s)->seed == *known_.names[s]);
    }
  }

  std::vector<u64> keys_of_rows() const {
    std::vector<u64> rows(first_keys_.begin(), first_keys_.end());
    const script now = known_.now();
    for (u64 i = 0; i < now.size(); ++i)
      if (now.verb_of(i) == operation::insert) rows.push_back(now[i].key);
    return rows;
  }
  void expect_rows() {
    const key_array told = history_.row_keys();
    const std::vector<u64> rows = keys_of_rows();
    RC_ASSERT(told.size() == rows.size());
    for (u64 i = 0; i < rows.size(); ++i) RC_ASSERT(told[i] == rows[i]);
  }

  // The oracle stands where the index does: it takes the index's answers, and a row of another key for none of them.
  void expect_checked() {
    std::vector<u32> asked;
    for (u32 key = 0; key <= most_key + 1; ++key) asked.push_back(key);
    const batch finds{operation::find, key_array(asked), key_array(key_width::u32, 0)};
    outcome<batch_result> run = on_->run(*history_.index(), finds, {}, {});
    RC_ASSERT(run.ok());
    RC_ASSERT(history_.check(finds, run->answers, {})->wrong == 0u);
    const std::vector<u64> rows = keys_of_rows();
    const u64 row = *rc::gen::inRange<u64>(0, rows.size());
    run->answers.found[rows[row] == 0 ? 1 : 0] = static_cast<u32>(row);
    RC_ASSERT(history_.check(finds, run->answers, {})->wrong == 1u);
  }

  const std::unique_ptr<machine> on_ = detail::open_cpu();
  const std::vector<u32> first_keys_ = {3, 7, 7, 1, 9};
  const index_config config_;
  std::shared_ptr<const key_set> keys_;
  std::shared_ptr<const built_index> built_;
  index_history history_;
  known_history known_;
  u64 names_ = 0;
};

// Some of what can go wrong takes several moves in a row: as many cases as a share of a property over the whole space.
TEST(IndexHistory, AStateIsWhatItsScriptMakes) {
  std::vector<index_config> changing;
  for (const family* f : families())
    if (f->changes()) changing.push_back(f->standard());
  int ran = 0;
  testing::check_whole_space(0, ran, [&] {
    history_under_test history(*rc::gen::elementOf(changing));
    const int moves = *rc::gen::inRange(1, 20);
    for (int move = 0; move < moves; ++move) {
      history.move();
      history.expect_known();
    }
    history.redo_all();
    history.expect_known();
    ++ran;
  });
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
