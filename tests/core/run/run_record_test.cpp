// A record's figures.
#include "core/run/run_record.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/run/json_parts.hpp"

namespace pivotscope {
namespace {

TEST(run_record, its_figures_are_by_the_median) {
  run_record record{.operations = 3000};
  EXPECT_EQ(record.operations_per_second(), 0);
  EXPECT_EQ(record.build_ms(), 0);
  record.time.samples_ms = {1, 2, 90};
  EXPECT_DOUBLE_EQ(record.operations_per_second(), 1.5e6);
  record.time.samples_ms = {0, 0, 0};
  EXPECT_EQ(record.operations_per_second(), 0);
  record.builds = {{"build entries", {1, 3, 50}}, {"not timed", {}}, {"empty pivots", {0.25}}};
  EXPECT_DOUBLE_EQ(record.build_ms(), 3.25);
}

// What a file says of a machine is what was written, but for counts too large for where they go.
TEST(machine_json, is_read_as_it_was_written) {
  for (const machine_kind kind : {machine_kind::cpu, machine_kind::cuda}) {
    for (const u32 small : {0u, 1u, 132u, ~0u}) {
      const machine_info info{.kind = kind,
                              .name = "a chip",
                              .detail = "compiler 1",
                              .driver = kind == machine_kind::cpu ? "" : "580.1",
                              .processors = small,
                              .memory_bytes = u64{small} << 20,
                              .l2_bytes = u64{small} << 10,
                              .compute_capability = small / 3};
      const nlohmann::json json = machine_json(info);
      const outcome<machine_info> read = machine_from_json(json);
      ASSERT_TRUE(read) << read.error().words;
      EXPECT_EQ(machine_json(*read), json);
      EXPECT_EQ(read->processors, small);
      EXPECT_EQ(read->compute_capability, small / 3);
      nlohmann::json large = json;
      large["processors"] = (u64{1} << 32) + 5;
      EXPECT_EQ(machine_from_json(large)->processors, ~0u);
    }
  }
}

}  // namespace
}  // namespace pivotscope
