// The stages that change an index: the workload's script is replayed, and what is applied, undone or redone goes on from
// there. All of it is the worker's.
#include <fmt/format.h>

#include <utility>

#include "app/files/script_name.hpp"
#include "app/session/cell_changes.hpp"
#include "app/session/pipeline.hpp"
#include "core/common/expect.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/run/entry_count.hpp"
#include "core/workload/make_script.hpp"
#include "viz/words/sentence_numbers.hpp"

namespace pivotscope {
namespace {

// Why a config's indexes stay as they are, with the methods that change.
std::string refusal_of(const index_config& config) {
  return check_serves(config, operation::insert).value_or("this index does not change");
}

}  // namespace

// The path comes with the index, so that no frame shows one without the other.
void pipeline::show_index() {
  const std::shared_ptr<const built_index>& index = history_.index();
  const viz::session_view before = board_.copy();
  const bool goes_on =
      before.index && before.index != index && before.keys == keys_.value && before.index->config() == index->config();
  auto updates = std::make_shared<const viz::update_history>(
      viz::update_history{history_.batches(), history_.applied(), history_.shared(),
                          goes_on ? changes_between(*before.index, *index) : nullptr, history_.merged(), script_.value,
                          held_words(history_.held(), index->keys())});
  for (bool shown = false; !shown;) {
    const std::optional<question> chosen = board_.choice().key;
    const std::optional<question> key = chosen ? chosen : telling_key(*index);
    std::shared_ptr<const viz::path_data> path;
    if (key) {
      outcome<lookup_trace> trace = trace_of(*index, *key);
      if (trace.ok()) {
        viz::group_numbers(*trace);
        path = std::make_shared<const viz::path_data>(viz::path_data{index, std::move(*trace)});
      } else {
        fail(trace.error());
      }
    }
    board_.change([&](viz::session_view& view) {
      shown = view.choice.key == chosen;  // else another key has been chosen meanwhile
      if (!shown) return;
      view.keys = keys_.value;
      if (view.index != index) view.lookup_kernel = {};
      view.index = index;
      view.updates = updates;
      view.path = path;
      view.choice.key = key;
    });
  }
}

void pipeline::tell_wrong(std::size_t from) {
  for (std::size_t i = from; i < history_.applied(); ++i) {
    const check_report& check = history_.batches()[i].record.check;
    if (check.wrong > 0)
      board_.tell({fmt::format("Batch {} went wrong. {} Scenario: {} {}", i + 1, check.first_wrong,
                               to_line(script_.made_for.config), to_line(script_.made_for.load)),
                   true});
  }
}

// What is shown stays, and is what is chosen; of an index that is not shown yet nothing is known before.
bool pipeline::keep_before(viz::session_choice& choice, const problem& why) {
  bool by_user;
  {
    const std::lock_guard lock(mutex_);
    by_user = stopped_by_user_;
  }
  if (script_.made && (by_user || !why.cancelled)) name_script(choice, script_.made_for.load);
  return fail(why);
}

bool pipeline::replay(viz::session_choice& choice) {
  if (script_.made && same_inputs(stage::script, script_.made_for, choice)) return true;
  machine& on = *machines_[choice.machine];
  const bool asked = has_script(choice.load), changes = family_of(choice.config).changes();
  if (!asked || !changes) {
    if (status back = history_.go_to(on, 0, {}); !back) return fail(back.error());
  } else {
    if (!begin(stage::script, choice)) return false;
    const outcome<script> wanted = make_script(keys_.value->set->keys(), script_of(choice.load), *control_);
    const status done = wanted ? history_.bring_to(on, *wanted, *control_) : wanted.error();
    if (!done && (script_.made || done.error().cancelled)) return keep_before(choice, done.error());
    if (done) {
      history_.set_name(choice.load);
    } else {  // it is as it was built
      fail(done.error());
      name_script(choice, without_script(choice.load));
    }
  }
  script_ = {asked && !changes ? refusal_of(choice.config) : "", choice, true};
  tell_wrong(0);  // a notice is there once
  show_index();
  return true;
}

void pipeline::name_script(viz::session_choice& choice, const workload& named) {
  const auto take = [&](workload& load) {
    if (same_script(load, choice.load)) load.recipe = named.recipe, load.own_script = named.own_script;
  };
  {
    const std::lock_guard lock(mutex_);
    take(wanted_.load);
  }
  board_.change([&](viz::session_view& view) { take(view.choice.load); });
  take(choice.load);
}

// One that cannot begin because something else was chosen waits for that. What is done now still stands first, until it is done.
std::shared_ptr<const update_request> pipeline::next_update(const viz::session_choice& choice) {
  const auto waits = [&] {
    const std::lock_guard lock(mutex_);
    return !wanted_updates_.empty();
  };
  if (!waits() || !begin(stage::script, choice)) return nullptr;
  const std::lock_guard lock(mutex_);
  return wanted_updates_.empty() ? nullptr : wanted_updates_.front();
}

// One that was cancelled for another choice waits for that, as one does that had not begun. One that the user cancelled is gone.
void pipeline::end_update(const std::shared_ptr<const update_request>& asked, bool cancelled) {
  const std::lock_guard lock(mutex_);
  if (!cancelled && !wanted_updates_.empty() && wanted_updates_.front() == asked) wanted_updates_.pop_front();
}

// False: nothing more is to be done for this choice.
bool pipeline::do_updates(viz::session_choice& choice) {
  bool any = false;
  while (const std::shared_ptr<const update_request> asked = next_update(choice)) {
    const status done = change_index(choice, *asked);
    end_update(asked, !done && done.error().cancelled);
    if (!done) return fail(done.error());
    any = true;
  }
  return !any || run(choice, viz::provenance::live, false);
}

status pipeline::change_index(viz::session_choice& choice, const update_request& asked) {
  if (!family_of(choice.config).changes()) return problem{refusal_of(choice.config) + "."};
  if (status done = change_history(choice, asked); !done) return done;
  script_ = {"", choice, true};
  tell_wrong(0);
  show_index();
  return fine();
}

outcome<workload> pipeline::name_of(const workload& load, std::size_t applied) {
  const std::optional<workload>& known = history_.name(applied);
  if (!known) return with_script(load, first_batches(history_.all(), applied), scripts_);
  workload named = load;
  named.recipe = known->recipe, named.own_script = known->own_script;
  return named;
}

status pipeline::change_history(viz::session_choice& choice, const update_request& asked) {
  machine& on = *machines_[choice.machine];
  if (const auto* const count = std::get_if<std::size_t>(&asked)) {
    if (*count > history_.batches().size()) return fine();  // of an index that was there before
    const outcome<workload> named = name_of(choice.load, *count);
    if (!named) return named.error();
    if (status there = history_.go_to(on, *count, *control_); !there) return there;
    name_script(choice, *named);
    return fine();
  }
  std::optional<workload> by_recipe;
  outcome<script> more = script(choice.config.keys);
  if (const auto* const drawn = std::get_if<viz::update_draw>(&asked)) {
    if (history_.applied() == 0) by_recipe = with_recipe(choice.load, *drawn);
    more = by_recipe ? make_script(keys_.value->set->keys(), script_of(*by_recipe), *control_)
                     : draw_updates(history_.row_keys(), choice.load, *drawn, *control_);
  } else {
    more = std::get<script>(asked);
  }
  if (!more) return more.error();
  // Nothing, or typed for an index that was there before.
  if (more->items() == 0 || more->width() != choice.config.keys) return fine();
  script next = first_batches(history_.all(), history_.applied());
  append(next, *more);
  const outcome<workload> named = by_recipe ? outcome<workload>(*by_recipe) : with_script(choice.load, next, scripts_);
  if (!named) return named.error();
  if (auto refused = check(*named, choice.config.keys)) return problem{*refused};
  if (status done = history_.apply(on, *more, *control_); !done) return done;
  history_.set_name(*named);
  name_script(choice, *named);
  return fine();
}

}  // namespace pivotscope
