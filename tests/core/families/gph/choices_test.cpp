// The values that a cell might have, as the window shows them: an insert that makes room takes the first one that fits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/families/gph/gph_model.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/table_on_cpu.hpp"

namespace pivotscope {
namespace {

using testing::table_on_cpu;

struct value {
  u64 mapping, offset;
  bool operator==(const value&) const = default;
};

// The last value that the insert tried, which the cell got. Nothing: it made no room.
std::optional<value> taken_by(const lookup_trace& trace) {
  std::optional<value> last;
  for (const trace_step& step : trace.steps) {
    std::optional<u64> mapping, offset;
    for (const watched_value& watched : step.watched) {
      if (watched.name == "to.mapping") mapping = watched.value;
      if (watched.name == "to.offset") offset = watched.value;
    }
    if (mapping && offset) last = value{*mapping, *offset};
  }
  return last;
}

// The first that fits, from the cell's own mapping on; nothing: none does.
std::optional<value> first_that_fits(const value_choices& values, u32 mappings_but_last) {
  const u32 own = values.now % values.columns;
  for (u32 tried = 0; tried < mappings_but_last; ++tried) {
    const u32 mapping = (own + tried) % mappings_but_last;
    for (u32 offset = 0; offset < values.rows; ++offset)
      if (values.kinds[values.square(offset, mapping)] == value_choices::fits) return value{mapping, offset};
  }
  return std::nullopt;
}

TEST(gph_choices, are_what_an_insert_that_makes_room_tries) {
  u64 fitted = 0, spilled = 0, crowded = 0, twice = 0;
  for (const char* line : {"GPH load=85", "GPH bucket=4 load=90", "GPH bucket=2 virtuals=4 per_cell=6 load=85",
                           "GPH bucket=4 layout=soa load=90 keys=u64",
                           "GPH bucket=1 lanes=1 virtuals=4 per_cell=2 load=70", "GPH phases=one bucket=4 load=90"}) {
    SCOPED_TRACE(line);
    for (const u64 n : {60u, 300u, 900u}) {
      std::vector<u64> keys(n);
      for (u64 i = 0; i < n; ++i) keys[i] = static_cast<u32>(i * 2654435761u + n);
      const auto index = table_on_cpu(line, keys).built();
      const index_config config = index->config();
      const gph_config knobs = gph_config::of(config);
      const auto model = model_of(*index);
      const region_reader read = [&](region_id region, u64 byte, std::span<std::byte> out) {
        return static_cast<bool>(index->read(region, byte, out));
      };
      for (u64 i = 0; i < 60; ++i) {
        const u64 key = static_cast<u32>((n + i) * 2654435761u + n);
        const auto values = model->choices_for(key, read);
        ASSERT_TRUE(values);
        ASSERT_EQ(values->kinds.size(), u64{values->rows} * values->columns);
        crowded += std::ranges::count(values->kinds, u8{value_choices::crowded});
        twice += std::ranges::count(values->kinds, u8{value_choices::twice});
        for (u32 square = 0; square < values->kinds.size(); ++square) {
          u32 over = 0;
          std::set<u64> met;
          bool shared = false;
          const auto places = model->places_of(key, square, read);
          for (const choice_place& place : places) {
            shared |= !met.insert(place.bucket).second;
            over += place.others + place.keys > place.slots ? place.others + place.keys - place.slots : 0;
          }
          ASSERT_EQ(places.size(), values->rows);
          if (!shared) {
            ASSERT_EQ(over, values->left_over[square]) << square;
          }
        }
        const auto trace = trace_write(*index, operation::insert, key);
        ASSERT_TRUE(trace) << trace.error().words;
        const auto taken = taken_by(*trace);
        if (!taken) continue;  // its bucket had room, or its cell's keys are spilled already
        const auto wanted = first_that_fits(*values, spilled_mapping(knobs));
        if (wanted) {
          EXPECT_EQ(*taken, *wanted) << key;
          ++fitted;
        } else {
          EXPECT_EQ(taken->mapping, spilled_mapping(knobs)) << key;
          ++spilled;
        }
      }
    }
  }
  EXPECT_GT(fitted, 50u);
  EXPECT_GT(spilled, 10u);
  EXPECT_GT(crowded, 1000u);
  EXPECT_GT(twice, 100u);
}

TEST(gph_choices, are_of_a_table_with_an_index_alone) {
  for (const char* line : {"GPH hashing=in_turn", "HT+OA", "AO+BS"}) {
    const auto index = table_on_cpu(line, {1, 2, 3}).built();
    const region_reader read = [&](region_id region, u64 byte, std::span<std::byte> out) {
      return static_cast<bool>(index->read(region, byte, out));
    };
    EXPECT_FALSE(model_of(*index)->choices_for(2, read)) << line;
  }
}

}  // namespace
}  // namespace pivotscope
