#include "viz/models/kernel_facts.hpp"

#include <gtest/gtest.h>

#include "core/index/scratch_bytes.hpp"
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
  session.choice.config.launch.threads = 256;
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

// Every fact as "name: value | meaning", computed ones in brackets.
std::vector<std::string> told(const session_view& session, const char* axis) {
  std::vector<std::string> lines;
  for (const knob_fact& fact : facts_beside(axis, session)) {
    const std::string line = fact.name + ": " + fact.value + " | " + fact.meaning;
    lines.push_back(fact.computed ? "(" + line + ")" : line);
  }
  return lines;
}

TEST(KernelFacts, SayWhatScratchIsFor) {
  using lines = std::vector<std::string>;
  const auto on_cpu = [](const char* line, const char* axis) { return told(with(line, machine_kind::cpu), axis); };
  EXPECT_EQ(on_cpu("EO+BS", "scratch"), lines{"(scratch a block: 0 B | Nothing in this config needs any.)"});
  EXPECT_EQ(on_cpu("EO+BS", "reorder"), lines{}) << "nothing is reordered";
  EXPECT_EQ(on_cpu("EO+BS pin=full scratch=4KiB", "scratch"),
            lines{"(scratch a block: 4 KiB | 4 KiB for pinned keys.)"});
  const std::string both = "4 KiB for pinned keys, 10 KiB for sorting a tile, 1 KiB for answers on their way home.";
  EXPECT_EQ(on_cpu("EO+BS pin=full scratch=4KiB reorder=double", "scratch"),
            lines{"(scratch a block: 15 KiB | " + both + ")"});
  EXPECT_EQ(on_cpu("EO+BS pin=full scratch=4KiB reorder=double", "reorder"),
            lines{"(of it for sorting: 11 KiB | " + both + ")"});
  EXPECT_EQ(on_cpu("EO+BS reorder=lookup", "reorder"),
            lines{"(of it for sorting: 10 KiB | 10 KiB for sorting a tile.)"});
  EXPECT_EQ(on_cpu("EO+BS threads=128 per_thread=3", "per_thread"),
            lines{"(lookups a tile: 384 | 128 threads, each with 3.)"});
  EXPECT_EQ(on_cpu("EO+BS", "method"), lines{});
}

TEST(KernelFacts, AreTheKernelsWhereThereIsOne) {
  session_view session = with("EO+BS pin=full scratch=4KiB", machine_kind::cuda);
  kernel_info kernel;
  kernel.registers = 1;
  kernel.shared_bytes = 5000;
  kernel.origin = kernel_info::source::disk_cache;
  session.lookup_kernel = std::make_shared<const kernel_info>(kernel);
  EXPECT_EQ(told(session, "scratch"),
            std::vector<std::string>{"scratch a block: 4.88 KiB | 4 KiB for pinned keys. What a block takes, others on "
                                     "the multiprocessor cannot have."});
  ASSERT_EQ(told(session, "per_thread").size(), 3u);
  EXPECT_EQ(told(session, "per_thread")[0].front(), '(');
  EXPECT_EQ(told(session, "per_thread")[1].front(), 'r');
  EXPECT_EQ(told(session, "threads").size(), 2u);
  EXPECT_EQ(kernel_remark(session), "Kernel from the disk cache.");

  // A driver that told nothing: no figure is better than noughts.
  kernel.registers = 0;
  session.lookup_kernel = std::make_shared<const kernel_info>(kernel);
  EXPECT_TRUE(told(session, "threads").empty());
  EXPECT_EQ(kernel_remark(session), "The kernel of this config is not compiled yet.");
  session.index = nullptr;
  EXPECT_TRUE(told(session, "threads").empty());
}

TEST(KernelFacts, SayWhereAKernelCameFrom) {
  EXPECT_STREQ(origin_words(kernel_info::source::none), "not compiled");
  EXPECT_STREQ(origin_words(kernel_info::source::compiled), "compiled now");
  EXPECT_STREQ(origin_words(kernel_info::source::disk_cache), "from the disk cache");
  EXPECT_STREQ(origin_words(kernel_info::source::memory_cache), "from memory");
}

}  // namespace
}  // namespace pivotscope::viz
