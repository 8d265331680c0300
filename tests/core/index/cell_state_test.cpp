// What cells are is what their row ids say, wherever those lie; and it is what a random script left of them.
#include "core/index/cell_state.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/workload/script_text.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

// 300 keys, of which those whose row id `erased` says were erased.
template <class Erased>
std::shared_ptr<const built_index> plain_without(const char* line, Erased&& erased) {
  std::vector<u32> keys(300);
  for (u32 i = 0; i < 300; ++i) keys[i] = 3 * i;
  const auto cpu = open_machine(machine_kind::cpu);
  const auto built = testing::build_on_cpu(testing::config_of(line), key_array(keys));
  script s(key_width::u32);
  for (u32 i = 0; i < 300; ++i)
    if (erased(i)) s.add({operation::erase, keys[i]});
  if (s.size() == 0) return built;
  outcome<update_result> done = (*cpu)->update(*built, s, 0, {}, {});
  EXPECT_TRUE(done) << done.error().words;
  return done->index;
}

TEST(cell_states, are_what_row_ids_say) {
  const auto index = plain_without("PLAIN", [](u32 i) { return i % 3 == 1; });
  const auto model = model_of(*index);
  ASSERT_TRUE(model->cells_tell());
  state_counts counted;
  for (u64 cell = 0; cell < model->region(main_region).cells; ++cell) {
    const outcome<cell_state> state = read_state(*index, *model, {main_region, cell});
    ASSERT_TRUE(state) << state.error().words;
    EXPECT_EQ(*state, cell >= 300 ? cell_state::empty : cell % 3 == 1 ? cell_state::erased : cell_state::live) << cell;
    counted.add(*state);
  }
  EXPECT_EQ(counted, (state_counts{.empty = 20, .live = 200, .erased = 100}));
  EXPECT_EQ(*count_states(*index, *model, {main_region, 0, ~0ull}), counted);
  EXPECT_EQ(*count_states(*index, *model, {main_region, 299, 3}), (state_counts{.empty = 2, .live = 1}));
  EXPECT_EQ(*count_states(*index, *model, {main_region, 900, 3}), state_counts{});
  job_control cancelled;
  cancelled.cancel();
  EXPECT_TRUE(count_states(*index, *model, {main_region, 0, 9}, cancelled).error().cancelled);
}

TEST(cell_states, are_the_models_where_cells_do_not_tell) {
  const auto index = testing::build_on_cpu(testing::config_of("EO+BS layout=soa"), testing::paper_keys_in_order());
  const auto model = model_of(*index);
  ASSERT_FALSE(model->cells_tell());
  EXPECT_EQ(*count_states(*index, *model, {main_region, 0, 100}), (state_counts{.empty = 1, .live = 14}));
  const auto entry = place_of_row(*model, {main_region, 5}), beside = place_of_row(*model, {region_id{1}, 5});
  ASSERT_TRUE(entry);
  EXPECT_NE(entry->region, main_region) << "in the array beside it";
  EXPECT_EQ(entry->byte_offset, 20u);
  EXPECT_EQ(entry->stride, 4u);
  EXPECT_FALSE(place_of_row(*model, {main_region, 15})) << "beyond the end";
  EXPECT_EQ(beside.has_value(), model->region(region_id{1}).beside == main_region);
}

TEST(cell_states, lead_to_the_next_live_cell) {
  const auto one = plain_without("PLAIN", [](u32 i) { return i != 40; });
  for (const u64 first : {0u, 40u, 41u, 299u, 1000u}) {
    const auto met = live_cell_from(*one, *model_of(*one), first);
    ASSERT_TRUE(met);
    EXPECT_EQ(*met, (cell_ref{main_region, 40})) << "from " << first;
  }
  const auto none = plain_without("PLAIN", [](u32) { return true; });
  EXPECT_EQ(*live_cell_from(*none, *model_of(*none), 7), std::nullopt);
  const auto empty = testing::build_on_cpu(testing::config_of("PLAIN"), key_array(std::vector<u32>{}));
  EXPECT_EQ(*live_cell_from(*empty, *model_of(*empty), 7), std::nullopt);
}

// A lookup reads tombstones, and its trace says so.
TEST(cell_states, are_told_of_what_a_lookup_compared) {
  const auto index = plain_without("PLAIN", [](u32 i) { return i == 2; });
  const lookup_trace trace = *trace_lookup(*index, 6);
  EXPECT_EQ(trace.row, not_found);
  ASSERT_EQ(trace.steps[0].compared.size(), 32u);
  for (const comparison& c : trace.steps[0].compared) {
    EXPECT_EQ(c.state, c.slot == 2 ? cell_state::erased : cell_state::live) << c.slot;
    EXPECT_EQ(c.empty, c.slot == 2);
  }
  EXPECT_EQ(trace.steps.back().compared.back().state, cell_state::empty);
}

}  // namespace
}  // namespace pivotscope
