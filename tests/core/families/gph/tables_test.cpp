// Tables of GPH: every invariant after builds and after batches, what is spilled, and keys that are made to be hard.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "core/families/gph/planned_table.hpp"
#include "core/families/gph/tight_starts.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/core/families/gph/whole_gph.hpp"
#include "tests/support/table_on_cpu.hpp"

namespace pivotscope {
namespace {

using testing::table_on_cpu;
using testing::whole_gph;

std::vector<u64> drawn_keys(u64 count, u64 seed, u64 from = 0) {
  std::vector<u64> keys(count);
  // An odd multiplier is a bijection of 32 bits: no key comes twice.
  for (u64 i = 0; i < count; ++i)
    keys[i] = static_cast<u32>(hash_of(static_cast<u32>(from + i) * 2654435761u + static_cast<u32>(seed)));
  return keys;
}
void expect_whole(const stored_index& index) { whole_gph(index).check(); }
const gph_view& view_of(const stored_index& index) { return index.state_as<gph_view>(); }

constexpr const char* shapes[] = {"GPH",
                                  "GPH bucket=4",
                                  "GPH bucket=16 lanes=2 per_cell=20",
                                  "GPH bucket=4 virtuals=4 bits=16 load=90",
                                  "GPH bucket=2 virtuals=2 per_cell=3",
                                  "GPH bucket=1 lanes=1 per_cell=2 load=50",
                                  "GPH layout=soa per_cell=40",
                                  "GPH keys=u64 load=95",
                                  "GPH keys=u64 layout=soa bucket=4 phases=one",
                                  "GPH phases=one",
                                  "GPH hashing=in_turn"};

TEST(gph_tables, are_whole_at_every_size) {
  u64 built = 0, spilled = 0, changed = 0;
  for (const char* line : shapes) {
    SCOPED_TRACE(line);
    for (u64 n = 0; n <= 300; n += n < 40 ? 1 : 13) {
      const auto index = table_on_cpu(line, drawn_keys(n, n)).built();
      whole_gph whole(*index);
      whole.check();
      EXPECT_EQ(view_of(*index).live, n);
      ++built, spilled += whole.spilled(), changed += whole.cells_changed();
    }
  }
  EXPECT_GT(built, 600u);
  EXPECT_GT(spilled, 1000u) << "some tables need their spill";
  EXPECT_GT(changed, 1000u) << "and cells with other values";
}

// Inserts, erases and finds of few keys, and of many: a bucket is filled and emptied again and again.
TEST(gph_tables, are_whole_after_any_batches) {
  for (const char* line : shapes) {
    for (const u32 keys : {30u, 400u}) {
      SCOPED_TRACE(fmt::format("{}, {} keys", line, keys));
      const index_config config = *config_from_line(line);
      std::mt19937 draw(keys);
      script s(config.keys);
      for (u32 batch = 0; batch < 6; ++batch) {
        s.begin_mixed();
        for (u32 i = 0; i < keys; ++i) {
          const operation kind = draw() % 5 < 2 ? operation::insert : draw() % 2 ? operation::erase : operation::find;
          s.add({kind, drawn_keys(1, 5, draw() % keys)[0]});
        }
        s.end_mixed();
      }
      const script_record record = table_on_cpu(line, drawn_keys(keys / 2, 5)).run(s);
      expect_whole(*record.index);
    }
  }
}

// Shares of keys that are spilled, at 2^15 keys. A simulation of 20,000 buckets in which a cell that finds no place goes to the last
// mapping as a whole had 0.68, 7.0, 0.002, 0.14, 13 and 0.18 of 100 at load 70.
TEST(gph_tables, spill_as_few_keys_as_a_simulation) {
  struct {
    const char* line;
    double least, most;
  } const cases[] = {{"GPH", 0.4, 1},
                     {"GPH per_cell=20", 5, 9},
                     {"GPH bucket=16 lanes=2", 0, 0.02},
                     {"GPH bucket=16 lanes=2 per_cell=20", 0.03, 0.3},
                     {"GPH bucket=4 per_cell=13", 10, 16},
                     {"GPH bits=16 per_cell=20", 0.05, 0.35},
                     {"GPH load=50", 0, 0.05}};
  for (const auto& of : cases) {
    SCOPED_TRACE(of.line);
    const u64 n = 1 << 15;
    const auto index = table_on_cpu(of.line, drawn_keys(n, 1)).built();
    whole_gph whole(*index);
    whole.check();
    const double share = 100.0 * static_cast<double>(whole.spilled()) / static_cast<double>(n);
    RecordProperty(of.line, std::to_string(share));
    EXPECT_GE(share, of.least);
    EXPECT_LE(share, of.most);
  }
}

// Ten seeds: none is lost, and the spill is as it was planned.
TEST(gph_tables, lose_no_key_with_any_seed) {
  for (const u64 n : {u64{1} << 12, u64{1} << 16}) {
    for (u64 seed = 1; seed <= 10; ++seed) {
      const std::vector<u64> keys = drawn_keys(n, seed);
      table_on_cpu table("GPH", keys);
      const auto index = table.built();
      expect_whole(*index);
      EXPECT_EQ(view_of(*index).seed, 0u) << "not built twice";
      script s(key_width::u32);
      for (u64 i = 0; i < keys.size(); i += 97) s.add({operation::find, keys[i]});
      table.run(s);
    }
  }
}

// A lookup reads a cell of the index and one bucket; hardly a miss looks into the spill.
TEST(gph_tables, look_at_one_bucket) {
  const std::vector<u64> keys = drawn_keys(1 << 14, 3), others = drawn_keys(2000, 3, 1 << 20);
  const auto index = table_on_cpu("GPH", keys).built();
  const auto steps = [&](const std::vector<u64>& of, u64 count) {
    double sum = 0;
    for (u64 i = 0; i < count; ++i) {
      const auto trace = trace_of(*index, {operation::find, of[i * (of.size() / count)]});
      EXPECT_TRUE(trace);
      EXPECT_GE(trace->steps.size(), 2u);
      EXPECT_EQ(trace->steps[0].where.rfind("cell ", 0), 0u);
      sum += static_cast<double>(trace->steps.size() - 1);
    }
    return sum / static_cast<double>(count);
  };
  const double hit = steps(keys, 2000), miss = steps(others, 2000);
  RecordProperty("hit", std::to_string(hit));
  RecordProperty("miss", std::to_string(miss));
  EXPECT_LE(hit, 1.01);
  EXPECT_LE(miss, 1.05);
}

// Without an index, too, a search begins in its own bucket of all.
TEST(gph_tables, without_an_index_begin_in_any_bucket) {
  const auto index = table_on_cpu("GPH hashing=in_turn", drawn_keys(1 << 14, 3)).built();
  std::set<std::string> begins;
  u64 steps = 0;
  for (const u64 key : drawn_keys(1000, 3)) {
    const auto trace = trace_of(*index, {operation::find, key});
    ASSERT_TRUE(trace);
    begins.insert(trace->steps[0].where), steps += trace->steps.size();
  }
  EXPECT_GT(begins.size(), 700u);
  EXPECT_LE(steps, 1300u);
}

// Keys, from 1 on, that f takes.
template <class F>
std::vector<u64> keys_that(u64 count, F&& f) {
  std::vector<u64> list;
  for (u32 key = 1; list.size() < count; ++key)
    if (f(key)) list.push_back(key);
  return list;
}

// More keys of one cell than its buckets have slots: no value of it has room for them.
TEST(gph_tables, hold_more_keys_of_a_cell_than_its_buckets_can) {
  for (const char* line :
       {"GPH room=2000", "GPH room=2000 phases=one", "GPH room=2000 layout=soa", "GPH room=2000 grow=off"}) {
    SCOPED_TRACE(line);
    const gph_config config = gph_config::of(*config_from_line(line));
    const gph_view table = gph_table(config, gph_buckets(config, 0), 0);
    const auto keys = keys_that(90, [&](u32 key) { return place_of(key, table).cell == 7; });
    script s(key_width::u32);
    for (const u64 key : keys) s.add({operation::insert, key});
    for (const u64 key : keys) s.add({operation::find, key});
    const script_record record = table_on_cpu(line, {}).run(s);
    expect_whole(*record.index);
    const write_counts& counts = record.batches[0].counts;
    EXPECT_EQ(counts.added + counts.full, keys.size());
    if (config.grow == gph_growth::on) {
      EXPECT_EQ(counts.full, 0u);
    }
    EXPECT_EQ(record.contents.found, counts.added);
    // Built at once as well.
    expect_whole(*table_on_cpu(line, keys).built());
  }
}
// All keys belong to one bucket at first.
TEST(gph_tables, share_out_keys_of_one_bucket) {
  const gph_config config = gph_config::of(*config_from_line("GPH room=500"));
  const gph_view table = gph_table(config, gph_buckets(config, 0), 0);
  const auto keys = keys_that(60, [&](u32 key) { return home_of(place_of(key, table), 0, config, table) == 3; });
  for (const char* line : {"GPH room=500", "GPH room=500 phases=one", "GPH room=500 hashing=in_turn"}) {
    SCOPED_TRACE(line);
    script s(key_width::u32);
    for (const u64 key : keys) s.add({operation::insert, key});
    for (const u64 key : keys) s.add({operation::find, key});
    const script_record record = table_on_cpu(line, {}).run(s);
    expect_whole(*record.index);
    EXPECT_EQ(record.contents.found, keys.size());
    EXPECT_EQ(view_of(*record.index).buckets,
              gph_table(gph_config::of(*config_from_line(line)), gph_buckets(config, 0), 0).buckets)
        << "they find room in the table that there is";
    whole_gph whole(*record.index);
    whole.check();
    if (is_perfect(gph_config::of(record.index->config()))) {
      EXPECT_GT(whole.cells_changed(), 3u);
    }
  }
}

// The second phase takes erased entries' slots, and those of the cell that moves are emptied.
TEST(gph_tables, use_the_slots_of_erased_entries_again) {
  for (const char* line :
       {"GPH room=300 grow=off", "GPH room=300 grow=off phases=one", "GPH room=300 grow=off keys=u64 layout=soa"}) {
    SCOPED_TRACE(line);
    const index_config config = *config_from_line(line);
    script s(config.keys);
    for (u32 round = 0; round < 12; ++round) {
      const auto keys = drawn_keys(200, 9, round * 200);
      for (const u64 key : keys) s.add({operation::insert, key});
      for (const u64 key : keys) s.add({operation::erase, key});
    }
    const script_record record = table_on_cpu(line, {}).run(s);
    expect_whole(*record.index);
    EXPECT_EQ(view_of(*record.index).live, 0u);
    u64 full = 0;
    for (const auto& batch : record.batches) full += batch.counts.full;
    EXPECT_EQ(full, 0u) << "there is room for 200 at any time";
  }
}

// Erased keys of a cell that moves have no slot where it no longer leads to; inserted again, they are there once.
TEST(gph_tables, forget_erased_keys_of_a_cell_that_moves) {
  const gph_config config = gph_config::of(*config_from_line("GPH room=400 bucket=4"));
  const gph_view table = gph_table(config, gph_buckets(config, 0), 0);
  u64 moved = 0;
  for (u32 bucket = 0; bucket < 12; ++bucket) {
    const auto keys = keys_that(9, [&](u32 key) { return home_of(place_of(key, table), 0, config, table) == bucket; });
    script s(key_width::u32);
    for (u64 i = 0; i < 4; ++i) s.add({operation::insert, keys[i]});
    s.add({operation::erase, keys[0]}), s.add({operation::erase, keys[1]});
    for (u64 i = 4; i < 9; ++i) s.add({operation::insert, keys[i]});
    s.add({operation::insert, keys[0]}), s.add({operation::insert, keys[1]});
    for (const u64 key : keys) s.add({operation::find, key});
    const script_record record = table_on_cpu("GPH room=400 bucket=4", {}).run(s);
    whole_gph whole(*record.index);
    whole.check();
    EXPECT_EQ(view_of(*record.index).live, keys.size());
    moved += whole.cells_changed();
  }
  EXPECT_GT(moved, 12u);
}

// A full spill is a larger spill, another seed, and then more buckets; with grow=off it is refused, and nothing is lost.
TEST(gph_tables, with_a_full_spill_are_built_anew) {
  const auto keys = drawn_keys(600, 2);
  script s(key_width::u32);
  for (const u64 key : keys) s.add({operation::insert, key});
  for (const u64 key : keys) s.add({operation::find, key});
  const script_record grown = table_on_cpu("GPH bucket=2 virtuals=2 load=95 room=560 per_cell=40", {}).run(s);
  expect_whole(*grown.index);
  EXPECT_EQ(grown.contents.found, keys.size());
  EXPECT_GE(testing::stages(grown.batches[0], "rehash") + testing::stages(grown.batches[0], "grow"), 1u);
  const script_record off = table_on_cpu("GPH bucket=2 virtuals=2 load=95 room=560 per_cell=40 grow=off", {}).run(s);
  expect_whole(*off.index);
  EXPECT_GT(off.batches[0].counts.full, 0u);
  EXPECT_EQ(off.contents.found, off.batches[0].counts.added);
}

// What tight_cells says that happens does.
TEST(tight_cells, are_what_their_names_say) {
  std::map<std::string, u64> seen;
  for (const char* line : {"GPH phases=one", "GPH phases=one layout=soa", "GPH phases=one keys=u64",
                           "GPH phases=one bucket=4 virtuals=4", "GPH bucket=16 lanes=2 phases=one", "GPH",
                           "GPH phases=one per_cell=30", "GPH phases=one bits=16", "GPH phases=one bucket=4",
                           "GPH phases=one bucket=4 layout=soa", "GPH phases=one bucket=2 virtuals=4 per_cell=3"}) {
    const index_config config = *config_from_line(line);
    const gph_config knobs = gph_config::of(config);
    for (const tight_start& start : tight_cells(knobs)) {
      SCOPED_TRACE(std::string(line) + ": " + start.name);
      ++seen[start.name];
      ASSERT_GE(start.next.size(), 2u);
      table_on_cpu table(line, start.keys);
      script s(config.keys);
      for (const question& before : start.before) s.add(before);
      const auto record = table.run(s);
      whole_gph whole(*record.index);
      whole.check();
      const gph_view& view = view_of(*record.index);
      EXPECT_EQ(view.seed, 0u) << "built once";
      const auto trace = trace_write(*record.index, operation::insert, start.next[0]);
      ASSERT_TRUE(trace) << trace.error().words;
      EXPECT_EQ(trace->write->done, write_done::added);
      std::optional<u64> mapping;
      std::set<u64> filled;  // buckets
      for (const trace_step& step : trace->steps) {
        for (const watched_value& w : step.watched)
          if (w.name == "to.mapping") mapping = w.value;
        for (const changed_word& c : step.changed)
          if (c.array == gph_region::entries && c.done) filled.insert(c.slot / knobs.bucket);
      }
      const u32 last = spilled_mapping(knobs), all = view.spill * knobs.bucket, most = all - all / 8;
      const auto says = [&](const char* words) { return start.name.find(words) != std::string::npos; };
      if (says("another offset")) {
        EXPECT_EQ(mapping, 0u);
      } else if (says("another mapping")) {
        EXPECT_TRUE(mapping && *mapping > 0 && *mapping < last);
      } else if (says("no mapping")) {
        EXPECT_EQ(mapping, last);
      } else if (says("same last slot")) {
        EXPECT_TRUE(mapping && *mapping < last);
      } else {
        EXPECT_EQ(mapping, std::nullopt) << "nothing has to move";
      }
      if (says("one slot of the spill is left")) {
        EXPECT_EQ(whole.spilled() + 1, most);
        EXPECT_GE(*filled.begin(), view.buckets);
      }
      if (says("its bucket of the spill is full")) {
        EXPECT_EQ(view.spill, 2u);
        EXPECT_EQ(filled, std::set<u64>{view.buckets + 1}) << "it goes on to the next";
      }
    }
  }
  EXPECT_EQ(seen.size(), 8u);
  for (const auto& [name, count] : seen) EXPECT_GE(count, 2u) << name;
}

// Both orders of two inserts: who comes second takes another value for its cell than it would alone.
TEST(tight_cells, in_which_two_cells_want_one_slot_send_the_second_elsewhere) {
  u64 starts = 0;
  for (const char* line : {"GPH phases=one", "GPH phases=one layout=soa", "GPH phases=one bucket=4"}) {
    for (const tight_start& start : tight_cells(gph_config::of(*config_from_line(line)))) {
      if (start.name.find("same last slot") == std::string::npos) continue;
      SCOPED_TRACE(line);
      ++starts;
      const auto cells_after = [&](std::vector<u64> keys) {
        table_on_cpu table(line, start.keys);
        script s(table.width());
        for (const u64 key : keys) s.add({operation::insert, key});
        const auto record = table.run(s);
        expect_whole(*record.index);
        std::vector<u32> words(record.index->bytes(gph_region::cells) / sizeof(u32));
        EXPECT_TRUE(record.index->read(gph_region::cells, 0, std::as_writable_bytes(std::span(words))));
        std::vector<u32> values;
        for (const u64 key : {start.next[0], start.next[1]}) {
          const gph_config knobs = gph_config::of(*config_from_line(line));
          const key_place at = place_of(static_cast<u32>(key), view_of(*record.index));
          values.push_back(value_in(words[at.cell / cells_a_word(knobs)], at.cell, knobs));
        }
        return values;
      };
      const u64 one = start.next[0], other = start.next[1];
      const auto first_alone = cells_after({one}), second_alone = cells_after({other}),
                 in_order = cells_after({one, other}), reversed = cells_after({other, one});
      EXPECT_EQ(in_order[0], first_alone[0]);
      EXPECT_NE(in_order[1], second_alone[1]);
      EXPECT_EQ(reversed[1], second_alone[1]);
      EXPECT_NE(reversed[0], first_alone[0]);
    }
  }
  EXPECT_EQ(starts, 3u);
}

// What finds no slot of the spill is refused, and no entry, cell or latch has changed.
TEST(tight_cells, with_a_spill_that_is_full_refuse_and_change_nothing) {
  u64 refused = 0;
  for (const char* line : {"GPH phases=one", "GPH phases=one layout=soa", "GPH phases=one keys=u64"}) {
    SCOPED_TRACE(line);
    for (const tight_start& start : tight_cells(gph_config::of(*config_from_line(line)))) {
      if (start.name.find("one slot of the spill is left") == std::string::npos) continue;
      table_on_cpu table(std::string(line) + " grow=off", start.keys);
      script s(table.width());
      for (const question& before : start.before) s.add(before);
      s.add({operation::insert, start.next[0]});
      s.add({operation::insert, start.next[1]});
      for (const u64 key : start.keys) s.add({operation::find, key});
      const auto record = table.run(s);
      whole_gph whole(*record.index);
      whole.check();
      u64 full = 0;
      for (const auto& batch : record.batches) full += batch.counts.full;
      EXPECT_EQ(full, 1u);
      EXPECT_EQ(view_of(*record.index).live, start.keys.size() + start.before.size() + 1);
      ++refused;
      const auto trace = trace_write(*record.index, operation::insert, start.next[1]);
      ASSERT_TRUE(trace) << trace.error().words;
      EXPECT_EQ(trace->write->done, write_done::full);
      for (const trace_step& step : trace->steps)
        for (const changed_word& c : step.changed)
          EXPECT_TRUE(c.array != gph_region::entries && c.array != gph_region::cells && c.array != gph_region::rows);
    }
  }
  EXPECT_EQ(refused, 3u);
}

// The table that starts are planned with does as inserts do: each cell has the same value, and as many keys are spilled.
TEST(planned_tables, are_as_inserts_leave_them) {
  u64 moved = 0, spilled = 0;
  for (const char* line : {"GPH phases=one room=300 grow=off", "GPH phases=one room=300 grow=off bucket=4 load=90",
                           "GPH phases=one room=150 grow=off bucket=2 virtuals=4 per_cell=6 load=90",
                           "GPH phases=one room=300 grow=off keys=u64 layout=soa load=90"}) {
    SCOPED_TRACE(line);
    const gph_config config = gph_config::of(*config_from_line(line));
    planned_table planned(config, gph_buckets(config, 0));
    script s(config.keys);
    u64 refused = 0;
    for (const u64 key : drawn_keys(config.room, 4)) {
      const way_in way = planned.insert(key);
      refused += way == way_in::refused;
      moved += way == way_in::by_offset || way == way_in::by_mapping;
      s.add({operation::insert, key});
      s.add({operation::find, key});  // so that each insert is a batch, and they are in order
    }
    const auto record = table_on_cpu(line, {}).run(s);
    whole_gph whole(*record.index);
    whole.check();
    std::vector<std::byte> bytes(record.index->bytes(gph_region::cells));
    EXPECT_TRUE(record.index->read(gph_region::cells, 0, bytes));
    for (u32 cell = 0; cell < planned.view().cells; ++cell) {
      u32 value = 0;
      std::memcpy(&value, bytes.data() + u64{cell} * config.bits / 8, config.bits / 8);
      ASSERT_EQ(planned.value(cell), value) << cell;
    }
    EXPECT_EQ(planned.spilled(), whole.spilled());
    u64 full = 0;
    for (const auto& batch : record.batches) full += batch.counts.full;
    EXPECT_EQ(refused, full);
    spilled += whole.spilled();
  }
  EXPECT_GT(moved, 50u);
  EXPECT_GT(spilled, 10u);
}

}  // namespace
}  // namespace pivotscope
