#include "viz/kernel_facts.hpp"

#include <gtest/gtest.h>

#include "core/config/scratch_bytes.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

using testing::build_on_cpu;
using testing::config_of;
using testing::paper_keys_in_order;

session_view with(const char* line, machine_kind kind) {
  session_view session;
  session.choice.config = config_of(line);
  session.choice.machine = kind;
  session.index = build_on_cpu(session.choice.config, paper_keys_in_order());
  return session;
}

std::string value(const session_view& session, const char* axis, const char* name) {
  for (const knob_fact& fact : facts_beside(axis, session))
    if (fact.name == name) return fact.value;
  return "";
}

TEST(KernelFacts, StandBesideTheKnobsThatCauseThem) {
  session_view session = with("EO+BS pin=full threads=512", machine_kind::cuda);
  kernel_info kernel;
  kernel.registers = 40;
  kernel.shared_bytes = 32 * 1024;
  kernel.local_bytes = 16;
  kernel.blocks_per_sm = 3;
  kernel.occupancy = 0.75;
  kernel.compile_ms = 310;
  kernel.origin = kernel_info::source::compiled;
  session.lookup_kernel = std::make_shared<const kernel_info>(kernel);
  EXPECT_EQ(value(session, "threads", "blocks a multiprocessor"), "3");
  EXPECT_EQ(value(session, "threads", "occupancy"), "75%");
  EXPECT_EQ(value(session, "per_thread", "registers a thread"), "40");
  EXPECT_EQ(value(session, "per_thread", "spills and stack"), "16 B");
  EXPECT_EQ(value(session, "scratch", "scratch a block"), "32 KiB");
  EXPECT_EQ(kernel_remark(session), "Kernel compiled now, 310 ms.");

  // Another config is chosen, and its kernel is not there yet: the old figures are not its own.
  session.choice.config.threads = 256;
  EXPECT_EQ(value(session, "per_thread", "registers a thread"), "");
  EXPECT_EQ(kernel_remark(session), "The kernel of this config is not compiled yet.");
}

TEST(KernelFacts, OnTheCpuThereIsNoKernelButTheConfigStillAsksForScratch) {
  const session_view session = with("EO+BS pin=steps scratch=8KiB reorder=double", machine_kind::cpu);
  EXPECT_EQ(kernel_remark(session), "CPU: no kernel, lanes are loops.");
  EXPECT_TRUE(facts_beside("threads", session).empty());
  const scratch_bytes asked = block_scratch(session.choice.config);
  EXPECT_EQ(asked.pinned, 8192u);
  EXPECT_EQ(asked.sorting, 256u * 36 + 1024);
  EXPECT_EQ(asked.answers, 256u * 4);
  const auto facts = facts_beside("scratch", session);
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_TRUE(facts[0].computed);
  EXPECT_EQ(facts[0].value, "19 KiB");
  EXPECT_EQ(value(session, "reorder", "of it for sorting"), "11 KiB");
}

}  // namespace
}  // namespace pivotscope::viz
