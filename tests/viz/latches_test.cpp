// Who holds which latch, and who waits for whom, as accesses tell.
#include "viz/models/latches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/verify/access_words.hpp"
#include "core/verify/interleaving.hpp"
#include "viz/models/step_reader.hpp"

namespace pivotscope {
namespace {

namespace latch_bars {

struct meeting {
  std::unique_ptr<machine> cpu = detail::open_cpu();
  std::unique_ptr<interleaving> made;
  interleaved_run run;
  viz::latch_story story;

  meeting(const char* config, const char* line) {
    const index_config c = *config_from_line(config);
    meet(c, *interleaved_case_from_text(line, c.keys));
  }
  meeting(const index_config& c, const interleaved_case& of) { meet(c, of); }

  void meet(const index_config& c, const interleaved_case& of) {
    auto ready = interleaving::make(*cpu, c, of);
    made = std::move(*ready);
    run = made->run(of.order);
    EXPECT_EQ(run.fault, "");
    story = viz::latches_of(*made->model(), run.accesses);
  }
  std::size_t count(std::string_view begin, bool claims) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        story.held, [&](const viz::latch_held& h) { return h.is_claim == claims && h.name.starts_with(begin); }));
  }
};

// Two inserts from a tight start, the first of which is let go on after so many accesses.
interleaved_case two_inserts(const tight_start& start, u32 accesses) {
  interleaved_case of{.keys = start.keys, .before = start.before};
  of.operations = {{operation::insert, start.next[0]}, {operation::insert, start.next[1]}};
  of.order = {{{0, accesses}, {1, accesses}, {0}, {1}}};
  return of;
}
tight_start start_named(const index_config& config, std::string_view words) {
  for (tight_start& start : family_of(config).tight_starts(config))
    if (start.name.find(words) != std::string::npos) return start;
  ADD_FAILURE() << words;
  return {};
}

// What a model tells of its words is so in every run: an operation takes what is free and lets go of its own alone, and all
// is free at the end.
void expect_all_let_go(const meeting& m) {
  const std::size_t all = m.run.accesses.size();
  for (const viz::latch_held& h : m.story.held) {
    EXPECT_LT(h.first, h.end) << h.name;
    EXPECT_LE(h.end, all);
    const auto meets = [&](const viz::latch_held& other) {
      return &other != &h && other.at == h.at && other.first < h.end && h.first < other.end;
    };
    EXPECT_TRUE(std::ranges::none_of(m.story.held, meets)) << h.name << ": held by two";
    EXPECT_EQ(m.run.accesses[h.first].task, h.task);
    // At its end the word says that it is free.
    const shared_access& last = m.run.accesses[h.end - 1];
    if (last.what == shared_access::kind::fence) continue;
    const auto latch = latched(*m.made->model())->latch_in(last.region, last.byte, last.bytes);
    ASSERT_TRUE(latch) << h.name << " is held for ever";
    EXPECT_EQ(latch->at, h.at);
    EXPECT_FALSE(latch->is_held(last.after)) << h.name;
  }
  for (const viz::latch_wait& wait : m.story.waits) {
    EXPECT_NE(m.run.accesses[wait.access].task, m.story.held[wait.held].task);
    EXPECT_TRUE(m.story.held[wait.held].at_access(wait.access));
  }
}

}  // namespace latch_bars

TEST(latches, are_held_from_the_access_that_takes_them_to_the_one_that_lets_them_go) {
  const latch_bars::meeting m("BTREE node=8 fill=100", "keys=10,20,30,40,50,60,70 ops=+45 schedule=0");
  ASSERT_EQ(m.story.held.size(), 2u);
  const viz::latch_held &leaf = m.story.held[0], &parent = m.story.held[1];
  EXPECT_EQ(leaf.name, "leaf 0");
  EXPECT_EQ(parent.name, "the root");
  EXPECT_EQ(leaf.lane, 0u);
  EXPECT_EQ(parent.lane, 1u) << "beside the other, which is still held";
  EXPECT_EQ(m.story.lanes(), 2u);
  EXPECT_LT(leaf.first, parent.first);
  EXPECT_LT(parent.end, leaf.end);
  EXPECT_EQ(leaf.end, m.run.accesses.size()) << "the last access lets it go";
  EXPECT_EQ(m.run.accesses[leaf.first].what, shared_access::kind::set_bits);
  EXPECT_EQ(m.run.accesses[parent.end - 1].what, shared_access::kind::store);
  EXPECT_TRUE(m.story.waits.empty());
  EXPECT_EQ(m.story.wait_at(0), nullptr);
}

TEST(latches, that_another_operation_holds_are_waited_for) {
  const latch_bars::meeting m("BTREE node=8 fill=100", "keys=10,20,30,40,50,60,70 ops=+45,-60 schedule=0:18 1:12 0 1");
  ASSERT_FALSE(m.story.waits.empty());
  const viz::latch_wait& wait = m.story.waits.front();
  EXPECT_EQ(m.run.accesses[wait.access].task, 1u);
  EXPECT_EQ(m.story.held[wait.held].task, 0u);
  EXPECT_EQ(m.story.held[wait.held].name, "leaf 0");
  EXPECT_EQ(m.story.wait_at(wait.access), &wait);
  EXPECT_TRUE(m.story.held[wait.held].at_access(wait.access));
}

TEST(latches, that_are_let_go_late_are_held_until_others_see_it) {
  const latch_bars::meeting m("BTREE node=8", "keys=10 ops=+20 schedule=0 late");
  ASSERT_EQ(m.story.held.size(), 1u);
  EXPECT_EQ(m.run.accesses[m.story.held[0].end - 1].what, shared_access::kind::arrival);
}

// An eviction: the key's latch from begin to end, in it a claim of the cell with room and of each entry that moves.
TEST(latches, of_an_eviction_are_its_keys_and_the_cells_that_it_claims) {
  for (const char* line : {"HT+CUCKOO bucket=1 lanes=1 layout=soa"}) {
    SCOPED_TRACE(line);
    const index_config config = *config_from_line(line);
    const tight_start start = latch_bars::start_named(config, "two entries have to move");
    interleaved_case alone{
        .keys = start.keys, .before = start.before, .operations = {{operation::insert, start.next[0]}}};
    const latch_bars::meeting m(config, alone);
    latch_bars::expect_all_let_go(m);
    EXPECT_EQ(m.count("the keys of counter ", false), 1u);
    EXPECT_EQ(m.count("entry ", true), 3u) << "the cell with room, and two entries";
    const viz::latch_held& key = m.story.held.front();
    EXPECT_FALSE(key.is_claim);
    for (const viz::latch_held& h : m.story.held) EXPECT_TRUE(key.first <= h.first && h.end <= key.end) << h.name;
    EXPECT_EQ(m.story.lanes(), 4u) << "all at once";
    EXPECT_TRUE(m.story.waits.empty());
  }
}

// A refinement: its cell's latch from begin to end, and in it those of the buckets to which its keys go.
TEST(latches, of_a_refinement_are_its_cells_and_its_buckets) {
  for (const char* line : {"GPH phases=one", "GPH phases=one layout=soa", "GPH phases=one keys=u64"}) {
    SCOPED_TRACE(line);
    const index_config config = *config_from_line(line);
    const tight_start start = latch_bars::start_named(config, "another offset");
    interleaved_case alone{
        .keys = start.keys, .before = start.before, .operations = {{operation::insert, start.next[0]}}};
    const latch_bars::meeting m(config, alone);
    latch_bars::expect_all_let_go(m);
    ASSERT_FALSE(m.story.held.empty());
    const viz::latch_held& cell = m.story.held.front();
    EXPECT_TRUE(cell.name.starts_with("cell")) << cell.name;
    EXPECT_EQ(m.count("cell", false), 1u);
    EXPECT_GE(m.count("bucket", false), 2u);
    const bool one_word = std::string_view(line) == "GPH phases=one";
    EXPECT_EQ(m.count("entry ", true) > 0, !one_word) << "an entry of one word is swapped, not claimed";
    for (const viz::latch_held& h : m.story.held) EXPECT_TRUE(cell.first <= h.first && h.end <= cell.end) << h.name;
  }
}

// Wherever two inserts are switched; and somewhere one meets what the other holds.
TEST(latches, of_tables_whose_entries_move_are_let_go_in_every_order) {
  std::map<std::string, std::set<std::string>> waited_for;
  for (const char* line :
       {"HT+CUCKOO bucket=1 lanes=1 layout=soa", "GPH phases=one", "GPH phases=one bucket=4 layout=soa"}) {
    SCOPED_TRACE(line);
    const index_config config = *config_from_line(line);
    for (const tight_start& start : family_of(config).tight_starts(config)) {
      for (u32 accesses = 1; accesses < 160; accesses += 5) {
        SCOPED_TRACE(start.name + ", " + std::to_string(accesses));
        interleaved_case of = latch_bars::two_inserts(start, accesses);
        of.order.stores = accesses % 2 == 0 ? store_order::late : store_order::at_once;
        const latch_bars::meeting m(config, of);
        latch_bars::expect_all_let_go(m);
        for (const viz::latch_wait& wait : m.story.waits)
          waited_for[line].insert(m.story.held[wait.held].name.substr(0, 3));
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
  for (const auto& [line, names] : waited_for) {
    const bool is_gph = line.starts_with("GPH");
    if (is_gph) {
      EXPECT_TRUE(names.contains("cel")) << line;
      EXPECT_TRUE(names.contains("buc")) << line;
    } else {
      EXPECT_TRUE(names.contains("the")) << line << ": the keys of a counter";
    }
  }
  EXPECT_EQ(waited_for.size(), 3u);
}

TEST(latches, have_their_words_in_accesses) {
  const index_config config = *config_from_line("GPH phases=one");
  const tight_start start = latch_bars::start_named(config, "another offset");
  interleaved_case alone{.keys = start.keys, .operations = {{operation::insert, start.next[0]}}};
  const latch_bars::meeting m(config, alone);
  std::string all;
  for (const shared_access& a : m.run.accesses) all += access_text(*m.made->model(), a) + "\n";
  EXPECT_NE(all.find(" moves: 0 -> 0, latched\n"), all.npos) << all;
  EXPECT_NE(all.find(" moves: 0, latched -> 0, moving, latched\n"), all.npos);
  EXPECT_NE(all.find(" moves: 1, latched -> 1\n"), all.npos);
  EXPECT_NE(all.find(": free -> row " + std::to_string(start.keys.size()) + "\n"), all.npos);
}

TEST(latches, are_none_where_a_family_has_none) {
  const latch_bars::meeting m("HT+OA", "keys=5,3 ops=+7,+7 schedule=0:3 1");
  EXPECT_TRUE(m.story.held.empty());
  EXPECT_TRUE(m.story.waits.empty());
}

TEST(step_reader, reads_what_the_steps_so_far_stored) {
  lookup_trace trace;
  trace.steps.resize(2);
  trace.steps[0].changed.push_back({.array = main_region, .slot = 1, .offset = 4, .bytes = 4, .before = 0, .after = 7});
  trace.steps[1].changed.push_back({.array = main_region, .slot = 1, .offset = 0, .bytes = 8, .before = 0, .after = 9});
  trace.steps[1].changed.push_back(
      {.array = main_region, .slot = 2, .offset = 0, .bytes = 8, .before = 0, .after = 5, .done = false});
  const std::shared_ptr<const index_model> model = model_of(*config_from_line("PLAIN"), 4);
  const region_reader zeros = [](region_id, u64, std::span<std::byte> out) {
    std::fill(out.begin(), out.end(), std::byte{0});
    return true;
  };
  const auto word = [&](u32 steps, u64 byte) {
    u64 value = 0;
    std::byte bytes[8];
    EXPECT_TRUE(viz::after_steps(zeros, *model, trace, steps)(main_region, byte, bytes));
    std::memcpy(&value, bytes, 8);
    return value;
  };
  EXPECT_EQ(word(0, 8), 0u);
  EXPECT_EQ(word(1, 8), u64{7} << 32);
  EXPECT_EQ(word(2, 8), 9u);
  EXPECT_EQ(word(1, 4), 0u);
  EXPECT_EQ(word(2, 16), 0u) << "a swap that was not done";
}

}  // namespace
}  // namespace pivotscope
