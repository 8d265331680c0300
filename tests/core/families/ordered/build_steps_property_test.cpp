// What the build stepper tells of a slot is what the index holds there, and its formulas, worked out by hand, come to the
// numbers that it shows.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

#include "core/families/ordered/mapping.hpp"
#include "core/families/ordered/ordered.hpp"
#include "core/index/config_text.hpp"
#include "core/index/model.hpp"
#include "core/machine/machine.hpp"
#include "tests/support/any_config.hpp"
#include "tests/support/any_keys.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/formula.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/small_configs.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

std::vector<std::byte> bytes_of(const stored_index& index, region_id region) {
  std::vector<std::byte> bytes(index.bytes(region));
  const status read = index.read(region, 0, bytes);
  EXPECT_TRUE(read.ok());
  return bytes;
}

// A field of a cell, by the model's own description of cells.
std::optional<u64> field_of(const index_model& model, const std::vector<std::byte>& bytes, region_id region, u64 cell,
                            field_kind kind) {
  const cell_field* field = model.region(region).field(kind);
  if (!field) return std::nullopt;
  u64 value = 0;
  std::memcpy(&value, bytes.data() + cell * model.region(region).cell_bytes + field->offset, field->bytes);
  return value;
}

// Each formula by hand. Terms that are looked for, not computed, are comparisons, which must hold.
void expect_worked_out(const build_step& step) {
  for (const step_term& term : step.terms) {
    const auto [compares, holds, value] = testing::formula(term.numbers).work_out();
    ASSERT_TRUE(holds) << term.name << ": " << term.numbers;
    if (!compares) {
      ASSERT_EQ(value, term.value) << term.name << ": " << term.numbers;
    }
  }
}

void expect_terms(const build_step& step) {
  if (step.empty) {
    ASSERT_EQ(step.rank, no_rank);
    return;
  }
  ASSERT_FALSE(step.terms.empty());
  ASSERT_EQ(step.terms.back().name, "rank");
  ASSERT_EQ(step.terms.back().value, step.rank);
  if (step.shift) {
    ASSERT_EQ(step.shift->before + step.shift->by, step.rank);
  }
}

// Keys whose order is another than that of their rows, no two alike.
std::vector<u32> scattered(u64 n) {
  std::vector<u32> keys(n);
  for (u64 i = 0; i < n; ++i) keys[i] = static_cast<u32>((i * 167 + 5) % 307 * 3);
  return keys;
}

// Who has the turn that is told stores that slot.
void expect_turn(const built_index& index, u32 pass, u64 slot, const build_step& step) {
  build_view view;
  const ordered_view& state = index.state_as<ordered_view>();
  std::memcpy(view.found_by.state, &state, sizeof state);
  const ordered_config config = knobs_of(index.config());
  const dynamic_config dynamic{config};
  ASSERT_TRUE(step.turn);
  if (pass == 0 || !step.empty) {
    const slot_and_rank stores = item_in_turn<ordered::build_entries>(dynamic, view, *step.turn);
    ASSERT_EQ(pass == 0 ? stores.slot : pivot_slot(config, state.shape, stores.slot), slot);
    ASSERT_EQ(stores.rank, entry_rank(config, state.shape, stores.slot));
    ASSERT_EQ(step.at_once, 4u);
  } else {
    ASSERT_LT(*step.turn, empty_pivots(config, state.shape));
    ASSERT_EQ(pivot_buffer_order::empty_pivot(dynamic, state.shape, *step.turn), slot);
    ASSERT_EQ(step.at_once, 1u);
  }
}

// `expected` sorted keys, `rows` the row id of each.
void expect_told_as_built(const index_model& model, const built_index& index, const std::vector<u64>& expected,
                          const std::vector<u32>& rows, bool work_out, u64& slots) {
  const std::vector<pass_info> passes = model.build_passes();
  for (u32 p = 0; p < passes.size(); ++p) {
    const region_id region = passes[p].region;
    const std::vector<std::byte> bytes = bytes_of(index, region), row_bytes = bytes_of(index, ordered_region::rows);
    ASSERT_EQ(passes[p].slots, model.region(region).cells);
    for (u64 slot = 0; slot < passes[p].slots; ++slot, ++slots) {
      SCOPED_TRACE(passes[p].name + " slot " + std::to_string(slot));
      const build_step step = model.step_of_build(p, slot);
      expect_terms(step);
      if (work_out) expect_worked_out(step);
      const u64 greatest = knobs_of(index.config()).keys == key_width::u32 ? ~u32{0} : ~u64{0};
      ASSERT_EQ(*field_of(model, bytes, region, slot, field_kind::key), step.empty ? greatest : expected.at(step.rank));
      expect_turn(index, p, slot, step);
      ASSERT_FALSE(step.words.empty());
      if (region != main_region) continue;
      const auto row = row_bytes.empty() ? field_of(model, bytes, region, slot, field_kind::row_id)
                                         : field_of(model, row_bytes, ordered_region::rows, slot, field_kind::row_id);
      ASSERT_EQ(row, step.empty ? u64{not_found} : rows.at(step.rank));
    }
  }
}

TEST(BuildStepsExhaustive, EveryOrderFanoutAndLayoutIsToldAsItIsBuiltTo300) {
  const auto cpu = open_machine(machine_kind::cpu);
  ASSERT_TRUE(cpu.ok());
  u64 slots = 0;
  for (u64 n = 0; n <= 300; ++n) {
    const std::vector<u32> keys = scattered(n);
    const std::vector<u32> rows = testing::rows_in_order(keys);
    std::vector<u64> sorted(keys.begin(), keys.end());
    std::sort(sorted.begin(), sorted.end());
    const auto resident = (*cpu)->load(key_array(keys), job_control{});
    ASSERT_TRUE(resident.ok());
    for (ordered_config config : testing::shape_configs()) {
      for (const entry_layout layout : {entry_layout::aos, entry_layout::soa}) {
        for (const u32 pivots : {0u, 1u, 2u}) {
          if (pivots != 0 && config.order != order_kind::pivot_buffer) continue;
          config.layout = layout;
          config.pivots = pivots;
          SCOPED_TRACE(to_line(config) + " n=" + std::to_string(n));
          const auto index = (*cpu)->build(config, *resident, job_control{});
          ASSERT_TRUE(index.ok());
          const bool work_out = layout == entry_layout::aos && (n <= 60 || n % 37 == 0);
          expect_told_as_built(*model_of(config, n), **index, sorted, rows, work_out, slots);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
  EXPECT_GT(slots, 36u * 300 * 301 / 2) << "every entry of every size, and the pivots";
}

// By what the paper says of c (Section 3.5): it counts the keys of the last level that are smaller.
TEST(BuildStepsExhaustive, TheCorrectionCountsTheSmallerKeysOfTheLastLevel) {
  for (const u32 fanout : testing::fanouts) {
    const ordered_config config{.order = order_kind::eytzinger, .fanout = fanout, .lanes = 1};
    for (u64 n = 1; n <= 200; ++n) {
      const auto model = model_of(config, n);
      const u64 slots = model->build_passes().front().slots;
      std::vector<u64> last_level;  // ranks of the keys that no formula corrects
      for (u64 slot = 0; slot < slots; ++slot) {
        const build_step step = model->step_of_build(0, slot);
        if (!step.empty && !step.shift) last_level.push_back(step.rank);
      }
      for (u64 slot = 0; slot < slots; ++slot) {
        const build_step step = model->step_of_build(0, slot);
        if (!step.shift) continue;
        const auto smaller =
            std::count_if(last_level.begin(), last_level.end(), [&](u64 rank) { return rank < step.rank; });
        ASSERT_EQ(step.shift->by, static_cast<u64>(smaller)) << to_line(config) << " n=" << n << " slot " << slot;
      }
    }
  }
}

template <class Key>
void expect_any_told(const ordered_config& c) {
  const auto keys = *testing::any_keys<Key>();
  const auto index = testing::build_on_cpu(c, key_array(keys));
  RC_ASSERT(index != nullptr);
  const std::vector<u32> rows = testing::rows_in_order(keys);
  std::vector<u64> sorted(keys.begin(), keys.end());
  std::sort(sorted.begin(), sorted.end());
  RC_LOG() << to_line(c) << " n=" << keys.size() << "\n";
  u64 slots = 0;
  expect_told_as_built(*model_of(c, keys.size()), *index, sorted, rows, true, slots);
  RC_ASSERT(!::testing::Test::HasFailure());
}

RC_GTEST_PROP(BuildStepsProperty, AnyConfigAndKeysAreToldAsTheyAreBuilt, ()) {
  const ordered_config c = *testing::any_config();
  testing::with_key_of(c, [&]<class Key>(Key) { expect_any_told<Key>(c); });
}

// Sizes that no array is made for.
RC_GTEST_PROP(BuildStepsProperty, FormulasHoldAtEverySize, ()) {
  ordered_config c = *testing::any_config();
  const u64 sizes[] = {max_keys, max_keys - 1, 1ull << 31, (1ull << 31) - 1, (1ull << 28) + 1, 1ull << 28, 1ull << 20};
  const u64 n = *rc::gen::oneOf(rc::gen::elementOf(std::vector<u64>(std::begin(sizes), std::end(sizes))),
                                rc::gen::inRange<u64>(1, max_keys));
  const auto model = model_of(c, n);
  const std::vector<pass_info> passes = model->build_passes();
  RC_ASSERT(!passes.empty());
  const u32 p = *rc::gen::inRange<u32>(0, static_cast<u32>(passes.size()));
  const u64 slot = *rc::gen::oneOf(rc::gen::inRange<u64>(0, passes[p].slots),
                                   rc::gen::inRange<u64>(0, std::min<u64>(passes[p].slots, 100)));
  const build_step step = model->step_of_build(p, slot);
  RC_LOG() << to_line(c) << " n=" << n << " pass " << p << " slot " << slot << "\n";
  RC_ASSERT(step.rank == model->describe(passes[p].region, slot).rank);
  expect_terms(step);
  expect_worked_out(step);
  RC_ASSERT(!::testing::Test::HasFailure());
  // The level that the formula finds is the one whose begin is the last at or before the slot.
  if (step.level && !passes[p].levels.empty()) {
    const auto next = std::upper_bound(passes[p].levels.begin(), passes[p].levels.end(), slot);
    RC_ASSERT(*step.level + 1 == static_cast<u64>(next - passes[p].levels.begin()));
  }
}

}  // namespace
}  // namespace pivotscope
