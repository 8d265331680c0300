// Tree of a table whose keys have several homes: the lesson's small table, and larger ones with long keys.
#include <fmt/format.h>

#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "tests/window/panels_alone.hpp"
#include "viz/panels/panels.hpp"

namespace pivotscope {
namespace {

class homes_window : public panels_alone {
 protected:
  void show(const char* line, const workload& load, const question& asked) {
    shown_.choice.config = testing::config_of(line);
    shown_.choice.key = asked;
    shown_.index = testing::build_on_cpu(shown_.choice.config, *make_keys(load, shown_.choice.config.keys));
    shown_.runs = std::make_shared<const std::vector<viz::session_run>>();
    outcome<lookup_trace> trace = trace_of(*shown_.index, asked);
    ASSERT_TRUE(trace) << trace.error().words;
    shown_.path = std::make_shared<const viz::path_data>(viz::path_data{shown_.index, std::move(*trace)});
  }
  u32 last_step() const { return static_cast<u32>(shown_.path->trace.steps.size()) - 1; }
};

TEST_F(homes_window, AnInsertsWayGoesFromRowToRow) {
  const workload nine{.keys = 9, .dist = distribution::dense};
  show("HT+CUCKOO lanes=1 bucket=1 homes=2 load=45", nine, question(operation::insert, 29));
  draw({{viz::tree_panel, 560}}, 0);
  EXPECT_EQ(said("its homes"), 1);
  EXPECT_EQ(said("1 move"), 1);
  EXPECT_EQ(said("4 moves"), 1);
  EXPECT_EQ(said("29"), 0) << "but for the key looked for, +29";
  for (u32 key = 0; key < 9; ++key) EXPECT_GE(said(std::to_string(key)), 1) << "the key, or a bucket's number";
  for (const u32 step : {0u, 6u, last_step()})
    picture_of({{viz::tree_panel, 560}, {viz::path_panel, 400}}, step, fmt::format("homes step {}", step + 1));
  EXPECT_EQ(said("29"), 1) << "it is in now";
  EXPECT_EQ(said("4 moves"), 1) << "what moved leaves the rows as they are";
}

TEST_F(homes_window, AKeyThatIsInIsFoundInAHome) {
  const workload nine{.keys = 9, .dist = distribution::dense};
  show("HT+CUCKOO lanes=1 bucket=1 homes=2 load=45", nine, question(3));
  picture_of({{viz::tree_panel, 900}}, 0, "homes of a hit");
  EXPECT_EQ(said("no way here"), 1);
}

TEST_F(homes_window, LargeTablesShowWhatIsNear) {
  const workload many{.keys = 20000, .dist = distribution::uniform};
  for (const auto& [line, key] :
       {std::pair("HT+CUCKOO", 777u), std::pair("HT+CUCKOO bucket=16 lanes=2 load=95", 4000000000u),
        std::pair("HT+CUCKOO homes=4 bucket=1 lanes=1 load=90", 4000000000u),
        std::pair("HT+CUCKOO homes=2 bucket=32 lanes=4 keys=u64 load=90", 4000000000u)}) {
    show(line, many, question(operation::insert, key));
    picture_of({{viz::tree_panel, 560}, {viz::tree_panel, 1000}}, last_step(), fmt::format("homes of {}", line));
  }
}

}  // namespace
}  // namespace pivotscope
