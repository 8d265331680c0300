// Any scenario, with any place in it, is a line that gives it back.
#include "app/files/scenario_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>

#include "core/workload/own_numbers.hpp"
#include "tests/support/any_config.hpp"

namespace pivotscope {
namespace {

workload any_workload(u64 greatest) {
  workload w;
  w.dist = distribution::uniform;
  w.seed = *rc::gen::arbitrary<u64>();
  if (*rc::gen::arbitrary<bool>()) {
    auto keys = *rc::gen::nonEmpty(rc::gen::container<std::vector<u64>>(rc::gen::arbitrary<u64>()));
    if (keys.size() > max_listed) keys.resize(max_listed);
    for (u64& key : keys) key &= greatest;
    return with_keys(w, {.list = std::move(keys)});
  }
  w.keys = *rc::gen::inRange<u64>(0, 1 << 20);
  w.lookups = *rc::gen::inRange<u64>(0, 1 << 20);
  return w;
}

view_position any_place() {
  view_position at;
  at.panel = *rc::gen::elementOf(std::vector<std::string>{"", "", "layout", "tree", "source"});
  if (*rc::gen::arbitrary<bool>()) {
    const u64 first = *rc::gen::inRange<u64>(0, 1ull << 40);
    at.cells = shown_cells{first, first + *rc::gen::inRange<u64>(1, 1ull << 40)};
  }
  if (*rc::gen::arbitrary<bool>()) {
    if (*rc::gen::arbitrary<bool>()) at.step = *rc::gen::inRange<u32>(1, greatest_step);
    return at;
  }
  at.build =
      build_slot{*rc::gen::elementOf(std::vector<std::string>{"", "entries", "pivots"}), *rc::gen::arbitrary<u64>()};
  return at;
}

RC_GTEST_PROP(ScenarioText, ALineGivesTheScenarioBackWithItsPlace, ()) {
  const index_config config = *testing::any_config();
  const u64 greatest = config.keys == key_width::u32 ? 0xFFFFFFFFu : ~0ull;
  const workload load = any_workload(greatest);
  std::optional<question> key;
  if (*rc::gen::arbitrary<bool>()) key = *rc::gen::arbitrary<u64>() & greatest;
  if (key && *rc::gen::arbitrary<bool>()) {
    const u64 other = *rc::gen::arbitrary<u64>() & greatest;  // a range's ends are in order, else it is refused
    key = question(operation::range, std::min(key->key, other), std::max(key->key, other));
  }
  const view_position at = any_place();
  const std::string line = to_line(config, load, key, at);
  const outcome<scenario_text> back = scenario_from_line(line);
  RC_ASSERT(back.ok());
  RC_ASSERT(back->config == config);
  RC_ASSERT(back->load == load);
  RC_ASSERT(back->key == key);
  RC_ASSERT(back->at == at);
  RC_ASSERT(to_line(*back->config, *back->load, back->key, back->at) == line);
}

}  // namespace
}  // namespace pivotscope
