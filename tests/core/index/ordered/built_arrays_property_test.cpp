// What a build writes: every slot holds the entry that the slot mapping gives it, and empty ones hold what ends a scan
// and answers no lookup.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/index/config_text.hpp"
#include "core/index/ordered/mapping.hpp"
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

}  // namespace
}  // namespace pivotscope
