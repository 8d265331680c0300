// Any accepted config, any key set, any batch: the reference's answers, on the cpu and the trace machine alike.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/reference/reference.hpp"
#include "tests/support/any_keys.hpp"
#include "tests/support/traced_rows.hpp"
#include "tests/support/whole_space.hpp"

namespace pivotscope {
namespace {

template <class Key>
void expect_reference_answers(const index_config& c) {
  const auto keys = *testing::any_keys<Key>();
  auto lookups = *testing::any_keys<Key>();
  for (std::size_t i = 0; i < keys.size(); i += 1 + keys.size() / 64) {
    lookups.push_back(keys[i]);
    lookups.push_back(static_cast<Key>(keys[i] + 1));
  }
  auto cpu = open_machine(machine_kind::cpu);
  const auto resident = (*cpu)->load(key_array(keys), job_control{});
  RC_ASSERT(resident.ok());
  const auto index = (*cpu)->build(c, *resident, job_control{});
  RC_ASSERT(index.ok());
  const auto result = (*cpu)->run(**index, {operation::find, key_array(lookups)}, {}, job_control{});
  RC_ASSERT(result.ok());
  const reference truth{key_array(keys)};
  const auto traced = testing::traced_rows(**index, lookups);
  RC_ASSERT(traced.ok());
  for (std::size_t i = 0; i < lookups.size(); ++i) {
    const u32 row = result->answers.found[i];
    if (truth.accepts(lookups[i], row) && (*traced)[i] == row) continue;
    RC_FAIL(fmt::format("pivotscope trace --config \"{}\" --lookup {} (n = {}) answered {}, traced {}", to_line(c),
                        lookups[i], keys.size(), row, (*traced)[i]));
  }
  // One of them as people are told of it.
  if (lookups.empty()) return;
  const std::size_t told = *rc::gen::inRange<std::size_t>(0, lookups.size());
  const auto trace = trace_lookup(**index, lookups[told]);
  RC_ASSERT(trace.ok());
  RC_ASSERT(trace->row == result->answers.found[told]);
}

class LookupProperty : public ::testing::TestWithParam<int> {};

TEST_P(LookupProperty, AnyConfigAnyKeysAnyBatch) {
  testing::check_any_config(GetParam(),
                            []<class Key>(const index_config& c, Key) { expect_reference_answers<Key>(c); });
}
INSTANTIATE_TEST_SUITE_P(Share, LookupProperty, ::testing::Range(0, testing::whole_space_shares));

}  // namespace
}  // namespace pivotscope
