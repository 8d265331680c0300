// The configs of a sweep compile for the GPU that they are meant for: what a session with one begins with. Needs no device.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "core/index/config_text.hpp"
#include "core/index/operations.hpp"
#include "core/machine/cuda/compile/compiler.hpp"
#include "core/machine/cuda/compile/program.hpp"
#include "core/sweep/sweep.hpp"
#include "core/tuning/adviser.hpp"

namespace pivotscope {
namespace {

// A program takes NVRTC a third of a second and more: by day every fifth is compiled, which is lookups and builds in turn, and
// at night each ($PIVOTSCOPE_JIT_ALL).
TEST(jit_sweeps, configs_of_every_sweep_compile) {
  const std::size_t every = std::getenv("PIVOTSCOPE_JIT_ALL") != nullptr ? 1 : 5;
  const auto& found = find_nvrtc();
  ASSERT_TRUE(found) << found.error().words;
  const kernel_compiler compiler(*found, compile_target{90, true}, std::nullopt);
  machine_info h200;
  h200.kind = machine_kind::cuda, h200.l2_bytes = 60ull << 20, h200.compute_capability = 90;
  std::set<std::string> met;
  std::size_t compiled = 0;
  const auto compile = [&](const kernel_program& program, const std::string& line) {
    if (!met.insert(program.source).second || met.size() % every != 0) return;
    ++compiled;
    const auto made = compiler.get(program);
    EXPECT_TRUE(made) << line << ": " << made.error().words;
  };
  // Of the papers' figures, whose configs are those of the same few methods with blocks and optimisations that all go
  // together, every eighth row; of what has wants of its own, all.
  constexpr std::size_t sample = 8;
  for (const sweep& one : sweeps()) {
    if (!one.rows_of.empty()) continue;
    for (std::size_t i = 0; i < one.rows.size(); i += one.plot ? sample : 1) {
      const sweep_row& row = one.rows[i];
      if (row.on) continue;
      std::vector<index_config> configs;
      for (const std::string& line : row.configs) configs.push_back(*config_from_line(line));
      if (row.advised) configs.push_back(advise(facts_of(row.load, row.width), h200).best());
      for (index_config config : configs) {
        config.keys = row.width;
        const std::string line = to_line(config);
        const bool sums = answer_of(served_as(config, operation_of(row.load))) == answer_kind::sum;
        compile(sums ? range_program(config) : lookup_program(config), line);
        compile(build_program(config), line);
      }
    }
  }
  EXPECT_GT(met.size(), 100u);
  EXPECT_EQ(compiled, met.size() / every);
}

}  // namespace
}  // namespace pivotscope
