// What is worth measuring: what each family proposes, what a name alone stands for, what is known to be faster than the papers'
// methods, and beside a good config a few blocks and reorderings.
#include "core/tuning/tuning_candidates.hpp"

#include <algorithm>

#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "core/index/family.hpp"
#include "core/tuning/known_faster.hpp"

namespace pivotscope {
namespace {

// Accepted ones, each once.
std::vector<index_config> accepted(const std::vector<index_config>& proposed) {
  std::vector<index_config> list;
  for (const index_config& config : proposed) {
    if (check(config)) continue;
    if (std::find(list.begin(), list.end(), config) == list.end()) list.push_back(config);
  }
  return list;
}

// What a family's name alone stands for here, where that is more than its standard config. Of a family that proposes nothing, none: it
// does not have what is required.
void add_named(const family& f, const candidate_question& question, std::vector<index_config>& list) {
  index_config named = f.named({.machine = question.machine,
                                .keys = question.keys,
                                .width = question.width,
                                .cache_bytes = question.cache_bytes,
                                .large_scratch = question.large_scratch});
  named.keys = question.width;
  index_config standard = f.standard();
  standard.keys = question.width;
  if (named != standard) list.push_back(named);
}

// Of the methods that are among those proposed.
void add_known(const candidate_question& question, std::vector<index_config>& list) {
  if (question.machine != machine_kind::cuda || question.asked != operation::find) return;
  for (const index_config& known : known_configs(question.keys, question.width)) {
    const auto is_its_method = [&](const index_config& c) { return method_name(c) == method_name(known); };
    if (std::any_of(list.begin(), list.end(), is_its_method)) list.push_back(known);
  }
}

}  // namespace

std::vector<index_config> tuning_candidates(const candidate_question& question) {
  std::vector<index_config> proposed;
  for (const family* f : families()) {
    if (!f->serves(question.asked) || question.keys > f->sensible_keys(f->standard())) continue;
    const std::size_t others = proposed.size();
    f->add_candidates(question, proposed);
    if (proposed.size() != others) add_named(*f, question, proposed);
  }
  add_known(question, proposed);
  return accepted(proposed);
}

std::vector<index_config> configs_near(const index_config& config, machine_kind kind) {
  std::vector<index_config> proposed;
  const auto add = [&](auto&& change) { change(proposed.emplace_back(config).launch); };
  add([](launch_config& c) { c = launch_for_reordering(c); });
  if (kind == machine_kind::cuda) {
    for (const u32 threads : {128u, 512u, 1024u}) add([&](launch_config& c) { c.threads = threads; });
    for (const u32 per_thread : {2u, 4u}) add([&](launch_config& c) { c.per_thread = per_thread; });
  }
  family_of(config).add_near(config, kind, proposed);
  return accepted(proposed);
}

}  // namespace pivotscope
