// Tables at the ends of what they can be: exactly full, full of tombstones, with all keys in one window, with keys that no hash
// tells apart. All against the oracle, every entry compared after every batch that writes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/families/open_addressing/table_model.hpp"
#include "core/index/config_text.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/run/run_script.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/table_on_cpu.hpp"

namespace pivotscope {
namespace {

using testing::table_on_cpu;

const char* const all_layouts[] = {"HT+OA", "HT+OA layout=soa", "HT+OA keys=u64", "HT+OA keys=u64 layout=soa"};

u64 cleanings(const script_batch_record& batch) {
  u64 count = 0;
  for (const stage_time& stage : batch.room) count += stage.name == "clean up";
  return count;
}

TEST(full_tables, have_as_many_keys_as_cells_and_lose_none_to_one_more) {
  for (const char* layout : all_layouts) {
    for (const char* probing : {"linear", "quadratic", "double"}) {
      SCOPED_TRACE(fmt::format("{} {}", layout, probing));
      std::vector<u64> keys;
      for (u64 i = 0; i < 24; ++i) keys.push_back(i * 7919);
      table_on_cpu table(fmt::format("{} load=100 lanes=1 window=8 probing={} grow=off", layout, probing), keys);
      script s(table.width());
      for (const u64 key : keys) s.add({operation::find, key});
      for (u64 i = 0; i < 10; ++i) s.add({operation::insert, 1'000'000 + i});  // none goes in
      s.add({operation::insert, keys[3]});                                     // its cell is there
      for (const u64 key : keys) s.add({operation::find, key});
      s.add({operation::find, 1'000'000});  // it is not in any window
      s.add({operation::erase, keys[5]});
      s.add({operation::insert, 1'000'000});  // the erased cell is of use once the table is cleaned up
      s.add({operation::find, 1'000'000}), s.add({operation::find, keys[5]});
      const script_record record = table.run(s);
      ASSERT_EQ(record.batches.size(), 6u);
      EXPECT_EQ(record.index->regions()[0].cells, 24u);
      EXPECT_EQ(record.batches[1].counts, (write_counts{.replaced = 1, .full = 10}));
      EXPECT_EQ(cleanings(record.batches[1]), 0u) << "nothing is erased";
      EXPECT_EQ(record.batches[4].counts, (write_counts{.added = 1}));
      EXPECT_EQ(cleanings(record.batches[4]), 1u);
    }
  }
}

// Each generation erases what is there and inserts other keys. A table that kept its tombstones would be full in the third.
TEST(full_tables, outlive_a_thousand_generations_of_tombstones) {
  for (const char* layout : {"HT+OA", "HT+OA keys=u64 layout=soa"}) {
    SCOPED_TRACE(layout);
    table_on_cpu table(fmt::format("{} room=64 lanes=1 window=4", layout), {});
    script s(table.width());
    constexpr u64 generations = 1000, each = 40;
    for (u64 g = 0; g < generations; ++g) {
      for (u64 i = 0; i < each; ++i) s.add({operation::insert, g * each + i});
      for (u64 i = 0; i < each; i += 8) s.add({operation::find, g * each + i});
      for (u64 i = 0; i < each; ++i) s.add({operation::erase, g * each + i});
      s.add({operation::find, g * each});
    }
    const script_record record = table.run(s);
    ASSERT_EQ(record.batches.size(), 4 * generations);
    u64 cleaned = 0;
    for (const script_batch_record& batch : record.batches) {
      EXPECT_EQ(batch.counts.full, 0u);
      cleaned += cleanings(batch);
    }
    EXPECT_EQ(record.index->regions()[0].cells, 80u);
    EXPECT_GE(cleaned, generations / 2 - 1);
    EXPECT_LE(cleaned, generations) << "no more often than there is something to gain";
  }
}

// Keys whose first window is `window` of so many, and with `steps` their second hash too where double hashing walks.
std::vector<u64> colliding_keys(u32 windows, u32 window, bool steps, u64 count) {
  const window_count size = window_count::of(windows);
  std::vector<u64> keys;
  for (u64 key = 1; keys.size() < count; ++key) {
    if (first_window(static_cast<u32>(key), size) != window) continue;
    if (steps && (second_hash_of(key) & size.places) != 0) continue;
    keys.push_back(key);
  }
  return keys;
}

TEST(full_tables, with_all_keys_in_one_window_or_alike_in_both_hashes_go_on_window_by_window) {
  for (const char* probing : {"linear", "quadratic", "double"}) {
    for (const bool steps : {false, true}) {
      for (const char* layout : {"aos", "soa"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", probing, layout, steps));
        constexpr u32 windows = 10;  // of 4 cells, for 32 keys
        const std::vector<u64> keys = colliding_keys(windows, 6, steps, 40);
        table_on_cpu table(fmt::format("HT+OA load=80 lanes=2 window=4 probing={} layout={}", probing, layout),
                           {keys.begin(), keys.begin() + 32});
        script s(table.width());
        for (const u64 key : keys) s.add({operation::find, key});
        for (u64 i = 32; i < 40; ++i) s.add({operation::insert, keys[i]});
        for (const u64 key : keys) s.add({operation::find, key});
        for (u64 i = 0; i < 40; i += 2) s.add({operation::erase, keys[i]});
        for (const u64 key : keys) s.add({operation::find, key});
        const script_record record = table.run(s);
        EXPECT_EQ(record.batches[1].counts, (write_counts{.added = 8})) << "to the last cell";
        const outcome<lookup_trace> trace = trace_lookup(*record.index, keys[39]);
        ASSERT_TRUE(trace) << trace.error().words;
        EXPECT_GT(trace->steps.size(), 1u);
        EXPECT_LE(trace->steps.size(), windows);
        EXPECT_EQ(trace->row, 39u);
      }
    }
  }
}

// As many keys as cells, a cell a window, so that the last ones lie where no other way leads. Linear probing, which would take long,
// goes by no power of two.
TEST(full_tables, of_more_windows_than_16_bits_number_have_every_key) {
  for (const char* line : {"HT+OA probing=quadratic layout=soa", "HT+OA keys=u64 probing=double"}) {
    SCOPED_TRACE(line);
    std::vector<u64> keys((1 << 16) + 1);
    for (u64 i = 0; i < keys.size(); ++i) keys[i] = i * 40'503;
    table_on_cpu table(fmt::format("{} load=100 lanes=1 window=1 grow=off", line), keys);
    script s(table.width());
    for (const u64 key : keys) s.add({operation::find, key});
    s.add({operation::insert, 5});  // no window is left
    s.add({operation::erase, keys.back()});
    s.add({operation::insert, 5});
    s.add({operation::find, 5}), s.add({operation::find, keys.back()});
    const script_record record = table.run(s);
    ASSERT_EQ(record.batches.size(), 5u);
    EXPECT_EQ(record.index->regions()[0].cells, keys.size());
    EXPECT_EQ(record.batches[1].counts, (write_counts{.full = 1}));
    EXPECT_EQ(record.batches[3].counts, (write_counts{.added = 1}));
  }
}

TEST(tables, of_no_keys_and_of_one_are_changed_as_all_others) {
  for (const char* layout : all_layouts) {
    for (const u64 n : {0u, 1u}) {
      SCOPED_TRACE(fmt::format("{}, {} keys", layout, n));
      table_on_cpu table(layout, std::vector<u64>(n, 0));
      const u64 greatest = table.width() == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
      script s(table.width());
      for (const u64 key : {u64{0}, greatest, greatest - 1}) {
        s.add({operation::find, key}), s.add({operation::insert, key}), s.add({operation::find, key});
        s.add({operation::erase, key}), s.add({operation::find, key}), s.add({operation::insert, key});
      }
      table.run(s);
    }
  }
}

TEST(tables, of_more_keys_than_windows_have_numbers_are_refused_in_words) {
  const open_addressing_config narrow{.lanes = 1, .window = 1, .load = 30};
  EXPECT_EQ(table_keys_at_most(narrow), (u64{0xFFFFFFFF} / 100) * 30);
  EXPECT_EQ(table_keys_at_most({}), table_most_keys);
  for (const u64 keys : {u64{1}, u64{80}, u64{81}, table_keys_at_most(narrow)}) {
    const u64 cells = u64{table_windows(narrow, keys)};
    EXPECT_GE(cells, keys);
    EXPECT_LE(cells, keys * 100 / 30 + 2);
  }
}

// Where key and row id are one word, one swap puts them in; else the row id is claimed before the key is there.
TEST(table_insert_words, say_how_many_words_are_written) {
  for (const auto& [line, one_word] :
       {std::pair{"HT+OA", true}, {"HT+OA keys=u64", false}, {"HT+OA layout=soa", false}}) {
    const index_config config = *config_from_line(line);
    key_array keys(config.keys, 3);
    keys.visit([](auto& list) { list = {3, 5, 9}; });
    const auto index = testing::build_on_cpu(config, keys);
    const lookup_trace trace = *trace_write(*index, operation::insert, 7);
    ASSERT_FALSE(trace.steps.empty());
    const trace_step& last = trace.steps.back();
    EXPECT_EQ(last.changed.size() == 1, one_word) << line;
    const char* const how =
        one_word ? "by one compare-and-swap of the row id, or of key and row id as one word"
                 : "the row id is claimed by a compare-and-swap, the key stored, and after a fence the row id";
    EXPECT_NE(last.words.find(how), std::string::npos) << line << ": " << last.words;
  }
}

}  // namespace
}  // namespace pivotscope
