// A split in slow motion: what a trace, the accesses of operations that meet, and the nodes themselves tell of its stages.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/families/btree/btree_model.hpp"
#include "core/index/config_text.hpp"
#include "core/machine/interleaved/replay.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/verify/access_words.hpp"
#include "core/verify/interleaving.hpp"
#include "tests/support/table_on_cpu.hpp"

namespace pivotscope {
namespace {

namespace split_stages {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* layouts[] = {"BTREE", "BTREE layout=soa", "BTREE keys=u64", "BTREE keys=u64 layout=soa"};

std::vector<u64> tens(u64 count) {
  std::vector<u64> keys(count);
  for (u64 i = 0; i < count; ++i) keys[i] = 10 * (i + 1);
  return keys;
}

// Operations on a tree of full nodes, 10, 20, ...: of one leaf, if nothing else is said.
class meeting {
 public:
  meeting(const std::string& config, const std::string& ops, u64 keys = 7)
      : config_(*config_from_line(config + " node=8 fill=100")) {
    case_ = *interleaved_case_from_text(fmt::format("keys={} {}", fmt::join(tens(keys), ","), ops), config_.keys);
    auto made = interleaving::make(*cpu_, config_, case_);
    made_ = std::move(*made);
    run_ = made_->run(case_.order);
    EXPECT_EQ(run_.fault, "");
  }
  const index_model& model() const { return *made_->model(); }
  const staged_model& tells() const { return *staged(model()); }
  const std::vector<shared_access>& accesses() const { return run_.accesses; }
  std::vector<std::string> stages() const { return tells().stages_of(run_.accesses); }
  // The stages that an operation began, one after the other.
  std::vector<std::string> begun(u32 task) const {
    std::vector<std::string> list;
    const auto all = stages();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (accesses()[i].task == task && !all[i].empty()) list.push_back(all[i]);
    return list;
  }
  region_reader reader(std::size_t step) const {
    replayed_memory memory(made_->begin());
    for (std::size_t i = 0; i < step; ++i) memory.apply(accesses()[i]);
    return [memory](region_id region, u64 byte, std::span<std::byte> out) {
      const auto& bytes = memory.shared()[number_of(region)];
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(byte), out.size(), out.begin());
      return true;
    };
  }
  // "leaf 0 latched, half split; leaf 1: by the link alone"
  std::string states(std::size_t step) const {
    const region_reader read = reader(step);
    std::vector<tree_node> nodes;
    EXPECT_TRUE(model().arrange(nodes, read));
    std::vector<node_state> states;
    EXPECT_TRUE(tells().states_of(nodes, read, states));
    std::string text;
    for (const node_state& state : states) {
      const tree_node& node = nodes[state.node];
      text += fmt::format("{}{} {}:{}{}", text.empty() ? "" : "; ", node.region == main_region ? "leaf" : "node",
                          node.first / node.cells, state.latched ? " latched" : "",
                          state.words.empty() ? "" : " " + state.words);
    }
    return text;
  }

 private:
  std::unique_ptr<machine> cpu_ = detail::open_cpu();
  index_config config_;
  interleaved_case case_;
  std::unique_ptr<interleaving> made_;
  interleaved_run run_;
};

}  // namespace split_stages

TEST(split_in_slow_motion, has_its_stages_as_steps_of_a_trace) {
  for (const char* layout : split_stages::layouts) {
    SCOPED_TRACE(layout);
    testing::table_on_cpu tree(std::string(layout) + " node=8 fill=100", {10, 20, 30, 40, 50, 60, 70});
    const script_record record = tree.run(script(tree.width()));
    const lookup_trace trace = *trace_write(*record.index, operation::insert, 45);
    std::vector<std::string> stages;
    for (const trace_step& step : trace.steps) stages.push_back(step.where + ": " + step.brief);
    EXPECT_THAT(stages, split_stages::ElementsAre("root: ", "leaf 0: latched, full", "root: parent latched",
                                                  "leaf 1: sibling filled", "leaf 0: half split", "leaf 0: pairs left",
                                                  "root: separator stored", "leaf 0: unlatched"));
    EXPECT_EQ(
        trace.steps[4].words,
        "Half split: the link of leaf 0 leads to leaf 1 now, with 50 as high key. No separator leads to leaf 1: who "
        "comes to leaf 0 for a key from 50 on goes by the link.");
  }
}

// The insert splits the root of seven full leaves, then the last leaf.
TEST(split_in_slow_motion, of_a_root_has_its_stages_and_begins_the_insert_anew) {
  for (const std::string layout : split_stages::layouts) {
    for (const bool coupled : {false, true}) {
      SCOPED_TRACE(fmt::format("{} {}", layout, coupled));
      testing::table_on_cpu tree(layout + (coupled ? " latches=coupled" : "") + " node=8 fill=100",
                                 split_stages::tens(49));
      const script_record record = tree.run(script(tree.width()));
      const lookup_trace trace = *trace_write(*record.index, operation::insert, 1000);
      std::vector<std::string> stages;
      for (const trace_step& step : trace.steps) stages.push_back(step.where + ": " + step.brief);
      ASSERT_EQ(stages.size(), coupled ? 12u : 13u);
      stages.resize(8);
      EXPECT_THAT(stages, split_stages::ElementsAre("root: latched, full", "node 1, node 2: halves filled",
                                                    "root: split in place", "root: unlatched",
                                                    "root: ", "node 2: ", "leaf 6: latched, full",
                                                    coupled ? "leaf 7: sibling filled" : "node 2: parent latched"));
      EXPECT_THAT(trace.steps[1].words,
                  split_stages::HasSubstr("below 290 are copied to the new node 1, the others to"));
      EXPECT_THAT(trace.verdict, split_stages::HasSubstr("Leaf 6 was split."));
      if (coupled) {
        EXPECT_THAT(trace.steps[5].words, split_stages::HasSubstr("Latched; only then is the node above let go."));
      }
    }
  }
}

// The root has two full inner nodes.
TEST(split_in_slow_motion, of_an_inner_node_has_the_stages_of_a_leaf) {
  for (const std::string layout : split_stages::layouts) {
    for (const bool coupled : {false, true}) {
      SCOPED_TRACE(fmt::format("{} {}", layout, coupled));
      testing::table_on_cpu tree(layout + (coupled ? " latches=coupled" : "") + " node=8 fill=100",
                                 split_stages::tens(98));
      const script_record record = tree.run(script(tree.width()));
      const lookup_trace trace = *trace_write(*record.index, operation::insert, 1000);
      std::vector<std::string> stages;
      for (const trace_step& step : trace.steps) stages.push_back(step.where + ": " + step.brief);
      std::vector<std::string> wanted = {"root: ",
                                         "node 2: latched, full",
                                         "root: parent latched",
                                         "node 3: sibling filled",
                                         "node 2: half split",
                                         "node 2: pairs left",
                                         "root: separator stored",
                                         "node 2: unlatched",
                                         "root: "};
      if (coupled) wanted.erase(wanted.begin() + 2);
      ASSERT_GE(stages.size(), wanted.size());
      stages.resize(wanted.size());
      EXPECT_EQ(stages, wanted);
    }
  }
}

TEST(split_in_slow_motion, shows_new_inner_nodes_that_nobody_sees_yet) {
  for (const char* layout : split_stages::layouts) {
    SCOPED_TRACE(layout);
    for (const u64 keys : {49u, 98u}) {
      const split_stages::meeting of(layout, "ops=+1000 schedule=0", keys);
      // Between the new nodes' links and what leads to them.
      std::size_t filled = 0;
      const auto stages = of.stages();
      while (filled < stages.size() && !stages[filled].starts_with("takes node")) ++filled;
      std::set<std::string> seen;
      for (std::size_t i = filled; i < stages.size() && !stages[i].starts_with("takes leaf"); ++i)
        seen.insert(of.states(i));
      EXPECT_TRUE(seen.contains(keys == 49 ? "node 0: latched; node 1: nobody sees it yet; node 2: nobody sees it yet"
                                           : "node 0: latched; node 2: latched; node 3: nobody sees it yet"))
          << fmt::format("{}", fmt::join(seen, "\n"));
      EXPECT_EQ(seen.contains("node 0: latched; node 2: latched half split; node 3: by the link alone"), keys == 98);
    }
  }
}

TEST(split_in_slow_motion, is_named_in_the_accesses_of_an_insert) {
  for (const char* layout : split_stages::layouts) {
    SCOPED_TRACE(layout);
    const split_stages::meeting of(layout, "ops=+45 schedule=0");
    EXPECT_THAT(of.begun(0), split_stages::ElementsAre(
                                 "leaf 0 latched", "parent latched: the root", "takes leaf 1, new",
                                 "leaf 1 is filled: nobody sees it yet",
                                 "half split: the link of leaf 0 alone leads to leaf 1", "pairs that moved leave",
                                 "the parent gets its separator for leaf 1", "the root unlatched", "leaf 0 unlatched"));
    const auto stages = of.stages();
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const auto begins = [&](const char* words) { return stages[i].starts_with(words); };
      if (begins("leaf 0 latched")) {
        EXPECT_EQ(of.states(i + 1), "leaf 0: latched");
      }
      if (begins("pairs that moved")) {
        EXPECT_EQ(of.states(i + 1), "node 0: latched; leaf 0: latched half split; leaf 1: by the link alone");
        EXPECT_EQ(of.states(i - 4).substr(0, 44), "node 0: latched; leaf 0: latched; leaf 1: no");
      }
      if (begins("the root unlatched")) {
        EXPECT_EQ(of.states(i + 1), "leaf 0: latched");
      }
    }
    EXPECT_EQ(of.states(stages.size()), "");
  }
}

// Who comes while another splits its leaf begins again at the root; who needs the parent waits.
TEST(split_in_slow_motion, tells_who_is_in_the_way) {
  const split_stages::meeting of("BTREE", "ops=+45,+65 schedule=0:18 1:25 0 1");
  const auto begun = of.begun(1);
  ASSERT_GE(begun.size(), 3u);
  EXPECT_EQ(begun[0], "leaf 0 is latched, which 0 holds: not taken");
  EXPECT_EQ(begun[1], "once more from the root");
  EXPECT_EQ(begun.back(), "leaf 1 unlatched");
}

TEST(tree_cells, that_hold_nothing_are_vacant_and_fields_have_words) {
  for (const char* layout : split_stages::layouts) {
    SCOPED_TRACE(layout);
    const split_stages::meeting of(layout, "ops=+45 schedule=0");
    const region_reader begin = of.reader(0), end = of.reader(of.accesses().size());
    const auto vacant = [&](region_id region, u64 cell, const region_reader& read) {
      return of.tells().is_vacant({region, cell}, read);
    };
    EXPECT_FALSE(vacant(btree_region::inner, 0, begin)) << "leads to the only leaf";
    EXPECT_TRUE(vacant(btree_region::inner, 1, begin));
    EXPECT_FALSE(vacant(btree_region::inner, 1, end)) << "the separator of the new leaf";
    EXPECT_TRUE(vacant(btree_region::inner, 7, begin)) << "the link";
    EXPECT_TRUE(vacant(main_region, 7, begin)) << "the leaf's link";
    EXPECT_FALSE(vacant(main_region, 6, begin));
    EXPECT_EQ(of.model().brief_of({main_region, 7}, begin), "end");
    EXPECT_EQ(of.model().brief_of({main_region, 7}, end), "<50");
  }
  const split_stages::meeting of("BTREE", "ops=+45 schedule=0");
  const auto text = [&](std::string_view begin) {
    for (const shared_access& a : of.accesses())
      if (std::string words = access_text(of.model(), a); words.starts_with(begin)) return words;
    return std::string();
  };
  EXPECT_EQ(text("load separator 0"), "load separator 0 key+child: 0, leaf 0");
  EXPECT_EQ(text("load separator 1"), "load separator 1 key+child: none, none");
  EXPECT_EQ(text("or entry 7"), "or entry 7 row id: end -> end, latched");
  EXPECT_EQ(text("store entry 7 key"), "store entry 7 key+row id: none, end, latched -> below 50, leaf 1, latched");
}

TEST(tree_latches, lie_in_links_alone) {
  const split_stages::meeting of("BTREE", "ops=+45 schedule=0");
  const auto latch = [&](u64 byte, u64 bytes) { return of.tells().latch_in(main_region, byte, bytes); };
  ASSERT_TRUE(latch(7 * 8, 8));
  EXPECT_EQ(latch(7 * 8, 8)->bits, 1ull << 63);
  EXPECT_EQ(latch(7 * 8 + 4, 4)->bits, 1ull << 31);
  EXPECT_EQ(latch(7 * 8, 8)->name, "leaf 0");
  EXPECT_FALSE(latch(7 * 8, 4)) << "the high key";
  EXPECT_FALSE(latch(6 * 8, 8)) << "a pair";
  EXPECT_FALSE(of.tells().latch_in(btree_region::pool, 0, 4));
}

}  // namespace
}  // namespace pivotscope
