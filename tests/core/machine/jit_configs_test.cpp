// What check() accepts, NVRTC compiles: random configs of every family. Needs no device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/cuda/compile/compiler.hpp"
#include "core/machine/cuda/compile/program.hpp"
#include "tests/support/part.hpp"

namespace pivotscope {
namespace {

// Draws by the numbers of std::mt19937_64, which are the same everywhere.
class config_drawing {
 public:
  explicit config_drawing(u64 seed) : random_(seed) {}

  // Begins with one of the family's methods and sets every knob, in any order, twice: a value that is refused beside the others may be
  // accepted once they are set. A refused value is drawn again and never moved, so that check() alone says what there is.
  index_config accepted(const family& of) {
    const auto methods = of.methods();
    index_config config = *config_from_line(methods[below(methods.size())].name);
    std::vector<const axis*> knobs;
    for (const axis& a : axes(of.id()).subspan(1)) knobs.push_back(&a);
    for (u32 round = 0; round < 2; ++round) {
      for (std::size_t i = knobs.size(); i > 1; --i) std::swap(knobs[i - 1], knobs[below(i)]);
      for (const axis* a : knobs) {
        for (u32 trial = 0; trial < 8; ++trial) {
          index_config changed = config;
          if (!a->set(changed, value_of(*a)) || check(changed)) continue;
          config = changed;
          break;
        }
      }
    }
    return config;
  }

 private:
  // One of the usual values, an end of the range, or any number of it. A block sort takes NVRTC most of a second: one config in six has one.
  std::string value_of(const axis& a) {
    if (a.name == "reorder" && below(4) != 0) return a.values.front();
    if (!a.range || below(3) == 0) return a.values[below(a.values.size())];
    const auto [least, greatest] = *a.range;
    if (below(2) == 0) return std::to_string(below(2) == 0 ? least : greatest);
    return std::to_string(least + below(u64{greatest} - least + 1));
  }
  u64 below(u64 end) { return random_() % end; }

  std::mt19937_64 random_;
};

index_config drawn(const family& of, u64 number) {
  const u64 families_apart = static_cast<u64>(std::ranges::find(families(), &of) - families().begin()) << 32;
  return config_drawing(families_apart + number).accepted(of);
}

// By day 100 of each family, at night more ($PIVOTSCOPE_JIT_CONFIGS).
u64 configs_of_a_family() {
  const char* text = std::getenv("PIVOTSCOPE_JIT_CONFIGS");
  return text == nullptr ? 100 : std::strtoull(text, nullptr, 10);
}

// What a machine compiles for a config beside its lookups.
std::vector<kernel_program> other_programs(const index_config& config) {
  const family& f = family_of(config);
  std::vector<kernel_program> list = {build_program(config)};
  if (f.serves(operation::range)) list.push_back(range_program(config));
  if (f.serves(operation::successor)) list.push_back(next_key_program(config, operation::successor));
  if (f.serves(operation::lower_bound)) list.push_back(next_key_program(config, operation::lower_bound));
  if (f.changes()) list.push_back(update_program(config));
  return list;
}

constexpr u32 parts = 5;  // of a family's configs: tests that shards share

// The family varies fastest: each of four shards then has one, whose block sort NVRTC precompiles once.
class JitConfigs : public ::testing::TestWithParam<std::tuple<u32, const family*>> {};

// Lookups always, which have most that a config can say; of every tenth config one of the others in turn, which take longer.
TEST_P(JitConfigs, ThatCheckAcceptsCompile) {
  const auto& library = find_nvrtc();
  ASSERT_TRUE(library) << library.error().words;
  const kernel_compiler compilers[] = {{*library, {80, true}, std::nullopt}, {*library, {90, true}, std::nullopt}};
  const auto [part, f] = GetParam();
  u64 compiled = 0;
  for (u64 i = part; i < configs_of_a_family(); i += parts) {
    if (!testing::part().has(i / parts)) continue;
    const index_config config = drawn(*f, i);
    std::vector<kernel_program> programs = {lookup_program(config)};
    if (i / parts % 10 == part) {
      const std::vector<kernel_program> others = other_programs(config);
      programs.push_back(others[(part + i / parts / 10) % others.size()]);
    }
    for (const kernel_program& program : programs) {
      const auto made = compilers[i / 2 % 2].get(program);
      ASSERT_TRUE(made) << to_line(config) << ": " << made.error().words;
      EXPECT_FALSE(made->code.empty()) << to_line(config);
      EXPECT_EQ(made->log.find("arning"), std::string::npos) << to_line(config) << ": " << made->log;
      ++compiled;
    }
  }
  RecordProperty("programs", static_cast<int>(compiled));
  EXPECT_GE(compiled, testing::part().of(configs_of_a_family() / parts));
}

std::string name_of_drawn(const ::testing::TestParamInfo<std::tuple<u32, const family*>>& of) {
  return std::string(std::get<1>(of.param)->name()) + "_" + std::to_string(std::get<0>(of.param) + 1);
}
INSTANTIATE_TEST_SUITE_P(Drawn, JitConfigs,
                         ::testing::Combine(::testing::Range(0u, parts), ::testing::ValuesIn(families())),
                         name_of_drawn);

TEST(JitConfigDrawing, SetsEveryKnob) {
  for (const family* f : families()) {
    std::map<std::string, std::set<std::string>> met;
    for (u64 i = 0; i < 100; ++i) {
      const index_config config = drawn(*f, i);
      ASSERT_EQ(check(config), std::nullopt) << to_line(config);
      for (const axis& a : axes(f->id())) met[a.name].insert(a.get(config));
    }
    for (const method& m : f->methods()) EXPECT_TRUE(met["method"].contains(m.name)) << m.name;
    for (const axis& a : axes(f->id()).subspan(1)) {
      std::vector<std::string> wanted = a.values;
      if (a.range) wanted = {std::to_string(a.range->first), std::to_string(a.range->second)};
      for (const std::string& value : wanted) {
        index_config config = f->standard();
        ASSERT_TRUE(a.set(config, value));
        EXPECT_TRUE(met[a.name].contains(a.get(config))) << f->name() << ": " << a.name << "=" << value;
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope
