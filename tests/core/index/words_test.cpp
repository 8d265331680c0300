// What families, methods and choices of a workload are called and said to be, word by word.
#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/workload/workload.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_families.hpp"

namespace pivotscope {
namespace {

std::string line(std::string_view name, std::string_view words) {
  return std::string(name) + ": " + std::string(words) + "\n";
}

TEST(words, of_families_and_workloads_are_as_they_were) {
  std::string text;
  for (const family* one : testing::golden_families()) {
    text += line(one->name(), one->sentence()) + line("  rests on", one->source());
    for (const method& m : one->methods()) text += line("  " + m.name, m.sentence);
    for (const preset& p : one->presets())
      text += line("  " + std::string(p.name) + " (" + std::string(p.line) + ")", p.sentence);
    for (const operation kind : all_operations)
      if (!one->serves(kind)) text += line("  " + std::string(operation_verb(kind)), one->lacks(kind));
    const auto model = one->model(one->standard(), 100);
    for (const region_info& region : model->regions()) {
      text += line("  region " + region.title, region.name + ", " + region.cell_name + ": " + region.meaning);
      for (const cell_field& field : region.fields) text += "    " + field.name + "\n";
      for (const bit_field& field : region.bits) text += "    " + field.name + "\n";
    }
    for (const pass_info& pass : model->build_passes()) text += line("  pass " + pass.name, pass.meaning);
    for (const pseudo_line& l : one->pseudo_code_of(one->standard(), operation::find)) text += "  | " + l.text + "\n";
  }
  const auto add = [&](std::span<const std::string> names, auto&& sentence) {
    for (std::size_t i = 0; i < names.size(); ++i) text += line(names[i], sentence(i));
  };
  add(distribution_names(), [](std::size_t i) { return distribution_sentence(static_cast<distribution>(i)); });
  add(miss_place_names(), [](std::size_t i) { return miss_place_sentence(static_cast<miss_place>(i)); });
  add(lookup_order_names(), [](std::size_t i) { return lookup_order_sentence(static_cast<lookup_order>(i)); });
  add(popularity_names(), [](std::size_t i) { return popularity_sentence(static_cast<popularity>(i)); });
  testing::expect_golden("tests/core/index/golden/words.txt", text);
}

}  // namespace
}  // namespace pivotscope
