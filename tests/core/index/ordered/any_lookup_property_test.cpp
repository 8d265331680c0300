// Any accepted config, any key set, any batch: the reference's answers, on the cpu and the trace machine alike.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/reference/reference.hpp"
#include "core/trace/trace.hpp"
#include "tests/support/any_keys.hpp"
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
  for (std::size_t i = 0; i < lookups.size(); ++i) {
    RC_LOG() << "pivotscope trace --config \"" << to_line(c) << "\" --lookup " << lookups[i] << " (n = " << keys.size()
             << ")\n";
    RC_ASSERT(truth.accepts(lookups[i], result->answers.found[i]));
    const auto trace = trace_lookup(**index, lookups[i]);
    RC_ASSERT(trace.ok());
    RC_ASSERT(trace->row == result->answers.found[i]);
  }
}

class LookupProperty : public ::testing::TestWithParam<int> {};

TEST_P(LookupProperty, AnyConfigAnyKeysAnyBatch) {
  testing::check_any_config(GetParam(),
                            []<class Key>(const index_config& c, Key) { expect_reference_answers<Key>(c); });
}
INSTANTIATE_TEST_SUITE_P(Share, LookupProperty, ::testing::Range(0, testing::whole_space_shares));

}  // namespace
}  // namespace pivotscope
