// NVRTC without a device: a wide sample of configs compiles to machine code for two architectures, without a warning,
// and no kernel spills registers or keeps a stack beyond a budget.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>

#include "core/common/plain_words.hpp"
#include "core/common/source_text.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/cuda/compile/compiler.hpp"
#include "core/machine/cuda/compile/program.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/part.hpp"

namespace pivotscope {
namespace {

// The assembler's report on the kernels of a program: the greatest of each.
struct assembler_report {
  u32 kernels = 0;    // that it told of; 0 for PTX, which is assembled by the driver
  u32 registers = 0;  // a thread
  u32 stack_bytes = 0, spill_bytes = 0;
};
assembler_report read_assembler_report(const std::string& log);

// The number that ends just before `words`, each time they occur; the greatest of them.
struct numbers_before {
  u32 count = 0, greatest = 0;
};
numbers_before find_numbers(const std::string& text, std::string_view words) {
  numbers_before found;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + words.size())) {
    std::size_t begin = at;
    while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
    u32 number = 0;
    if (std::from_chars(text.data() + begin, text.data() + at, number).ec != std::errc()) continue;
    ++found.count;
    found.greatest = std::max(found.greatest, number);
  }
  return found;
}

// "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads", then "Used 32 registers", for every kernel.
assembler_report read_assembler_report(const std::string& log) {
  const numbers_before registers = find_numbers(log, " registers");
  return {
      registers.count, registers.greatest, find_numbers(log, " bytes stack frame").greatest,
      std::max(find_numbers(log, " bytes spill stores").greatest, find_numbers(log, " bytes spill loads").greatest)};
}

// Bytes a thread that a kernel may keep in memory of its own. A search needs none; one that starts to is a mistake.
// With block sort, or where its greatest kernel came to 32 registers, to 48 or to 64, one more of which would let fewer blocks run at a time, the
// assembler trades a few, which pays (docs/cuda.md).
u32 memory_budget(const ordered_config& config, u32 registers) {
  const bool at_a_step = registers == 32 || registers == 48 || registers >= 64;
  return config.launch.reorder == reorder_kind::none && config.launch.threads < 1024 && !at_a_step ? 0 : 64;
}

constexpr u32 fanouts[] = {2, 3, 5, 9, 17, 33};
constexpr u32 lanes_wanted[] = {1, 2, 4, 5, 8, 11, 16, 32};

ordered_config largest_block(order_kind order) {
  ordered_config config;
  config.order = order, config.launch.threads = 1024, config.launch.per_thread = 16;
  return config;
}

// Every order, K and lanes of the tables above that check() accepts, each with two of the four pairs of width and
// layout, so that all pairs meet all K; block shapes go round as well.
std::vector<ordered_config> sample() {
  std::vector<ordered_config> configs;
  std::size_t turn = 0;
  const auto add = [&](const ordered_config& base) {
    if (check(base)) return;
    for (const std::size_t pair : {turn % 4, (turn + 2) % 4}) {
      ordered_config config = base;
      config.keys = pair % 2 == 0 ? key_width::u32 : key_width::u64;
      config.layout = (pair / 2 + turn) % 2 == 0 ? entry_layout::aos : entry_layout::soa;
      constexpr u32 threads[] = {256, 128, 1024, 64, 512};
      constexpr u32 per_thread[] = {1, 2, 1, 4, 1, 1, 1};
      config.launch.threads = threads[turn % 5];
      config.launch.per_thread = per_thread[turn % 7];
      config.pin = static_cast<pin_kind>(turn % 3);
      config.launch.schedule = static_cast<schedule_kind>(turn % 2);
      config.scan = static_cast<scan_kind>(turn / 2 % 2);
      if (turn % 4 == 3) config.pivots = 3;
      if (check(config)) config.pivots = 0;
      if (!check(config)) configs.push_back(config);
      ++turn;
    }
  };
#define PIVOTSCOPE_ADD(name)                                                         \
  for (const u32 fanout : fanouts) {                                                 \
    for (const u32 lanes : lanes_wanted) {                                           \
      ordered_config config;                                                         \
      config.order = order_kind::name, config.fanout = fanout, config.lanes = lanes; \
      if (lanes <= fanout - 1) add(config);                                          \
    }                                                                                \
  }                                                                                  \
  configs.push_back(largest_block(order_kind::name));
  PIVOTSCOPE_EACH_ORDER(PIVOTSCOPE_ADD)
#undef PIVOTSCOPE_ADD
  // With CUB's block sort, which takes longer.
  for (const char* line :
       {"AO+BS reorder=double threads=128 per_thread=16", "EO+BS reorder=lookup per_thread=4 keys=u64",
        "AO+PB+BS reorder=double pivots=20 pin=steps threads=512 per_thread=2",
        "AO+PB+BS reorder=double threads=1024 per_thread=4",
        "AO+PB+KS fanout=9 reorder=double threads=512 per_thread=8",
        "EO+KS lanes=4 reorder=double pin=full schedule=static per_thread=8 threads=128"}) {
    configs.push_back(ordered_config::of(*config_from_line(line)));
  }
  return configs;
}

// Why this program is not fine; empty when it is.
std::string judge(const kernel_compiler& compiler, const kernel_program& program, const ordered_config* config,
                  u32& registers) {
  const auto made = compiler.get(program);
  if (!made) return made.error().words;
  if (made->code.empty()) return "no code";
  if (made->log.find("warning") != std::string::npos) return made->log;
  const assembler_report report = read_assembler_report(made->log);
  registers = report.registers;
  if (report.kernels != program.kernels.size()) return "the assembler did not tell of every kernel:\n" + made->log;
  const u32 budget = config ? memory_budget(*config, registers) : 0;
  if (report.stack_bytes > budget || report.spill_bytes > budget) return made->log;
  return {};
}

kernel_program successor_program(const index_config& config) { return next_key_program(config, operation::successor); }
kernel_program lower_bound_program(const index_config& config) {
  return next_key_program(config, operation::lower_bound);
}
kernel_program build_from_groups(const index_config& config) {
  return group_build_program(config, family_of(config).on_device().passes.front());
}

// Of an order those that do not sort lookups; of none those that do.
std::vector<ordered_config> sample_of(std::optional<order_kind> order) {
  std::vector<ordered_config> configs = sample();
  std::erase_if(configs, [&](const ordered_config& c) {
    const bool sorts = c.launch.reorder != reorder_kind::none;
    return order ? sorts || c.order != *order : !sorts;
  });
  return configs;
}
std::vector<std::optional<order_kind>> sampled_parts() {
  return {order_kind::ascending, order_kind::eytzinger, order_kind::pivot_buffer, std::nullopt};
}

// A program takes NVRTC a third of a second: by day lookups and builds are compiled for one of the architectures, so that of each base
// config's two one is for either, and at night for both ($PIVOTSCOPE_JIT_ALL).
class JitSample : public ::testing::TestWithParam<std::optional<order_kind>> {};

TEST_P(JitSample, CompilesForTwoArchitecturesWithinTheSpillBudget) {
  const auto& library = find_nvrtc();
  ASSERT_TRUE(library) << library.error().words;
  const bool all = std::getenv("PIVOTSCOPE_JIT_ALL") != nullptr;
  const std::vector<ordered_config> configs = sample_of(GetParam());

  struct task {
    const ordered_config* config;
    const char* what;
    kernel_program (*program)(const index_config&);
    const kernel_compiler* compiler;
  };
  const kernel_compiler compilers[] = {{*library, {80, true}, std::nullopt}, {*library, {90, true}, std::nullopt}};
  std::vector<task> tasks;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (!testing::part().has(i)) continue;
    const ordered_config& config = configs[i];
    for (const kernel_compiler& compiler : compilers) {
      if (all || &compiler == &compilers[(i + i / 2) % 2]) {
        tasks.push_back({&config, "lookup", lookup_program, &compiler});
        // The build does not depend on lanes: one number of them stands for all.
        if (config.lanes == config.fanout - 1) {
          tasks.push_back({&config, "build", build_program, &compiler});
          tasks.push_back({&config, "build from groups", build_from_groups, &compiler});
        }
      }
      // Twice the kernels: for one of the architectures.
      if (compiler.target().capability == 90 && (config.lanes == 1 || config.lanes == config.fanout - 1)) {
        tasks.push_back({&config, "ranges", range_program, &compiler});
        tasks.push_back({&config, "successors", successor_program, &compiler});
        tasks.push_back({&config, "lower bounds", lower_bound_program, &compiler});
      }
    }
  }
  std::atomic<std::size_t> next{0}, compiled{0};
  std::atomic<u32> most_registers{0};
  const auto work = [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < tasks.size();) {
      const task& t = tasks[i];
      u32 registers = 0;
      const bool builds = t.program == build_program || t.program == build_from_groups;
      const std::string failure = judge(*t.compiler, t.program(*t.config), builds ? nullptr : t.config, registers);
      EXPECT_EQ(failure, "") << t.what << ", sm_" << t.compiler->target().capability << ", " << to_line(*t.config);
      if (failure.empty()) compiled.fetch_add(1);
      u32 seen = most_registers.load();
      while (registers > seen && !most_registers.compare_exchange_weak(seen, registers)) {
      }
    }
  };
  {
    const std::jthread other(work);
    work();
  }
  RecordProperty("configs", static_cast<int>(configs.size()));
  RecordProperty("programs", static_cast<int>(compiled.load()));
  RecordProperty("most_registers", static_cast<int>(most_registers.load()));
  std::printf("%zu configs, %zu programs, at most %u registers\n", configs.size(), compiled.load(),
              most_registers.load());
  EXPECT_EQ(compiled.load(), tasks.size());
}

std::string name_of_sampled(const ::testing::TestParamInfo<std::optional<order_kind>>& of) {
  constexpr const char* names[] = {"Ascending", "Eytzinger", "PivotBuffer", "Sorting"};
  return names[of.index];
}
INSTANTIATE_TEST_SUITE_P(Orders, JitSample, ::testing::ValuesIn(sampled_parts()), name_of_sampled);

TEST(Jit, SamplesEveryOrder) {
  std::size_t configs = 0;
  for (const auto& part : sampled_parts()) {
    EXPECT_GE(sample_of(part).size(), part ? 30u : 5u);
    configs += sample_of(part).size();
  }
  EXPECT_EQ(configs, sample().size());
  EXPECT_GE(configs, 100u);
}

TEST(Jit, EmbedsEveryOrderAndNothingTwice) {
  const auto headers = embedded_headers();
  const auto holds = [&](std::string_view name) {
    return std::count_if(headers.begin(), headers.end(), [&](const embedded_file& f) { return f.name == name; });
  };
  EXPECT_EQ(holds("core/machine/cuda/kernels.hpp"), 1);
#define PIVOTSCOPE_HOLDS(name) EXPECT_EQ(holds("core/families/ordered/" #name "/" #name ".hpp"), 1);
  PIVOTSCOPE_EACH_ORDER(PIVOTSCOPE_HOLDS)
#undef PIVOTSCOPE_HOLDS
  for (const embedded_file& file : headers) {
    EXPECT_NE(file.text.find("#pragma once"), std::string_view::npos) << file.name;
    EXPECT_EQ(file.text.back(), '\n') << file.name;
    EXPECT_EQ(file.text.data()[file.text.size()], '\0') << file.name;
  }
}

TEST(Jit, TellsWhatDoesNotCompile) {
  const auto& library = find_nvrtc();
  ASSERT_TRUE(library) << library.error().words;
  kernel_program program = lookup_program(default_config());
  program.source += "this is no C++;\n";
  const auto output = kernel_compiler(*library, {80, true}, std::nullopt).get(program);
  ASSERT_FALSE(output);
  EXPECT_NE(output.error().words.find("NVRTC"), std::string::npos) << output.error().words;
  EXPECT_NE(output.error().words.find("the lookup kernel of EO+BS"), std::string::npos) << output.error().words;
  EXPECT_NE(output.error().words.find("error:"), std::string::npos) << output.error().words;
  const std::string shown = plain_lines(output.error().words);
  EXPECT_EQ(shown, output.error().words) << "every line of the log as the compiler wrote it";
  EXPECT_GE(std::count(shown.begin(), shown.end(), '\n'), 3) << shown;
}

TEST(Jit, ReadsTheAssemblersReport) {
  const assembler_report report = read_assembler_report(
      "ptxas info    : Compiling entry function 'a' for 'sm_90'\n"
      "ptxas         .     16 bytes stack frame, 24 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 32 registers, used 0 barriers, 16 bytes cumulative stack size\n"
      "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 28 bytes spill loads\n"
      "ptxas info    : Used 8 registers\n");
  EXPECT_EQ(report.kernels, 2u);
  EXPECT_EQ(report.registers, 32u);
  EXPECT_EQ(report.stack_bytes, 16u);
  EXPECT_EQ(report.spill_bytes, 28u);
  EXPECT_EQ(read_assembler_report("").kernels, 0u);
}

TEST(Jit, MakesPtxForADeviceThatIsNewerThanIt) {
  const auto& library = find_nvrtc();
  ASSERT_TRUE(library) << library.error().words;
  const u32 newest = (*library)->architectures().back(), oldest = (*library)->architectures().front();
  EXPECT_EQ(*(*library)->target_for(90), (compile_target{90, true}));
  EXPECT_EQ(*(*library)->target_for(newest + 10), (compile_target{newest, false}));
  const auto too_old = (*library)->target_for(oldest - 1);
  ASSERT_FALSE(too_old);
  EXPECT_NE(too_old.error().words.find("PIVOTSCOPE_CUDA"), std::string::npos) << too_old.error().words;

  const auto output = kernel_compiler(*library, *(*library)->target_for(newest + 10), std::nullopt)
                          .get(lookup_program(default_config()));
  ASSERT_TRUE(output) << output.error().words;
  EXPECT_NE(output->code.find(".entry lookup"), std::string::npos);
}

}  // namespace
}  // namespace pivotscope
