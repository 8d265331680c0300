// Tables that grow, are cleared and are rebuilt: against the oracle, and at the ends of what a table can be.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/families/open_addressing/table_model.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/run/run_script.hpp"
#include "core/run/stored_entries.hpp"
#include "tests/support/whole_space.hpp"
#include "tests/support/without_arrays.hpp"

namespace pivotscope {
namespace {

script_record run_on_cpu(const std::string& line, const script& s, std::vector<u32> keys = {}) {
  const auto cpu = detail::open_cpu();
  const index_config config = *config_from_line(line);
  key_array all(config.keys, keys.size());
  all.visit([&]<class Key>(std::vector<Key>& list) { list.assign(keys.begin(), keys.end()); });
  const auto set = *key_set::load(*cpu, std::move(all), {});
  outcome<script_record> record = run_script_config(*cpu, config, *set, s, {.compare_each = true}, {});
  EXPECT_TRUE(record) << record.error().words;
  EXPECT_EQ(record->wrong(), 0u) << record->first_wrong();
  return std::move(*record);
}
u64 stages(const script_batch_record& batch, std::string_view name) {
  return static_cast<u64>(
      std::count_if(batch.room.begin(), batch.room.end(), [&](const stage_time& stage) { return stage.name == name; }));
}
u64 cells_of(const script_record& record) { return record.index->regions()[0].cells; }

void insert(script& s, u64 first, u64 count) {
  for (u64 i = 0; i < count; ++i) s.add({operation::insert, first + i});
  s.add({operation::find, first});  // the next inserts are a batch of their own
}

const char* const layouts[] = {"HT+OA", "HT+OA layout=soa", "HT+OA keys=u64", "HT+OA keys=u64 layout=soa"};

TEST(growing_tables, of_no_keys_take_the_ninth_insert_and_all_after_it) {
  for (const char* layout : layouts) {
    SCOPED_TRACE(layout);
    script s(config_from_line(layout)->keys);
    insert(s, 0, 8), insert(s, 8, 1), insert(s, 9, 1000);
    const script_record record = run_on_cpu(layout, s);
    EXPECT_EQ(stages(record.batches[0], "grow"), 0u) << "exactly full";
    EXPECT_EQ(stages(record.batches[2], "grow"), 1u);
    EXPECT_EQ(stages(record.batches[2], "clean up"), 0u);
    EXPECT_EQ(record.batches[2].entries, 9u);
    EXPECT_EQ(record.batches[4].counts, (write_counts{.added = 1000}));
    EXPECT_EQ(record.contents.found, 1009u);
    EXPECT_GE(cells_of(record), 1009u);
    EXPECT_LE(cells_of(record), 2600u);
  }
}

TEST(growing_tables, that_are_told_not_to_grow_refuse_and_lose_nothing) {
  script s(key_width::u32);
  insert(s, 0, 8), insert(s, 8, 3);
  const script_record record = run_on_cpu("HT+OA grow=off", s);
  EXPECT_EQ(record.batches[2].counts, (write_counts{.full = 3}));
  EXPECT_EQ(record.contents.found, 8u);
  EXPECT_EQ(cells_of(record), 8u);
}

// The inserts are of keys that are there: they need no cell, and read none in vain.
TEST(growing_tables, do_not_grow_for_keys_that_they_have) {
  script s(key_width::u32);
  insert(s, 0, 8), insert(s, 0, 8);
  EXPECT_EQ(cells_of(run_on_cpu("HT+OA", s)), 8u);
}

TEST(growing_tables, whose_batch_would_read_too_much_in_vain_grow_ahead) {
  script s(key_width::u32);
  insert(s, 0, 8), insert(s, 8, 1 << 21);
  const script_record record = run_on_cpu("HT+OA lanes=1 window=4", s);
  EXPECT_EQ(stages(record.batches[2], "grow"), 1u) << "once, and to the right size";
  EXPECT_EQ(cells_of(record), u64{table_windows({.window = 4}, 8 + (1 << 21))} * 4);
}

TEST(growing_tables, are_cleaned_up_where_enough_is_erased) {
  script s(key_width::u32);
  insert(s, 0, 8);
  s.add({operation::erase, 1}), s.add({operation::erase, 2});
  insert(s, 100, 2);
  const script_record record = run_on_cpu("HT+OA", s);
  EXPECT_EQ(stages(record.batches.at(3), "clean up"), 1u);
  EXPECT_EQ(stages(record.batches.at(3), "grow"), 0u);
  EXPECT_EQ(cells_of(record), 8u);
}

TEST(growing_tables, hold_what_the_oracle_says_at_every_size_of_batch) {
  int ran = 0;
  testing::check_whole_space(0, ran, [&] {
    const std::string layout =
        *rc::gen::element<std::string>("HT+OA", "HT+OA layout=soa", "HT+OA keys=u64", "HT+OA keys=u64 layout=soa");
    const auto sizes = *rc::gen::container<std::vector<u32>>(rc::gen::inRange<u32>(1, 600));
    const std::string line = fmt::format("{} load={} window=4 lanes=1 grow={}", layout, *rc::gen::inRange(30, 101),
                                         *rc::gen::element("on", "off"));
    const index_config config = *config_from_line(line);
    const u64 greatest = config.keys == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
    script s(config.keys);
    u64 next = 0;
    for (const u32 size : sizes) {
      if (size % 16 == 0) s.add(size % 32 == 0 ? maintenance::clear : maintenance::rebuild);
      for (u32 i = 0; i < size; ++i, ++next)
        s.add({operation::insert, next % 3 == 0 ? greatest - next : next * 7919 % 5000});
      s.add({operation::find, greatest});
      if (size % 4 == 0) s.add({operation::erase, next * 7919 % 5000});
    }
    const auto cpu = detail::open_cpu();
    const auto set = *key_set::load(*cpu, key_array(config.keys, 0), {});
    const outcome<script_record> record = run_script_config(*cpu, config, *set, s, {.compare_each = true}, {});
    RC_ASSERT(record.ok());
    if (record->wrong() > 0) RC_FAIL(line + ": " + record->first_wrong());
    if (open_addressing_config::of(config).grow == growth::on)
      for (const script_batch_record& batch : record->batches) RC_ASSERT(batch.counts.full == 0);
    ++ran;
  });
}

// An executor that runs nothing, for tables that no memory has room for.
class asked_for final : public testing::without_arrays<> {
 public:
  explicit asked_for(u64 moved, bool has_memory = true) : moved_(moved), has_memory_(has_memory) {}
  u64 keys() const override { return 0; }
  std::pair<u64, u64> key_range() const override { return {0, 0}; }
  status resize(region_id, u64) override { return fine(); }
  status read(region_id, u64, std::span<std::byte>) override { return fine(); }
  outcome<u64> run(const build_pass& pass, u64, const state_bytes&) override {
    stages.emplace_back(pass.stage);
    return moved_;
  }
  std::vector<index_region> regions = {};
  std::vector<std::string> stages = {};

 private:
  status replace_regions(std::vector<index_region> wanted) override {
    regions = std::move(wanted);
    if (!has_memory_) return problem{"not enough memory"};
    return fine();
  }
  void free_before() override {}
  u64 moved_;
  bool has_memory_;
};

TEST(growing_tables, grow_up_to_the_greatest_size_and_no_further) {
  const open_addressing_config c;
  const u32 most = table_windows(c, table_most_keys);
  const auto full = [&](u32 windows) {
    const u64 cells = u64{windows} * c.window;
    return state_bytes(table_view{cells, cells, window_count::of(windows)});
  };
  asked_for at_most(0);
  const state_bytes last = full(most);
  EXPECT_EQ(*family_of(c).make_room(at_most, c, last, {5, 1 << 20, true}), last);
  EXPECT_TRUE(at_most.regions.empty());
  asked_for near(7);
  const auto grown = family_of(c).make_room(near, c, full(most - 1), {5, 1 << 20, true});
  ASSERT_TRUE(grown);
  EXPECT_EQ(grown->as<table_view>().size.windows, most);
  EXPECT_EQ(near.regions[0].cells, u64{most} * c.window);
}

TEST(growing_tables, without_memory_for_it_say_so) {
  asked_for none(0, false);
  const auto grown =
      family_of(open_addressing_id)
          .make_room(none, open_addressing_config{}, state_bytes(table_view{8, 8, window_count::of(1)}), {1, 9, true});
  ASSERT_FALSE(grown);
  EXPECT_EQ(grown.error().words,
            "the table has no room, and cannot grow from 8 to 16 cells: not enough memory. Nothing of this batch went "
            "in; insert fewer keys, or take grow=off for as many as fit");
}

TEST(growing_tables, share_kernels_with_those_that_do_not) {
  const index_config on = open_addressing_config{}, off = open_addressing_config{.grow = growth::off};
  for (const operation what : all_operations)
    EXPECT_EQ(family_of(on).config_as_compiled_for(off, what), family_of(on).config_as_compiled_for(on, what));
  EXPECT_EQ(family_of(on).for_build(off), family_of(on).for_build(on));
}

TEST(maintained_tables, are_empty_after_a_clear_and_row_ids_go_on) {
  for (const char* layout : layouts) {
    SCOPED_TRACE(layout);
    const key_width width = config_from_line(layout)->keys;
    const u64 greatest = width == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
    script s(width);
    s.add({operation::insert, 0}), s.add({operation::insert, greatest});
    s.add(maintenance::clear), s.add(maintenance::clear);
    s.add({operation::find, 0}), s.add({operation::find, greatest});
    s.add({operation::insert, greatest});
    s.add(maintenance::rebuild);
    const script_record record = run_on_cpu(layout, s, {5, 6});
    EXPECT_EQ(record.batches[1].entries, 0u);
    EXPECT_EQ(record.batches[1].time.name, "clear");
    EXPECT_EQ(record.batches[1].kind_name(), "clear");
    EXPECT_EQ(*stored_entries(*record.index), (std::vector<stored_entry>{{greatest, 4}}));
  }
}

TEST(maintained_tables, have_the_size_of_their_entries_after_a_rebuild_and_at_least_their_room) {
  for (const auto& [line, cells] : {std::pair{"HT+OA", 8u}, {"HT+OA room=80", 104u}}) {
    script s(key_width::u32);
    insert(s, 0, 1000);
    for (u64 i = 0; i < 1000; ++i) s.add({operation::erase, i});
    s.add(maintenance::rebuild);
    const script_record record = run_on_cpu(line, s);
    EXPECT_EQ(cells_of(record), cells) << "all erased";
    EXPECT_EQ(record.index->state_as<table_view>().used, 0u) << "no tombstones";
  }
}

}  // namespace
}  // namespace pivotscope
