// Batches of updates whose operations meet, on all threads, judged by the oracle: few keys and many operations. What the thread
// sanitizer looks at (tests/sanitize-threads).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/index/cell_state.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/machine.hpp"
#include "core/reference/oracle.hpp"
#include "core/run/stored_entries.hpp"
#include "core/workload/generate/seeded_bijection.hpp"
#include "core/workload/workload.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

// One operation of a kind of the family's, on one of a few keys at both ends of the width. `few_inserts`: seven of eight are
// erases instead.
question any_operation(const std::vector<operation>& kinds, key_width width, u64 distinct, bool few_inserts, u64 seed,
                       u64 i) {
  const u64 bits = random_bits(seed, i), greatest = width == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
  const auto key = [&](u64 drawn) { return drawn % 2 == 0 ? drawn % distinct : greatest - drawn % distinct; };
  question o{kinds[bits % kinds.size()], key(bits >> 8), 0};
  if (few_inserts && o.kind == operation::insert && bits >> 61 != 0) o.kind = operation::erase;
  if (o.kind == operation::range) o.high = std::max(o.key, key(bits >> 40));
  return o;
}

// A batch of inserts, mixed ones, one of erases, and a mixed one over what these left.
script meeting_script(const index_config& config, u64 operations, u64 distinct, bool few_inserts) {
  std::vector<operation> kinds;
  for (const operation kind : all_operations)
    if (family_of(config).serves(kind)) kinds.push_back(kind);
  script s(config.keys);
  u64 drawn = 0;
  const auto batch = [&](const std::vector<operation>& of, bool mixed) {
    if (mixed) s.begin_mixed();
    for (u64 i = 0; i < (mixed ? operations : operations / 16); ++i)
      s.add(any_operation(of, config.keys, distinct, few_inserts && mixed, 17, drawn++));
    if (mixed) s.end_mixed();
  };
  batch({operation::insert}, false);
  batch(kinds, true);
  batch({operation::insert, operation::erase}, true);
  batch({operation::erase}, false);
  batch(kinds, true);
  return s;
}

void expect_right_on_all_threads(machine& cpu, const index_config& config, u64 operations, u64 distinct,
                                 bool few_inserts) {
  SCOPED_TRACE(fmt::format("{}, {} operations on {} keys", to_line(config), operations, distinct));
  const script s = meeting_script(config, operations, distinct, few_inserts);
  key_array keys(config.keys, 50);
  for (u64 i = 0; i < keys.size(); ++i)
    keys.visit([&](auto& all) {
      all[i] = static_cast<typename std::decay_t<decltype(all)>::value_type>(
          any_operation({operation::insert}, config.keys, distinct, false, 3, i).key);
    });
  const family& f = family_of(config);
  std::shared_ptr<const built_index> index = testing::build_on_cpu(config, keys);
  oracle truth(keys, f.keeps_duplicates(config));
  for (u64 b = 0; b < s.batches().size(); ++b) {
    const script_batch& batch = s.batches()[b];
    const outcome<update_result> done = cpu.update(*index, s, b, {}, {});
    ASSERT_TRUE(done) << done.error().words;
    EXPECT_EQ(done->counts.not_done, 0u);
    truth.begin(s, b);
    if (batch.mixed) {
      const check_report report = truth.check(done->answers);
      EXPECT_EQ(report.wrong, 0u) << report.first_wrong;
    }
    truth.end(done->counts.full > 0 ? inserts_done::some : inserts_done::all);
    index = done->index;
    const std::shared_ptr<const index_model> model = model_of(*index);
    EXPECT_EQ(count_states(*index, *model, {main_region, 0, model->region(main_region).cells})->claimed, 0u);
    const outcome<std::vector<stored_entry>> held = stored_entries(*index);
    ASSERT_TRUE(held);
    EXPECT_EQ(truth.settle(*held), "") << "after batch " << b + 1;
  }
}

// A test for each, as one of all takes minutes with the thread sanitizer, and shards take whole tests.
std::vector<std::string> configs_that_change() {
  std::vector<std::string> lines;
  for (const family* f : families()) {
    if (!f->changes()) continue;
    for (const method& m : f->methods())
      for (const char* width : {"u32", "u64"}) lines.push_back(std::string(m.name) + " keys=" + width);
  }
  return lines;
}

class cpu_updates_of : public ::testing::TestWithParam<std::string> {};

TEST_P(cpu_updates_of, all_threads_that_meet_are_right) {
  const auto cpu = detail::open_cpu();
  const index_config config = testing::config_of(GetParam());
  // Some tasks of 4096 operations; fewer of a family that looks through all it has, or through all entries of a key, or
  // that has ranges, whose sums the oracle tries over all that the keys' inserts may have left.
  const family& f = family_of(config);
  const bool slow = f.sensible_keys(config) < 1 << 20 || f.keeps_duplicates(config) || f.serves(operation::range);
  for (const u64 distinct : {u64{3}, u64{500}})
    expect_right_on_all_threads(*cpu, config, (slow ? 2 : 10) * 4096 + 100, distinct, slow);
}

std::vector<std::vector<std::byte>> regions_read(const built_index& index) {
  std::vector<std::vector<std::byte>> all;
  for (std::size_t r = 0; r < index.regions().size(); ++r) {
    all.emplace_back(index.regions()[r].bytes());
    EXPECT_TRUE(index.read(region_id(r), 0, all.back()).ok());
  }
  return all;
}
// Cells of a region whose bytes differ.
u64 cells_that_differ(const std::vector<std::byte>& a, const std::vector<std::byte>& b, u64 cell) {
  constexpr u64 page = 4096;
  u64 count = 0;
  for (u64 begin = 0; begin < a.size(); begin += page) {
    const u64 end = std::min<u64>(a.size(), begin + page);
    if (std::memcmp(a.data() + begin, b.data() + begin, end - begin) == 0) continue;
    for (u64 at = begin; at < end; at += cell) count += std::memcmp(a.data() + at, b.data() + at, cell) != 0 ? 1 : 0;
  }
  return count;
}

// The copy that a batch changes is made in parts of 4 MiB: of an index of two and a bit, what no operation wrote is as it was.
TEST_P(cpu_updates_of, an_index_of_several_parts_is_copied_whole) {
  const auto cpu = detail::open_cpu();
  const index_config config = testing::config_of(GetParam());
  constexpr u64 part = 4 << 20;
  const u64 cell = regions_of(config, 1)[0].cell_bytes, n = 2 * part / cell / 32 * 32 + 1;
  const auto built = testing::build_on_cpu(config, *make_keys({.keys = n, .dist = distribution::dense}, config.keys));
  ASSERT_TRUE(built);
  ASSERT_GT(built->regions()[0].bytes(), 2 * part);
  const auto before = regions_read(*built);
  script s(config.keys);
  s.begin_mixed();
  s.add({operation::find, n}), s.add({operation::insert, n}), s.add({operation::insert, n + 1});
  s.add({operation::erase, n / 2});
  s.end_mixed();
  const outcome<update_result> done = cpu->update(*built, s, 0, {}, {});
  ASSERT_TRUE(done) << done.error().words;
  EXPECT_EQ(done->counts.added, 2u);
  EXPECT_EQ(done->counts.erased + done->counts.noted, 1u);
  EXPECT_TRUE(regions_read(*built) == before) << "the index that it is a copy of";
  EXPECT_EQ(stored_entries(*done->index)->size(), n + 1);
  if (family_of(config).changes_by_batch(config) && !family_of(config).changes_in_place(config))
    return;  // it writes all cells anew
  const auto after = regions_read(*done->index);
  ASSERT_EQ(after.size(), before.size());
  u64 differ = 0;
  for (std::size_t r = 0; r < after.size(); ++r) {
    ASSERT_EQ(after[r].size(), before[r].size()) << "no more room was made";
    differ += cells_that_differ(before[r], after[r], std::max(1u, built->regions()[r].cell_bytes));
  }
  EXPECT_GE(differ, 3u);
  // In GPH a dozen entries may move for one.
  EXPECT_LE(differ, 100u) << "more than the cells of three entries, of those that move, and what leads to them";
}

INSTANTIATE_TEST_SUITE_P(families, cpu_updates_of, ::testing::ValuesIn(configs_that_change()), [](const auto& about) {
  std::string name = about.param;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

}  // namespace
}  // namespace pivotscope
