// What an insert does that finds a latch taken, and what fences are for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "core/families/btree/btree.hpp"
#include "core/families/btree/tight_starts.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/index/latched_model.hpp"
#include "core/index/operations.hpp"
#include "core/simt/host.hpp"
#include "core/verify/interleaving.hpp"

namespace pivotscope {
namespace {

// Two inserts into a leaf: the first one is stopped while it has the latch. Returns how often the second one reads inner nodes.
u64 reads_of_inner_nodes(const std::string& line) {
  const auto cpu = detail::open_cpu();
  const auto made =
      interleaving::make(*cpu, *config_from_line(line),
                         {.keys = {10, 20}, .operations = {{operation::insert, 15}, {operation::insert, 16}}});
  EXPECT_TRUE(made) << made.error().words;
  u32 until_latched = 0;
  for (const shared_access& a : (*made)->run({}).accesses) {
    if (a.task != 0) continue;
    ++until_latched;
    if (a.what == shared_access::kind::set_bits) break;
  }
  const interleaved_run ran = (*made)->run({{{0, until_latched}, {1}, {0}, {1}}});
  EXPECT_EQ(ran.fault, "") << line;
  EXPECT_EQ(ran.done, (std::vector<write_done>{write_done::added, write_done::added})) << line;
  return static_cast<u64>(std::ranges::count_if(ran.accesses, [](const shared_access& a) {
    return a.task == 1 && a.region == btree_region::inner && a.what != shared_access::kind::fence;
  }));
}

TEST(latch_waits, begin_again_from_the_root_or_stay_at_the_latch) {
  for (const std::string layout : {"", " layout=soa", " keys=u64"}) {
    const u64 restart = reads_of_inner_nodes("BTREE node=8 lanes=1" + layout);
    const u64 spin = reads_of_inner_nodes("BTREE node=8 lanes=1 wait=spin" + layout);
    EXPECT_GE(restart, 2 * spin) << layout;
    EXPECT_EQ(reads_of_inner_nodes("BTREE node=8 lanes=1 wait=backoff" + layout), spin) << layout;
  }
}

// Without fences a GPU's tree may lack a separator for good.
TEST(fences, left_out_let_an_insert_give_up_that_would_go_round_for_ever) {
  const auto cpu = detail::open_cpu();
  const index_config config = *config_from_line("BTREE node=8 lanes=1 fill=100 fences=none look=each");
  key_array keys(std::vector<u32>{10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140});
  const auto set = *key_set::load(*cpu, std::move(keys), {});
  const auto index = *cpu->build(config, set->resident(), {});
  std::vector<std::vector<std::byte>> cells;
  build_view view;
  std::memcpy(view.found_by.state, index->state().data(), index->state().size());
  for (std::size_t r = 0; r < model_of(*index)->regions().size(); ++r) {
    const region_id region{static_cast<u8>(r)};
    cells.emplace_back(index->bytes(region));
    ASSERT_TRUE(index->read(region, 0, cells.back()));
    view.regions[r] = cells.back().data();
  }
  entry_cell<u32> separator;
  std::byte* const second = cells[number_of(btree_region::inner)].data() + sizeof separator;
  std::memcpy(&separator, second, sizeof separator);
  ASSERT_EQ(separator.key, 80u);
  separator = {greatest_key<u32>(), not_found};
  std::memcpy(second, &separator, sizeof separator);
  const dynamic_config here{btree_config::of(config)};
  host_writing writing(view, 1);
  EXPECT_EQ(btree::insert(here, writing.lanes, writing.memory, view, 95u, 14u), write_done::not_done);
  EXPECT_EQ(btree::insert(here, writing.lanes, writing.memory, view, 20u, 14u), write_done::replaced);
}

// Stores that no fence orders may be seen in another order: a reader loses a key that is there.
TEST(fences, left_out_let_a_schedule_fail_that_holds_with_them) {
  const auto cpu = detail::open_cpu();
  for (const char* fences : {"on", "none"}) {
    const index_config config =
        *config_from_line(std::string("BTREE node=8 lanes=1 keys=u64 layout=soa fences=") + fences);
    u64 failing = 0, tried = 0;
    for (const tight_start& start : family_of(config).tight_starts(config)) {
      std::vector<u64> keys = start.keys;
      for (const question& o : start.before) keys.push_back(o.key);
      const u64 greatest = *std::ranges::max_element(keys);
      const auto pair =
          interleaving::make(*cpu, config,
                             {.keys = start.keys,
                              .before = start.before,
                              .operations = {{operation::insert, start.next[0]}, {operation::find, greatest}}});
      ASSERT_TRUE(pair) << pair.error().words;
      failing += (*pair)->two_switches().failing.has_value();
      ++tried;
    }
    EXPECT_GE(tried, 3u);
    EXPECT_EQ(failing > 0, std::string(fences) == "none") << fences;
  }
}

// It is set by hand, with a caution: nothing draws or proposes it.
TEST(fences, left_out_are_named_wrong) {
  const auto config = config_from_line("BTREE fences=none");
  ASSERT_TRUE(config) << config.error().words;
  const family& btree = family_of(*config);
  ASSERT_TRUE(btree.caution(*config));
  EXPECT_TRUE(btree.caution(*config)->starts_with("fences=none is wrong")) << *btree.caution(*config);
  EXPECT_FALSE(btree.caution(btree.standard()));
  for (const axis& a : btree.axes()) {
    if (a.name != "fences") continue;
    EXPECT_EQ(a.values, std::vector<std::string>{"on"});
  }
  EXPECT_NE(config_from_line("BTREE fences=few").error().words.find("one of on, none"), std::string::npos);
}

// An insert that splits a leaf, and a find of a key that moves: of two schedules with the same switch one loses it.
TEST(links, left_out_let_a_lookup_lose_a_key_while_its_leaf_is_half_split) {
  const auto cpu = detail::open_cpu();
  for (const std::string layout : {"", " layout=soa", " keys=u64"}) {
    for (const char* links : {"on", "none"}) {
      const auto pair = interleaving::make(
          *cpu, *config_from_line("BTREE node=8 lanes=1 fill=100" + layout + " links=" + links),
          {.keys = {10, 20, 30, 40, 50, 60, 70}, .operations = {{operation::insert, 45}, {operation::find, 60}}});
      ASSERT_TRUE(pair) << pair.error().words;
      const interleaving_report report = (*pair)->two_switches();
      EXPECT_GE(report.schedules, 4u);
      ASSERT_EQ(report.failing.has_value(), std::string(links) == "none") << layout << ": " << report.words;
      if (report.failing) {
        EXPECT_NE(report.words.find("60"), std::string::npos) << report.words;
      }
    }
  }
  EXPECT_TRUE(family_of(*config_from_line("BTREE"))
                  .caution(*config_from_line("BTREE links=none"))
                  ->starts_with("links=none is wrong"));
}

// Latches that an operation holds at once, and takes in all.
struct latches_taken {
  u64 most = 0, all = 0;
};
latches_taken latches_of(const std::string& line, const question& asked) {
  const auto cpu = detail::open_cpu();
  std::vector<u64> keys;
  for (u64 key = 10; key <= 600; key += 10) keys.push_back(key);
  const auto made = interleaving::make(*cpu, *config_from_line(line), {.keys = keys, .operations = {asked}});
  EXPECT_TRUE(made) << made.error().words;
  const interleaved_run ran = (*made)->run({});
  EXPECT_EQ(ran.fault, "") << line;
  const latched_model* const model = latched(*(*made)->model());
  latches_taken taken;
  u64 held = 0;
  for (const shared_access& a : ran.accesses) {
    const auto latch = model->latch_in(a.region, a.byte, a.bytes);
    if (!latch) continue;
    const bool was = (a.before & latch->bits) != 0, is = (a.after & latch->bits) != 0;
    if (!was && is && a.what == shared_access::kind::set_bits) ++held, ++taken.all;
    if (was && !is) --held;
    taken.most = std::max(taken.most, held);
  }
  EXPECT_EQ(held, 0u) << line;
  return taken;
}

// Root, inner node, leaf: a coupling write takes all three, two at a time.
TEST(latch_coupling, takes_a_latch_on_each_level_and_holds_two_at_most) {
  for (const std::string layout : {"", " layout=soa", " keys=u64"}) {
    for (const operation kind : {operation::insert, operation::erase}) {
      const question asked{kind, 250};
      const latches_taken changed = latches_of("BTREE node=8 lanes=1 fill=57" + layout, asked),
                          coupled = latches_of("BTREE node=8 lanes=1 fill=57 latches=coupled" + layout, asked);
      EXPECT_EQ(changed.all, 1u) << layout;
      EXPECT_EQ(changed.most, 1u) << layout;
      EXPECT_EQ(coupled.all, 3u) << layout;
      EXPECT_EQ(coupled.most, 2u) << layout;
    }
  }
}

// An insert that splits a leaf, an inner node or the root, and another write, of the greatest key or of the next one.
TEST(writes_that_meet, with_coupled_latches_or_old_nodes_come_to_what_some_order_of_them_does) {
  const auto cpu = detail::open_cpu();
  u64 schedules = 0;
  for (const std::string knobs : {" latches=coupled", " latches=coupled keys=u64 layout=soa", " l1=bypassed",
                                  " l1=bypassed keys=u64 layout=soa"}) {
    const index_config config = *config_from_line("BTREE node=8 lanes=1" + knobs);
    for (const tight_start& start : family_of(config).tight_starts(config)) {
      std::vector<u64> keys = start.keys;
      for (const question& o : start.before) keys.push_back(o.key);
      const u64 greatest = *std::ranges::max_element(keys);
      for (const question& second :
           {question{operation::erase, greatest}, question{operation::insert, start.next[1]}}) {
        const auto pair = interleaving::make(
            *cpu, config,
            {.keys = start.keys, .before = start.before, .operations = {{operation::insert, start.next[0]}, second}});
        ASSERT_TRUE(pair) << pair.error().words;
        const interleaving_report report = (*pair)->two_switches();
        schedules += report.schedules;
        EXPECT_FALSE(report.failing) << knobs << ", " << start.name << ": " << report.words;
      }
    }
  }
  EXPECT_GT(schedules, 100u);
}

// The root has room for one separator more, and both inserts split a leaf: the second one has to begin again, or a find
// behind it goes by the root's link.
TEST(writes_that_meet, in_a_parent_with_room_for_one_pair) {
  const auto cpu = detail::open_cpu();
  std::vector<u64> keys;  // six full leaves
  for (u64 i = 1; i <= 42; ++i) keys.push_back(10 * i);
  for (const std::string knobs : {"", " layout=soa keys=u64"}) {
    const auto pair = interleaving::make(
        *cpu, *config_from_line("BTREE node=8 lanes=1 fill=100" + knobs),
        {.keys = keys, .operations = {{operation::insert, 15}, {operation::insert, 365}, {operation::find, 420}}});
    ASSERT_TRUE(pair) << pair.error().words;
    const interleaving_report report = (*pair)->two_switches();
    EXPECT_GT(report.schedules, 100u);
    EXPECT_FALSE(report.failing) << knobs << ": " << report.words;
  }
}

// An insert comes by an inner node as it was before another one split the leaf: it finds the leaf's new high key, begins again,
// and reads what is there now.
TEST(old_nodes, lead_an_insert_to_its_leaf_and_are_read_on_the_first_way_alone) {
  const auto cpu = detail::open_cpu();
  for (const std::string layout : {"", " layout=soa", " keys=u64"}) {
    for (const char* l1 : {"bypassed", "inner"}) {
      const auto made = interleaving::make(
          *cpu, *config_from_line("BTREE node=8 lanes=1 fill=100" + layout + " l1=" + l1),
          {.keys = {10, 20, 30, 40, 50, 60, 70}, .operations = {{operation::insert, 45}, {operation::insert, 65}}});
      ASSERT_TRUE(made) << made.error().words;
      const interleaved_run ran = (*made)->run({{{0}, {1}}, store_order::late});
      EXPECT_EQ(ran.fault, "") << layout;
      EXPECT_EQ(ran.done, (std::vector<write_done>{write_done::added, write_done::added})) << layout;
      u64 old = 0, of_the_root = 0;
      bool latched = false, old_behind = false;
      for (const shared_access& a : ran.accesses) {
        if (a.task != 1) continue;
        latched |= a.what == shared_access::kind::set_bits;
        old += a.old, old_behind |= a.old && latched;
        of_the_root += a.region == btree_region::inner && a.byte == 0 && a.what == shared_access::kind::load;
      }
      const bool inner = std::string(l1) == "inner";
      EXPECT_EQ(old > 0, inner) << layout;
      EXPECT_FALSE(old_behind) << layout << ": behind the first latch it reads what is there";
      if (inner) {
        EXPECT_GE(of_the_root, 2u) << layout << ": it went down twice";
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope
