// Updates that meet in an index: right for every method that changes; and faults that are planted, each found, its line showing
// it again.
#include "core/verify/interleaving.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/families/plain/plain.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "tests/support/conformance.hpp"

namespace pivotscope {
namespace {

using ::testing::HasSubstr;

std::vector<index_config> changing_configs() {
  std::vector<index_config> list;
  for (const family* f : families()) {
    if (!f->changes_one_by_one(f->standard())) continue;
    for (const method& m : f->methods()) {
      for (const index_config& c : testing::conformance_configs(m.name, true)) {
        // What a build does not look at has no part in a write: how a batch of reads is cut, and served.
        const index_config alone = f->for_build(c);
        if (std::find(list.begin(), list.end(), alone) == list.end()) list.push_back(alone);
      }
    }
  }
  return list;
}

// On one key, and on neighbouring ones; on an index that never had it, has it, has it twice, or had it. Every family that
// changes, every value of every knob that writes look at.
TEST(interleaving, all_pairs_of_insert_erase_and_find_come_to_what_some_order_of_them_does) {
  const auto cpu = detail::open_cpu();
  constexpr operation kinds[] = {operation::insert, operation::erase, operation::find};
  u64 schedules = 0, pairs = 0;
  for (const index_config& config : changing_configs()) {
    const u64 greatest = config.keys == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
    for (const u64 key : {u64{5}, greatest - 1}) {
      const interleaved_case begins[] = {{.keys = {key + 1}},
                                         {.keys = {key, key + 1}},
                                         {.keys = {key, key}},
                                         {.keys = {key}, .before = {{operation::erase, key}}}};
      if (key != 5 && config.keys == key_width::u64) continue;  // the ends of one width
      for (const interleaved_case& begin : begins) {
        for (const operation first : kinds) {
          for (const operation second : kinds) {
            for (const u64 other : {key, key + 1}) {
              interleaved_case c = begin;
              c.operations = {{first, key}, {second, other}};
              auto pair = interleaving::make(*cpu, config, c);
              ASSERT_TRUE(pair) << pair.error().words;
              const interleaving_report report = (*pair)->two_switches();
              schedules += report.schedules, ++pairs;
              ASSERT_GE(report.schedules, 4u) << "each may be first, under both orders of stores";
              if (!report.failing) continue;
              c.order = *report.failing;
              FAIL() << report.words << "\npivotscope interleave --config \"" << to_line(config) << "\" --replay \""
                     << to_text(c) << "\"";
            }
          }
        }
      }
    }
  }
  EXPECT_GE(pairs, 200u);
  EXPECT_GE(schedules, 10'000u);
  RecordProperty("schedules", std::to_string(schedules) + " of " + std::to_string(pairs) + " pairs");
}

// Configs that differ in what a write or a tight start looks at.
std::vector<index_config> configs_with_tight_starts(const family& f) {
  std::vector<index_config> list;
  std::set<std::string> seen;
  for (const method& m : f.methods()) {
    for (const index_config& c : testing::conformance_configs(m.name, true)) {
      std::string print = to_line(f.for_build(c));
      for (const tight_start& start : f.tight_starts(c))
        print += to_text({start.keys, start.before, {{operation::insert, start.next[0]}}});
      if (seen.insert(print).second) list.push_back(c);
    }
  }
  return list;
}

// Where an insert makes something happen: a window is full, or all cells are.
TEST(interleaving, all_pairs_from_tight_starts_come_to_what_some_order_of_them_does) {
  const auto cpu = detail::open_cpu();
  for (const family* f : families()) {
    if (!f->changes_one_by_one(f->standard())) continue;
    u64 schedules = 0, pairs = 0;
    for (const index_config& config : configs_with_tight_starts(*f)) {
      for (const tight_start& start : f->tight_starts(config)) {
        ASSERT_GE(start.next.size(), 2u) << start.name;
        const u64 key = start.next[0];
        for (const operation first : all_operations) {
          for (const operation second : all_operations) {
            if (!f->serves(first) || !f->serves(second) || (!is_write(first) && !is_write(second))) continue;
            std::vector<u64> others = start.next;
            others.insert(others.end(), {key + 1, start.keys.front()});
            for (const u64 other : others) {
              interleaved_case c{.keys = start.keys, .before = start.before};
              c.operations = {{first, key}, {second, other}};
              for (question& o : c.operations)
                if (o.kind == operation::range) o.high = o.key + 2;
              auto pair = interleaving::make(*cpu, config, c);
              ASSERT_TRUE(pair) << pair.error().words;
              const interleaving_report report = (*pair)->two_switches();
              schedules += report.schedules, ++pairs;
              ASSERT_GE(report.schedules, 4u) << "each may be first, under both orders of stores";
              if (!report.failing) continue;
              c.order = *report.failing;
              FAIL() << start.name << ": " << report.words << "\npivotscope interleave --config \"" << to_line(config)
                     << "\" --replay \"" << to_text(c) << "\"";
            }
          }
        }
      }
    }
    EXPECT_GE(pairs, 80u) << f->name();
    EXPECT_GT(schedules, 6 * pairs) << f->name() << ": hardly a pair met";
    RecordProperty(std::string(f->name()), std::to_string(schedules) + " schedules of " + std::to_string(pairs));
  }
}

TEST(interleaving, drawn_batches_come_to_what_some_order_of_them_does) {
  const auto cpu = detail::open_cpu();
  for (const family* f : families()) {
    if (!f->changes_one_by_one(f->standard())) continue;
    for (const method& m : f->methods()) {
      for (const char* width : {"", " keys=u64"}) {
        interleaving_counts counts;
        const index_config config = *config_from_line(m.name + width);
        const auto failure = try_interleavings(*cpu, config, 40'000, 3, counts);
        ASSERT_TRUE(failure) << failure.error().words;
        EXPECT_FALSE(*failure) << (**failure).words << ": " << to_text((**failure).failing);
        EXPECT_GE(counts.schedules, 40'000u);
        EXPECT_GT(counts.cases, 1u);
        u64 operations = 0;
        for (const u64 n : counts.operations) operations += n;
        EXPECT_GE(operations, 2 * counts.cases);
        EXPECT_LE(operations, 3 * counts.cases);
      }
    }
  }
}

TEST(interleaving, cases_are_drawn_from_what_a_family_has_and_a_write_is_among_them) {
  const index_config config = *config_from_line("PLAIN");
  u64 seen[operation_count] = {}, tombstones = 0, on_one_key = 0, of_three = 0, tight = 0;
  const std::vector<tight_start> starts = family_of(config).tight_starts(config);
  for (u64 i = 0; i < 500; ++i) {
    const interleaved_case c = draw_interleaved_case(config, 7, i);
    EXPECT_EQ(c, draw_interleaved_case(config, 7, i));
    bool writes = false;
    for (const question& o : c.operations) {
      writes |= is_write(o.kind);
      ++seen[static_cast<u32>(o.kind)];
      EXPECT_TRUE(o.kind != operation::range || o.high >= o.key);
    }
    EXPECT_TRUE(writes);
    of_three += c.operations.size() == 3;
    tight += std::ranges::any_of(starts, [&](const tight_start& s) { return s.keys == c.keys; });
    on_one_key += c.operations[0].key == c.operations[1].key;
    for (const question& o : c.before) {
      EXPECT_TRUE(is_write(o.kind));
      tombstones += o.kind == operation::erase;
    }
    EXPECT_EQ(*interleaved_case_from_text(to_text(c), key_width::u32), c);
  }
  for (const operation kind : all_operations) {
    if (answer_of(kind) == answer_kind::next)
      EXPECT_EQ(seen[static_cast<u32>(kind)], 0u) << "PLAIN has none";
    else
      EXPECT_GT(seen[static_cast<u32>(kind)], 50u) << operation_noun(kind);
  }
  EXPECT_GT(tombstones, 50u);
  EXPECT_GT(on_one_key, 100u);
  EXPECT_GT(of_three, 50u);
  EXPECT_GT(tight, 50u);
  EXPECT_NE(draw_interleaved_case(config, 7, 0), draw_interleaved_case(config, 8, 0));
}

TEST(interleaving, is_refused_in_words) {
  const auto cpu = detail::open_cpu();
  const auto words = [&](const char* line, const interleaved_case& c) {
    return interleaving::make(*cpu, *config_from_line(line), c).error().words;
  };
  EXPECT_THAT(words("EO+BS", {.operations = {{operation::insert, 5}}}),
              HasSubstr("EO+BS is built once, so it has no inserts"));
  EXPECT_THAT(words("EO+BS", {.operations = {{operation::find, 5}}}),
              HasSubstr("EO+BS is built once, so it has no inserts"));
  EXPECT_THAT(words("PLAIN", {.operations = {{operation::successor, 5}}}), HasSubstr("PLAIN has no order"));
  EXPECT_EQ(words("PLAIN", {.operations = std::vector<question>(33)}),
            "there are 33 operations, and at most 32 are interleaved");
  interleaving_counts counts;
  EXPECT_THAT(try_interleavings(*cpu, *config_from_line("EO+BS"), 10, 1, counts).error().words,
              HasSubstr("EO+BS is built once, so it has no inserts"));
  job_control cancelled;
  cancelled.cancel();
  EXPECT_TRUE(try_interleavings(*cpu, *config_from_line("PLAIN"), 10, 1, counts, cancelled).error().cancelled);
}

// --- PLAIN's writes with a fault each ---
using answer_of = script_answer;
write_done planted_own(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                       answer_of& a) {
  return family_of(c).on_trace().interleaved(c, m, v, o, a);
}
constexpr u32 planted_cell = 8;  // of 32-bit keys

write_done row_before_key(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                          answer_of& a) {
  if (o.kind != operation::insert) return planted_own(c, m, v, o, a);
  m.store_part<u32>(main_region, o.row, planted_cell, 4, o.row);
  m.fence();
  m.store_part<u32>(main_region, o.row, planted_cell, 0, static_cast<u32>(o.key));
  return write_done::added;
}
write_done no_fence(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                    answer_of& a) {
  if (o.kind != operation::insert) return planted_own(c, m, v, o, a);
  m.store_part<u32>(main_region, o.row, planted_cell, 0, static_cast<u32>(o.key));
  m.store_part<u32>(main_region, o.row, planted_cell, 4, o.row);
  return write_done::added;
}
write_done same_cell_for_all(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                             answer_of& a) {
  if (o.kind != operation::insert) return planted_own(c, m, v, o, a);
  for (u32 slot = 0;; ++slot) {  // the first that is empty, without taking it first
    if (is_live_row(m.load_part<u32>(main_region, slot, planted_cell, 4))) continue;
    m.store_part<u32>(main_region, slot, planted_cell, 0, static_cast<u32>(o.key));
    m.fence();
    m.store_part<u32>(main_region, slot, planted_cell, 4, o.row);
    return write_done::added;
  }
}
write_done claims_and_forgets(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                              answer_of& a) {
  if (o.kind != operation::insert) return planted_own(c, m, v, o, a);
  m.store_part<u32>(main_region, o.row, planted_cell, 4, claimed_row);
  return write_done::added;
}
write_done erases_the_first(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                            answer_of& a) {
  if (o.kind != operation::erase) return planted_own(c, m, v, o, a);
  const u32 cells = static_cast<u32>(v.as<plain_view>().cells);
  for (u32 slot = 0; slot < cells; ++slot) {
    const u32 row = m.load_part<u32>(main_region, slot, planted_cell, 4);
    if (!is_live_row(row) || m.load_part<u32>(main_region, slot, planted_cell, 0) != o.key) continue;
    m.store_part<u32>(main_region, slot, planted_cell, 4, erased_row);
    return write_done::erased;
  }
  return write_done::absent;
}
write_done erase_says_nothing_was_there(const index_config& c, interleaved_memory& m, const build_view& v,
                                        const question& o, answer_of& a) {
  const write_done done = planted_own(c, m, v, o, a);
  return done == write_done::erased ? write_done::absent : done;
}
write_done counts_nothing(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                          answer_of& a) {
  planted_own(c, m, v, o, a);
  return write_done::not_done;
}
write_done finds_what_was_erased(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                                 answer_of& a) {
  const write_done done = planted_own(c, m, v, o, a);
  for (u32 slot = 0; o.kind == operation::find && a.row == not_found && slot < v.as<plain_view>().cells; ++slot)
    if (m.load_part<u32>(main_region, slot, planted_cell, 0) == o.key &&
        m.load_part<u32>(main_region, slot, planted_cell, 4) == erased_row)
      a.row = slot;
  return done;
}
write_done never_finds(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                       answer_of& a) {
  const write_done done = planted_own(c, m, v, o, a);
  if (o.kind == operation::find && o.row == 0) a.row = not_found;
  return done;
}
// An erase that waits for what never comes.
write_done waits_for_ever(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                          answer_of& a) {
  const bool waits = o.kind == operation::erase && v.as<plain_view>().cells > 0;
  while (waits && m.load_part<u32>(main_region, v.as<plain_view>().cells - 1, planted_cell, 4) == not_found) {
  }
  return planted_own(c, m, v, o, a);
}

write_done writes_beyond(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                         answer_of& a) {
  if (o.kind == operation::insert) m.store_part<u32>(main_region, v.as<plain_view>().cells + 3, planted_cell, 0, 1);
  return planted_own(c, m, v, o, a);
}

// Lanes of a GPU that each load what others write may see different words.
write_done loads_in_all_lanes(const index_config& c, interleaved_memory& m, const build_view& v, const question& o,
                              answer_of& a) {
  m.recorder().all_lanes();
  m.load_part<u32>(main_region, 0, planted_cell, 0);
  return planted_own(c, m, v, o, a);
}

TEST(interleaving, finds_each_planted_fault_and_its_line_shows_it_again) {
  const auto cpu = detail::open_cpu();
  const index_config config = *config_from_line("PLAIN");
  struct planted {
    const char* name;
    interleaving::code perform;
    const char* words;
  };
  for (const planted& p :
       {planted{"row before key", row_before_key, "row"}, planted{"no fence", no_fence, "row"},
        planted{"same cell for all", same_cell_for_all, "row"},
        planted{"claims and forgets", claims_and_forgets, "is there"},
        planted{"erases the first", erases_the_first, "row"},
        planted{"says nothing was there", erase_says_nothing_was_there, "found nothing"},
        planted{"counts nothing", counts_nothing, "does not say what it came to"},
        planted{"finds what was erased", finds_what_was_erased, "row"},
        planted{"never finds", never_finds, "not found"}, planted{"waits for ever", waits_for_ever, "wait"},
        planted{"writes beyond", writes_beyond, "which is not there"},
        planted{"loads in all lanes", loads_in_all_lanes, "in all lanes, which may see different values"}}) {
    SCOPED_TRACE(p.name);
    interleaving_counts counts;
    const auto found = try_interleavings(*cpu, config, 1'000'000, 1, counts, {}, p.perform);
    ASSERT_TRUE(found) << found.error().words;
    ASSERT_TRUE(*found) << "it survives " << counts.schedules << " schedules";
    EXPECT_THAT((**found).words, HasSubstr(p.words));
    const std::string line = to_text((**found).failing);
    const outcome<interleaved_case> again = interleaved_case_from_text(line, config.keys);
    ASSERT_TRUE(again) << again.error().words;
    EXPECT_EQ((*interleaving::make(*cpu, config, *again, p.perform))->run(again->order).fault, (**found).words) << line;
    EXPECT_EQ((*interleaving::make(*cpu, config, *again))->run(again->order).fault, "") << "the family's own is right";
  }
}

// Both inserts say that they added, no read is there to miss one, and only one entry is left.
TEST(interleaving, judges_what_is_left_where_all_answers_are_right) {
  const auto cpu = detail::open_cpu();
  const interleaved_case c{.keys = {5}, .operations = {{operation::insert, 7}, {operation::insert, 8}}};
  const auto pair = interleaving::make(*cpu, *config_from_line("PLAIN"), c, same_cell_for_all);
  ASSERT_TRUE(pair);
  EXPECT_TRUE((*pair)->two_switches().failing);
}

// An access is seen once, in its turn, with the words before and after it.
TEST(interleaving, shows_every_access_of_a_schedule) {
  const auto cpu = detail::open_cpu();
  const interleaved_case c = *interleaved_case_from_text("keys=5 ops=+7,-5 schedule=0:1 1:2 0 1 late", key_width::u32);
  const auto pair = interleaving::make(*cpu, *config_from_line("PLAIN"), c);
  const interleaved_run run = (*pair)->run(c.order);
  EXPECT_EQ(run.fault, "");
  EXPECT_EQ(run.done, (std::vector<write_done>{write_done::added, write_done::erased}));
  using kind = shared_access::kind;
  ASSERT_GE(run.accesses.size(), 8u);
  const std::vector<shared_access> right = {{kind::store, 0, main_region, 8, 4, greatest_key<u32>(), 7, true},
                                            {kind::load, 1, main_region, 0, 8, 5, 5},
                                            {kind::swap, 1, main_region, 4, 4, 0, erased_row},
                                            {kind::arrival, 0, main_region, 8, 4, greatest_key<u32>(), 7},
                                            {kind::fence, 0},
                                            {kind::store, 0, main_region, 12, 4, not_found, 1, true},
                                            {kind::arrival, 0, main_region, 12, 4, not_found, 1},
                                            {kind::load, 1, main_region, 8, 8, 1ull << 32 | 7, 1ull << 32 | 7}};
  EXPECT_EQ(std::vector<shared_access>(run.accesses.begin(), run.accesses.begin() + 8), right);
  EXPECT_EQ((*pair)->row_of(0), 1u);
}

}  // namespace
}  // namespace pivotscope
