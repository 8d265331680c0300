#include "app/files/script_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "app/files/pasted.hpp"
#include "core/workload/make_script.hpp"
#include "core/workload/script_list.hpp"
#include "core/workload/script_text.hpp"

namespace pivotscope {
namespace {

// Of a draw beyond the first, whatever the keys come from.
outcome<script> drawn_by(const key_array& rows, workload w, const viz::update_draw& what, const job_control& control) {
  w = without_script(std::move(w));
  w.own_batch = {};
  w.keys = rows.size();
  w.seed = what.seed;
  if (w.own_keys.given()) w.own_keys = {.file = "rows"};  // which are at hand
  const u64 writes = what.inserts + what.erases;
  const bool mixed = what.mixed && writes != 0 && writes + what.finds > 1;
  w.recipe = {.inserts = what.inserts, .erases = what.erases};
  if (mixed) w.recipe.mix = static_cast<double>(writes) / static_cast<double>(writes + what.finds);
  set_batch_size(w, operation::find, mixed ? 0 : what.finds);
  return make_script(rows, w, control);
}

// The papers' keys go on as theirs do, past those that are there.
outcome<script> after_the_papers(const key_array& rows, const workload& load, const viz::update_draw& what,
                                 const job_control& control) {
  workload dense = load;
  dense.dist = distribution::dense;
  outcome<script> drawn = drawn_by(rows, dense, what, control);
  if (!drawn) return drawn;
  std::set<u64> there;
  for (u64 i = 0; i < rows.size(); ++i) there.insert(rows[i]);
  u64 next = 0;
  script_columns columns = drawn->columns();
  columns.keys.visit([&]<class Key>(std::vector<Key>& keys) {
    for (u64 i = 0; i < keys.size(); ++i) {
      if (columns.verbs[i] != operation::insert) continue;
      while (!there.insert(next).second) ++next;
      keys[i] = static_cast<Key>(next);
    }
  });
  std::vector<script_batch> mixed;
  for (const script_batch& b : drawn->batches())
    if (b.mixed) mixed.push_back(b);
  return script(std::move(columns), mixed);
}

}  // namespace

bool same_script(const workload& a, const workload& b) {
  if (!(a.own_script == b.own_script) || !(a.recipe == b.recipe)) return false;
  return a.recipe == script_recipe{} || (a.seed == b.seed && a.hits == b.hits);
}

workload without_script(workload load) {
  load.recipe = {};
  load.own_script = {};
  return load;
}

workload script_of(workload load) {
  load.own_batch = {};
  set_batch_size(load, operation::find, 0);
  return load;
}

outcome<workload> with_script(const workload& load, const script& s, const std::filesystem::path& folder) {
  workload named = without_script(load);
  if (s.items() == 0) return named;
  if (s.items() <= max_listed) {
    named.own_script.list = to_list(s);
    return named;
  }
  if (folder.empty())
    return problem{fmt::format(
        "A script of more than {} operations is kept in a file, and there is no folder for it: neither HOME nor "
        "XDG_CONFIG_HOME is set.",
        max_listed)};
  outcome<std::filesystem::path> kept = keep_script(folder, s);
  if (!kept) return kept.error();
  named.own_script.file = kept->string();
  return named;
}

std::optional<workload> with_recipe(const workload& load, const viz::update_draw& what) {
  const u64 writes = what.inserts + what.erases;
  workload named = without_script(load);
  named.recipe = {.inserts = what.inserts, .erases = what.erases};
  if (what.mixed && writes != 0)
    named.recipe.mix = static_cast<double>(writes) / static_cast<double>(writes + what.finds);
  if (writes == 0 || load.seed != what.seed || finds_among(named.recipe) != what.finds) return std::nullopt;
  return named;
}

outcome<script> draw_updates(const key_array& rows, const workload& load, const viz::update_draw& what,
                             const job_control& control) {
  if (load.dist == distribution::paper && !load.own_keys.given()) return after_the_papers(rows, load, what, control);
  return drawn_by(rows, load, what, control);
}

}  // namespace pivotscope
