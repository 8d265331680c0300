// Every family of the table, every method, every knob at every value: what all must hold (tests/support/conformance.hpp).
#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "tests/support/conformance.hpp"

namespace pivotscope {
namespace {

class Conformance : public ::testing::TestWithParam<std::string> {};

TEST_P(Conformance, OfAMethodOnTheCpu) {
  const auto cpu = open_machine(machine_kind::cpu);
  ASSERT_TRUE(cpu.ok()) << cpu.error().words;
  const testing::conformance_counts ran = testing::check_method(**cpu, GetParam(), true);
  // A config for every value of a knob that is not the standard's, both widths; the standard's 40 key sets and the
  // others' 8; and in each of 100 keys at least the ends of the width.
  const index_config standard = *config_from_line(GetParam());
  u64 values = 0;
  for (const axis& a : axes(standard.family).subspan(1)) values += a.values.size();
  EXPECT_GE(ran.configs, 2 * axes(standard.family).size());
  EXPECT_LE(ran.configs, 2 * (values + 1));
  EXPECT_EQ(ran.indexes, 2 * 48 + (ran.configs - 2) * 8);
  EXPECT_GT(ran.lookups, ran.indexes * 20);
  // Each operation that the family has; what it has not is refused, once an index.
  const family& f = family_of(standard);
  u64 lacks = 0;
  for (const operation kind : all_operations) lacks += !f.serves(kind);
  EXPECT_EQ(ran.refusals, ran.indexes * lacks);
  if (f.serves(operation::range)) {
    EXPECT_GT(ran.ranges, ran.indexes * 4);
    EXPECT_GT(ran.row_ids, ran.ranges);
  }
  EXPECT_EQ(ran.successors, f.serves(operation::successor) ? ran.lookups : 0);
  EXPECT_EQ(ran.lower_bounds, f.serves(operation::lower_bound) ? ran.lookups : 0);
  EXPECT_EQ(ran.matches, ran.lookups);
  if (f.changes()) {
    EXPECT_GT(ran.updates, ran.indexes * 20);
  } else {
    EXPECT_EQ(ran.updates, 0u);
  }
  EXPECT_GT(ran.traces, ran.indexes);
  EXPECT_GT(ran.cells, ran.indexes * 10);
  if (!model_of(standard, 100)->build_passes().empty()) {
    EXPECT_GT(ran.slots, ran.indexes * 10) << "what the build stepper tells";
  }
  RecordProperty("configs", static_cast<int>(ran.configs));
  RecordProperty("lookups", static_cast<int>(ran.lookups));
}
INSTANTIATE_TEST_SUITE_P(Method, Conformance, ::testing::ValuesIn(method_names()), [](const auto& test) {
  std::string name = test.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

// The suite would pass over an operation that nobody has, and a refusal that nobody makes.
TEST(ConformanceTables, EveryOperationIsServedAndOneIsRefused) {
  u64 refused = 0;
  for (const operation kind : all_operations) {
    u64 served = 0;
    for (const family* f : families()) f->serves(kind) ? ++served : ++refused;
    EXPECT_GT(served, 0u) << operation_noun(kind);
  }
  EXPECT_GT(refused, 0u);
}

TEST(ConformanceTables, EveryFamilyIsWholeAndMethodsTellThemApart) {
  ASSERT_GE(families().size(), 2u);
  std::set<std::string> names, methods;
  for (const family* f : families()) {
    SCOPED_TRACE(f->name());
    EXPECT_EQ(f, &family_of(f->id()));
    EXPECT_EQ(f->id(), family_named(std::string(f->name()).c_str()));
    EXPECT_TRUE(names.insert(std::string(f->name())).second);
    EXPECT_FALSE(f->sentence().empty());
    EXPECT_FALSE(f->source().empty());
    EXPECT_EQ(f->standard().family, f->id());
    EXPECT_FALSE(check(f->standard()));
    EXPECT_GT(f->sensible_keys(f->standard()), 100u);
    EXPECT_FALSE(f->methods().empty());
    for (const method& m : f->methods()) {
      EXPECT_TRUE(methods.insert(m.name).second) << m.name;
      EXPECT_FALSE(m.sentence.empty()) << m.name;
      index_config config = f->standard();
      f->set_method(config, m.name);
      EXPECT_EQ(f->method_of(config), m.name);
      EXPECT_FALSE(check(config)) << m.name;
    }
    std::set<std::string> knobs;
    for (const axis& a : axes(f->id())) {
      EXPECT_TRUE(knobs.insert(a.name).second) << a.name;
      EXPECT_FALSE(a.title.empty() || a.sentence.empty() || a.values.empty()) << a.name;
    }
    EXPECT_TRUE(knobs.contains("keys") && knobs.contains("threads")) << "what all families have";
    EXPECT_FALSE(f->on_device().header.empty() || f->on_device().name.empty() || f->on_device().passes.empty());
  }
  EXPECT_EQ(methods.size(), method_names().size());
}

// What a user types one family's way is refused another's in words.
TEST(ConformanceTables, AnotherFamilysKnobsAreRefusedInWords) {
  u64 refused = 0;
  for (const std::string& method : method_names()) {
    const family_id id = config_from_line(method)->family;
    for (const family* other : families()) {
      for (const axis& a : axes(other->id()).subspan(1)) {
        if (find_axis(id, a.name)) continue;
        const auto config = config_from_line(method + " " + a.name + "=" + a.values.front());
        ASSERT_FALSE(config.ok());
        EXPECT_NE(config.error().words.find("unknown setting '" + a.name + "'"), std::string::npos);
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace pivotscope
