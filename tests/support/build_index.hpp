// A small index on the cpu machine, in one call.
#pragma once

#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope::testing {

inline index_config config_of(std::string_view line) {
  auto config = config_from_line(line);
  EXPECT_TRUE(config) << (config ? "" : config.error().words);
  return config ? *config : default_config();
}

inline std::shared_ptr<const built_index> build_on_cpu(const index_config& config, const key_array& keys) {
  auto cpu = open_machine(machine_kind::cpu);
  auto resident = (*cpu)->load(keys, job_control{});
  if (!resident) return nullptr;
  auto index = (*cpu)->build(config, *resident, job_control{});
  return index ? *index : nullptr;
}

// The papers' 14 keys with ascending row ids, so that a row id is a rank.
inline key_array paper_keys_in_order() {
  return key_array(std::vector<u32>{1, 3, 4, 6, 7, 7, 9, 10, 11, 12, 13, 14, 16, 17});
}

}  // namespace pivotscope::testing
