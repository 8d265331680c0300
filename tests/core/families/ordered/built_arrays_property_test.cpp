// What a build writes: every slot holds the entry that the slot mapping gives it, and empty ones hold what ends a scan
// and answers no lookup.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/families/ordered/mapping.hpp"
#include "core/families/ordered/ordered.hpp"
#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "tests/support/any_config.hpp"
#include "tests/support/any_keys.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

template <class T>
std::vector<T> array_of(const built_index& index, region_id array) {
  std::vector<T> values(index.bytes(array) / sizeof(T));
  const auto read = index.read(array, 0, std::as_writable_bytes(std::span(values)));
  RC_ASSERT(read.ok());
  return values;
}

template <class Key>
void expect_slots_as_mapped(const ordered_config& c) {
  const auto keys = *testing::any_keys<Key>();
  const auto index = testing::build_on_cpu(c, key_array(keys));
  RC_ASSERT(index != nullptr);
  const index_shape& shape = shape_of(*index);
  const auto rows = testing::rows_in_order(keys);
  const bool structs = c.layout == entry_layout::aos;
  const auto entries = array_of<Key>(*index, ordered_region::entries);
  const auto row_ids = array_of<u32>(*index, ordered_region::rows);
  RC_ASSERT(entries.size() == shape.entry_slots * (structs ? 2 : 1));
  RC_ASSERT(row_ids.size() == (structs ? 0 : shape.entry_slots));
  for (u64 slot = 0; slot < shape.entry_slots; ++slot) {
    const u64 rank = entry_rank(c, shape, slot);
    RC_LOG() << to_line(c) << " n=" << keys.size() << " slot " << slot << " rank " << rank << "\n";
    RC_ASSERT(entries[structs ? 2 * slot : slot] == (rank == no_rank ? greatest_key<Key>() : keys[rows[rank]]));
    RC_ASSERT((structs ? static_cast<u32>(entries[2 * slot + 1]) : row_ids[slot]) ==
              (rank == no_rank ? not_found : rows[rank]));
  }
  const auto pivots = array_of<Key>(*index, ordered_region::pivots);
  RC_ASSERT(pivots.size() == shape.pivot_slots);
  for (u64 slot = 0; slot < shape.pivot_slots; ++slot) {
    const u64 rank = pivot_rank(c, shape, slot);
    RC_LOG() << to_line(c) << " n=" << keys.size() << " pivot slot " << slot << " rank " << rank << "\n";
    RC_ASSERT(pivots[slot] == (rank == no_rank ? greatest_key<Key>() : keys[rows[rank]]));
  }
}

RC_GTEST_PROP(BuiltArraysProperty, EverySlotHoldsWhatTheMappingSays, ()) {
  const ordered_config c = *testing::any_config();
  testing::with_key_of(c, [&]<class Key>(Key) { expect_slots_as_mapped<Key>(c); });
}

// Handed over one by one, in any order, keys come to the same slots; the build's items behind them fill the empty ones.
template <class Key>
void expect_the_same_key_by_key(const ordered_config& c) {
  using pass = ordered::build_entries;
  const auto keys = *testing::any_keys<Key>();
  const auto index = testing::build_on_cpu(c, key_array(keys));
  RC_ASSERT(index != nullptr);
  const index_shape& shape = shape_of(*index);
  const auto rows = testing::rows_in_order(keys);
  const dynamic_config here{c};
  build_view view;
  std::array<std::vector<std::byte>, 3> arrays;
  for (u32 r = 0; r < arrays.size(); ++r) {
    arrays[r].assign(index->bytes(region_id{static_cast<u8>(r)}), std::byte{0xA5});
    view.regions[r] = arrays[r].data();
  }
  state_bytes(ordered_view{shape, plan_pins(c, shape)}).copy_to(view.found_by.state);
  std::vector<u32> ranks(keys.size());
  std::iota(ranks.begin(), ranks.end(), 0u);
  for (std::size_t i = ranks.size(); i > 1; --i) std::swap(ranks[i - 1], ranks[*rc::gen::inRange<std::size_t>(0, i)]);
  for (const u32 rank : ranks) pass::at_key<Key>(here, view, rank, keys[rows[rank]], rows[rank]);
  const Key one = 0;  // no item behind the keys comes to one: they read the first and drop it
  const u32 no_row = 0;
  view.keys = &one, view.rows = &no_row;
  for (u64 i = keys.size(); i < shape.entry_slots; ++i) pass::at<Key>(here, view, item_in_turn<pass>(here, view, i));
  if (shape.pivot_slots != 0) {
    for (u64 i = 0; i < empty_pivots(c, shape); ++i) ordered::fill_empty_pivots::at<Key>(here, view, i);
  }
  for (u32 r = 0; r < arrays.size(); ++r) {
    RC_LOG() << to_line(c) << " n=" << keys.size() << " region " << r << "\n";
    RC_ASSERT(arrays[r] == array_of<std::byte>(*index, region_id{static_cast<u8>(r)}));
  }
}

RC_GTEST_PROP(BuiltArraysProperty, KeyByKeyTheyAreTheSame, ()) {
  const ordered_config c = *testing::any_config();
  testing::with_key_of(c, [&]<class Key>(Key) { expect_the_same_key_by_key<Key>(c); });
}

}  // namespace
}  // namespace pivotscope
