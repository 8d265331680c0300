// Homes that are chosen by how full they are: what the placements promise, cell by cell, and tables whose homes are tight.
#include "core/families/cuckoo/by_load.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/families/cuckoo/cuckoo_model.hpp"
#include "core/families/cuckoo/tight_starts.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/index/index_reader.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/verify/interleaving.hpp"
#include "tests/support/table_on_cpu.hpp"

namespace pivotscope {
namespace {

using ::testing::HasSubstr;

// The cells of a table, and what its homes are.
class read_table {
 public:
  explicit read_table(const built_index& index)
      : config_(cuckoo_config::of(index.config())), view_(index.state_as<cuckoo_view>()) {
    const auto model = model_of(index);
    cells_.resize(index.regions()[0].cells);
    index_reader read(index);
    EXPECT_TRUE(model->values_of({main_region, 0, cells_.size()}, std::ref(read), cells_));
    for (u64 c = 0; c < cells_.size(); ++c)
      if (cells_[c].row != not_found) ++taken_[c / config_.bucket];
  }

  const cuckoo_config& config() const { return config_; }
  std::span<const cell_value> cells() const { return cells_; }
  u32 taken(u32 bucket) const {
    const auto at = taken_.find(bucket);
    return at == taken_.end() ? 0 : at->second;
  }
  u32 home(u64 key, u32 i) const {
    return config_.keys == key_width::u32 ? home_of(static_cast<u32>(key), i, view_) : home_of(key, i, view_);
  }
  bool is_stash(u64 cell) const { return cell / config_.bucket >= view_.buckets; }
  std::vector<u32> loads(u64 key) const {
    std::vector<u32> list;
    for (u32 i = 0; i < config_.homes; ++i) list.push_back(taken(home(key, i)));
    return list;
  }
  // Where a new key goes, by the rule as docs/cuckoo.md has it; the greatest number: its homes are full.
  u64 cell_for(u64 key) const {
    const std::vector<u32> load = loads(key);
    const bool iceberg = config_.placement == cuckoo_placement::iceberg;
    u32 at = 0;
    if (!iceberg || load[0] >= config_.bucket * 8 / 10) {
      at = iceberg ? 1 : 0;
      for (u32 i = at + 1; i < config_.homes; ++i)
        if (load[i] < load[at]) at = i;
      if (iceberg && load[at] == config_.bucket) at = 0;
    }
    return load[at] == config_.bucket ? ~u64{0} : u64{home(key, at)} * config_.bucket + load[at];
  }

 private:
  cuckoo_config config_;
  cuckoo_view view_;
  std::vector<cell_value> cells_;
  std::map<u64, u32> taken_;
};

std::vector<u64> scattered_keys(u64 count, u64 seed) {
  std::vector<u64> keys(count);
  for (u64 i = 0; i < count; ++i) keys[i] = hash_of(static_cast<u32>(i) * 2654435761u + static_cast<u32>(seed));
  return keys;
}

constexpr const char* by_load_lines[] = {
    "HT+CUCKOO homes=2 bucket=32 lanes=4 placement=lighter",
    "HT+CUCKOO homes=2 bucket=16 lanes=2 load=60 layout=soa placement=lighter",
    "HT+CUCKOO homes=4 bucket=8 lanes=1 load=60 keys=u64 placement=lighter",
    "HT+CUCKOO homes=3 bucket=32 lanes=4 load=75 placement=iceberg",
    "HT+CUCKOO homes=3 bucket=16 lanes=2 load=60 keys=u64 layout=soa placement=iceberg",
    "HT+CUCKOO homes=2 bucket=16 lanes=2 load=40 placement=iceberg",
    "HT+CUCKOO homes=4 bucket=8 lanes=1 load=40 placement=iceberg"};

// Cells of the region of entries that a write changed, in order.
std::vector<u64> entries_changed(const lookup_trace& trace) {
  std::vector<u64> list;
  for (const trace_step& step : trace.steps)
    for (const changed_word& word : step.changed)
      if (word.array == cuckoo_region::entries) list.push_back(word.slot);
  return list;
}

TEST(cuckoo_by_load, puts_a_new_key_where_the_rule_says) {
  u64 asked = 0, in_first = 0;
  for (const char* line : by_load_lines) {
    for (const u64 percent : {0, 3, 30, 60, 90, 100}) {
      SCOPED_TRACE(fmt::format("{}, {} of 100", line, percent));
      constexpr u64 all = 3000;
      testing::table_on_cpu table(std::string(line) + " room=3000", scattered_keys(all * percent / 100, 5));
      const auto index = table.built();
      const read_table read(*index);
      for (const u64 key : scattered_keys(150, 77)) {
        const auto trace = trace_write(*index, operation::insert, key);
        ASSERT_TRUE(trace);
        ASSERT_EQ(trace->write->done, write_done::added);
        const std::vector<u64> changed = entries_changed(*trace);
        ASSERT_FALSE(changed.empty());
        const u64 wanted = read.cell_for(key);
        if (wanted == ~u64{0})
          EXPECT_TRUE(read.is_stash(changed.back()));
        else
          EXPECT_EQ(changed.back(), wanted) << key;
        ++asked, in_first += changed.back() / read.config().bucket == read.home(key, 0);
      }
    }
  }
  EXPECT_GE(asked, 6000u);
  EXPECT_GT(in_first, 2000u);
  EXPECT_LT(in_first, 5500u);
}

// The inequalities by which a search ends early, in tables that several threads filled at once; and each key lies once.
TEST(cuckoo_by_load, homes_before_an_entry_have_more_taken_cells_than_it) {
  u64 later = 0;
  for (const char* line : by_load_lines) {
    for (u64 seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", line, seed));
      testing::table_on_cpu table(line, scattered_keys(1 << 14, seed));
      const read_table read(*table.built());
      const cuckoo_config& c = read.config();
      std::map<u64, u64> times;
      for (u64 cell = 0; cell < read.cells().size(); ++cell) {
        if (read.cells()[cell].row == not_found) continue;
        const u64 key = *read.cells()[cell].key;
        EXPECT_EQ(++times[key], 1u);
        const std::vector<u32> loads = read.loads(key);
        const u32 bucket = static_cast<u32>(cell / c.bucket), place = static_cast<u32>(cell % c.bucket);
        u32 at = 0;
        while (at < c.homes && read.home(key, at) != bucket) ++at;
        if (at == c.homes) {
          EXPECT_TRUE(read.is_stash(cell));
          for (const u32 load : loads) EXPECT_EQ(load, c.bucket);
          continue;
        }
        const bool iceberg = c.placement == cuckoo_placement::iceberg;
        if (iceberg && at > 0) {
          EXPECT_GE(loads[0], c.bucket * 8 / 10);
        }
        for (u32 i = iceberg ? 1 : 0; i < at; ++i) EXPECT_GT(loads[i], place) << "home " << i << " before " << at;
        later += at > 0;
      }
      EXPECT_EQ(times.size(), 1u << 14);
    }
  }
  EXPECT_GT(later, 50'000u);
}

// All operations of a batch run at once: of several inserts of one key one adds it.
TEST(cuckoo_by_load, keeps_a_key_once_however_many_insert_it) {
  for (const char* line : by_load_lines) {
    SCOPED_TRACE(line);
    testing::table_on_cpu table(line, {});
    script s(table.width());
    for (u64 i = 0; i < 20'000; ++i) s.add({operation::insert, i % 4'000 / 2 * 7});
    const script_record record = table.run(s);
    EXPECT_EQ(record.contents.found, 2'000u);
    EXPECT_EQ(record.batches[0].counts.added, 2'000u);
    EXPECT_EQ(record.batches[0].counts.replaced, 18'000u);
  }
}

// A batch of more keys than there is room for: the table grows, or refuses and loses nothing.
TEST(cuckoo_by_load, grows_or_refuses_where_no_home_has_room) {
  for (const char* line : by_load_lines) {
    SCOPED_TRACE(line);
    for (const char* grow : {" grow=off stash=1", " grow=on stash=0"}) {
      testing::table_on_cpu table(std::string(line) + grow, {1, 2, 3});
      script s(table.width());
      for (u64 i = 0; i < 500; ++i) s.add({operation::insert, 10 + i});
      for (u64 i = 0; i < 500; ++i) s.add({operation::find, 10 + i});
      const script_record record = table.run(s);
      const write_counts& counts = record.batches[0].counts;
      EXPECT_EQ(counts.added + counts.full, 500u);
      EXPECT_EQ(counts.full > 0, std::string_view(grow).starts_with(" grow=off"));
      EXPECT_EQ(record.contents.found, counts.added + 3);
    }
  }
}

// Erased entries keep their cells, until they are as many that a clean-up pays.
TEST(cuckoo_by_load, tables_that_change_all_the_time_stay_as_large_as_they_are) {
  for (const char* line : by_load_lines) {
    SCOPED_TRACE(line);
    std::vector<u64> keys(4096);
    for (u64 i = 0; i < keys.size(); ++i) keys[i] = i;
    testing::table_on_cpu table(line, keys);
    script s(table.width());
    for (u64 round = 0; round < 30; ++round) {
      for (u64 i = 0; i < 512; ++i) s.add({operation::erase, round * 512 + i});
      for (u64 i = 0; i < 512; ++i) s.add({operation::insert, 4096 + round * 512 + i});
    }
    const script_record record = table.run(s);
    EXPECT_EQ(record.contents.found, 4096u);
    EXPECT_EQ(record.index->state_as<cuckoo_view>().buckets, cuckoo_buckets(cuckoo_config::of(table.config()), 4096));
  }
}

// What tight_loads says that the homes of the next key are.
bool is_as_named(const std::string& name, const std::vector<u32>& loads, const cuckoo_config& c) {
  const auto all = [&](std::size_t from, std::size_t end, u32 load) {
    return std::all_of(loads.begin() + static_cast<std::ptrdiff_t>(from),
                       loads.begin() + static_cast<std::ptrdiff_t>(end), [&](u32 l) { return l == load; });
  };
  const std::size_t homes = loads.size();
  if (name == "all homes have as many taken cells") return loads[0] > 0 && all(0, homes, loads[0]);
  if (name == "the first home is one short of its threshold") return loads[0] + 1 == threshold(c);
  if (name == "the first home is at its threshold, and the others have as many taken cells")
    return loads[0] == threshold(c) && all(1, homes, loads[1]);
  if (name == "all homes but the first are full") return loads[0] == threshold(c) && all(1, homes, c.bucket);
  if (name == "the last home is one short of full, and the others are full")
    return loads[homes - 1] + 1 == c.bucket && all(0, homes - 1, c.bucket);
  return name == "all homes are full" && all(0, homes, c.bucket);
}

TEST(tight_loads, are_what_their_names_say) {
  std::map<std::string, u64> seen;
  for (const key_width width : {key_width::u32, key_width::u64})
    for (const cell_layout layout : {cell_layout::aos, cell_layout::soa})
      for (const u32 bucket : {8u, 16u, 32u})
        for (const u32 homes : {2u, 3u, 4u})
          for (const cuckoo_placement placement : {cuckoo_placement::lighter, cuckoo_placement::iceberg}) {
            cuckoo_config config{.keys = width,
                                 .lanes = bucket / 8,
                                 .bucket = bucket,
                                 .homes = homes,
                                 .layout = layout,
                                 .placement = placement};
            config.load = std::min(config.load, greatest_load(config));
            if (config.load == 0) continue;
            for (const tight_start& start : tight_loads(config)) {
              SCOPED_TRACE(to_line(index_config(config)) + ": " + start.name);
              ++seen[start.name];
              testing::table_on_cpu table(to_line(index_config(config)), start.keys);
              const auto index = table.built();
              const read_table read(*index);
              EXPECT_TRUE(is_as_named(start.name, read.loads(start.next[0]), config));
              EXPECT_EQ(read.cell_for(start.next[0]), read.cell_for(start.next[1])) << "they meet";
              EXPECT_EQ(index->state_as<cuckoo_view>().seed, 0u);
              EXPECT_EQ(index->state_as<cuckoo_view>().stashed, 0u);
            }
          }
  EXPECT_EQ(seen.size(), 6u);
  for (const auto& [name, count] : seen) EXPECT_GE(count, 12u) << name;
}

// Two inserts of one key must not choose different homes; nor must a search end before it has seen the key.
TEST(tight_loads, of_other_shapes_are_right_in_all_schedules_of_two_switches) {
  const auto cpu = detail::open_cpu();
  constexpr operation kinds[] = {operation::insert, operation::erase, operation::find};
  u64 schedules = 0, pairs = 0;
  for (const char* line : {"HT+CUCKOO homes=2 bucket=8 lanes=1 load=40 placement=lighter",
                           "HT+CUCKOO homes=2 bucket=8 lanes=1 load=40 layout=soa placement=lighter",
                           "HT+CUCKOO homes=3 bucket=8 lanes=1 load=40 layout=soa keys=u64 placement=iceberg"}) {
    const index_config config = *config_from_line(line);
    for (const tight_start& start : family_of(config).tight_starts(config)) {
      for (const operation first : kinds) {
        for (const operation second : kinds) {
          if (!is_write(first) && !is_write(second)) continue;
          for (const u64 other : start.next) {
            interleaved_case c{.keys = start.keys, .before = start.before};
            c.operations = {{first, start.next[0]}, {second, other}};
            auto pair = interleaving::make(*cpu, config, c);
            ASSERT_TRUE(pair) << pair.error().words;
            const interleaving_report report = (*pair)->two_switches();
            schedules += report.schedules, ++pairs;
            ASSERT_FALSE(report.failing) << line << ", " << start.name << ": " << report.words;
          }
        }
      }
    }
  }
  EXPECT_GE(pairs, 150u);
  RecordProperty("schedules", std::to_string(schedules) + " of " + std::to_string(pairs) + " pairs");
}

TEST(cuckoo_by_load, refuses_in_words_what_does_not_go_together) {
  const auto why = [](const char* line) {
    const auto config = config_from_line(line);
    EXPECT_FALSE(config);
    return config ? std::string() : config.error().words;
  };
  EXPECT_THAT(why("HT+CUCKOO homes=1 bucket=32 lanes=4 load=20 placement=lighter"),
              HasSubstr("homes=1 placement=lighter: with one home there is no other to choose"));
  EXPECT_THAT(why("HT+CUCKOO homes=2 bucket=1 lanes=1 load=20 placement=iceberg"),
              HasSubstr("bucket=1 homes=2 placement=iceberg: without evictions buckets so small fill too unevenly"));
  EXPECT_THAT(why("HT+CUCKOO homes=2 bucket=8 load=95 placement=lighter"),
              HasSubstr("beyond which homes=2 bucket=8 placement=lighter would not find room for all keys"));
  EXPECT_THAT(why("HT+CUCKOO placement=heavier"), HasSubstr("evict, lighter, iceberg"));
}

// A line as it was before there were placements says what it said.
TEST(cuckoo_by_load, is_not_what_a_config_without_a_placement_means) {
  EXPECT_EQ(cuckoo_config::of(*config_from_line("HT+CUCKOO load=95")).placement, cuckoo_placement::evict);
  EXPECT_EQ(to_line(*config_from_line("HT+CUCKOO load=95 placement=evict")), "HT+CUCKOO load=95");
}

}  // namespace
}  // namespace pivotscope
