// Writes what NVRTC makes of configs, as PTX, into files of a folder: lookups, ranges, next keys, builds, updates. Needs no
// device. Two commits whose files are the same run the same on a GPU (docs/measurements.md).
//
//   kernel_code FOLDER "config" ...     without configs: every family's standard, and the presets
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/cuda/compile/compiler.hpp"
#include "core/machine/cuda/compile/program.hpp"
#include "tests/benchmarks/benchmark_support.hpp"

namespace {

using namespace pivotscope;

std::vector<std::pair<std::string, kernel_program>> programs_of(const index_config& config) {
  const family& f = family_of(config);
  std::vector<std::pair<std::string, kernel_program>> list = {{"lookup", lookup_program(config)},
                                                              {"build", build_program(config)}};
  if (f.serves(operation::range)) list.emplace_back("range", range_program(config));
  if (f.serves(operation::successor)) list.emplace_back("successor", next_key_program(config, operation::successor));
  if (f.serves(operation::lower_bound)) list.emplace_back("lower", next_key_program(config, operation::lower_bound));
  if (f.changes()) list.emplace_back("update", update_program(config));
  return list;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return fmt::print(stderr, "kernel_code FOLDER \"config\" ...\n"), 2;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  std::vector<std::string> lines(argv + 2, argv + argc);
  if (lines.empty()) {
    for (const family* f : families()) {
      for (const method& m : f->methods()) lines.push_back(m.name);
      for (const preset& p : f->presets()) lines.emplace_back(p.line);
    }
  }
  const kernel_compiler compiler(expect(find_nvrtc()), {90, false}, std::nullopt);
  for (const std::string& line : lines) {
    const index_config config = expect(config_from_line(line));
    for (const auto& [what, program] : programs_of(config)) {
      std::string name = line + "." + what + ".ptx";
      std::replace(name.begin(), name.end(), ' ', '_');
      std::ofstream(folder / name) << expect(compiler.get(program)).code;
    }
  }
}
