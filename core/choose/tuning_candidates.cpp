// What is worth measuring: what each family proposes, and beside a good config a few blocks and reorderings.
#include "core/choose/tuning_candidates.hpp"

#include <algorithm>

#include "core/index/check.hpp"
#include "core/index/family.hpp"

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

}  // namespace

std::vector<index_config> tuning_candidates(const candidate_question& question) {
  std::vector<index_config> proposed;
  for (const family* f : families()) {
    if (f->serves(question.asked) && question.keys <= f->sensible_keys(f->standard()))
      f->add_candidates(question, proposed);
  }
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
