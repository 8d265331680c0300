// The Workload panel with data of one's own: pasted, typed, from a file.
#include "core/index/config_text.hpp"
#include "tests/app/program.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/models/tile_model.hpp"

namespace pivotscope {
namespace {

using viz::panel;

class own_data_window : public window_test {
 protected:
  void SetUp() override {
    const char* before = std::getenv("XDG_CONFIG_HOME");
    if (before) config_home_ = before;
    ::setenv("XDG_CONFIG_HOME", (folder_ / "config").c_str(), 1);
  }
  void TearDown() override {
    window_test::TearDown();
    config_home_ ? ::setenv("XDG_CONFIG_HOME", config_home_->c_str(), 1) : ::unsetenv("XDG_CONFIG_HOME");
  }
  static std::string item(const std::string& name) { return panel_item(panel::workload, name); }
  std::vector<u64> keys() {
    std::vector<u64> values;
    for (u64 i = 0; i < now().keys->set->size(); ++i) values.push_back(now().keys->set->keys()[i]);
    return values;
  }

  scratch_folder folder_;
  std::optional<std::string> config_home_;
};

TEST_F(own_data_window, PastedKeysAreTheIndexAndAWrongPasteSaysWhatIsWrong) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Workload");
    hand.ItemClick(item("keys/typed").c_str());
    ImGui::SetClipboardText("40, 10;30\n20 20");
    hand.ItemClick(item("keys/own/paste").c_str());
    ASSERT_TRUE(until([&] { return now().choice.load.own_keys.given(); }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(keys(), (std::vector<u64>{40, 10, 30, 20, 20}));
    EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
    draw_frames(2);
    EXPECT_EQ(view().own.keys_typed.text, "40 10 30 20 20");
    hand.MouseMoveToPos({700, 60});
    take_picture("pasted-keys");

    ImGui::SetClipboardText("40\n10\nthirty");
    hand.ItemClick(item("keys/own/paste").c_str());
    draw_frames(2);
    EXPECT_EQ(view().own.keys_typed.problem, "line 3: 'thirty' is not an unsigned integer");
    EXPECT_EQ(keys(), (std::vector<u64>{40, 10, 30, 20, 20})) << "nothing was lost";
    EXPECT_TRUE(now().notices.empty());
    hand.MouseMoveToPos({700, 60});
    take_picture("wrong-paste");

    // Typed ones take the place of the message and of the keys.
    hand.ItemInputValue(item("keys/own/##typed").c_str(), "7 8");
    ASSERT_TRUE(until([&] { return now().choice.load.keys == 2; }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(view().own.keys_typed.problem, "");

    // And the generated ones are there again as they were.
    hand.ItemClick(item("keys/generated").c_str());
    ASSERT_TRUE(until([&] { return !now().choice.load.own_keys.given(); }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().choice.load, workload{});
  });
}

TEST_F(own_data_window, ALongPasteIsKeptInAFileThatTheScenarioNames) {
  open();
  ASSERT_TRUE(until_settled());
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(7 * i) + "\n";
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Workload");
    hand.ItemClick(item("keys/typed").c_str());
    ImGui::SetClipboardText(text.c_str());
    hand.ItemClick(item("keys/own/paste").c_str());
    ASSERT_TRUE(until([&] { return now().choice.load.keys == 1000; }));
    ASSERT_TRUE(until_settled());
  });
  const std::string line = state().scenario_line();
  EXPECT_NE(line.find("keys_from=" + (folder_ / "config").string() + "/pivotscope/pasted/pasted-"), std::string::npos)
      << line;
  close();
  // The next start shows the same.
  remembered_.scenario = line;
  open();
  ASSERT_TRUE(until([&] { return now().choice.load.keys == 1000; }));
  ASSERT_TRUE(until_settled());
  EXPECT_EQ(state().scenario_line(), line);
}

TEST_F(own_data_window, AFileAColumnAndADropAreRead) {
  std::string table = "id,key\n";
  for (int i = 0; i < 500; ++i) table += std::to_string(i) + "," + std::to_string(10 * i) + "\n";
  const std::string path = folder_.write("table.csv", table), wrong = folder_.write("wrong.txt", "1\n2\nx\n");
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Workload");
    hand.ItemClick(item("keys/a file").c_str());
    hand.MouseMoveToPos({700, 60});
    take_picture("no-file-yet");
    hand.ItemInputValue(item("keys/own/##file").c_str(), wrong.c_str());
    ASSERT_TRUE(until([&] { return now().unread.has_value(); }));
    ASSERT_TRUE(until([&] { return !now().job.running; }));
    EXPECT_EQ(now().unread->words, wrong + ":3: 'x' is not an unsigned integer");
    EXPECT_EQ(now().keys->set->size(), 14u) << "the index in view stays";
    hand.MouseMoveToPos({700, 60});
    take_picture("wrong-file");
    hand.ItemInputValue(item("keys/own/##file").c_str(), path.c_str());
    // It has no column yet. That becomes a notice below, which moves the panels up: not while the mouse is on its way.
    ASSERT_TRUE(until([&] { return now().unread.has_value() && now().unread->of.file == path && !now().job.running; }));
    hand.ItemInputValue(item("keys/own/##column").c_str(), "key");
    ASSERT_TRUE(until([&] { return now().choice.load.keys == 500; }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().keys->set->keys()[499], 4990u);
    while (!now().notices.empty()) state().dismiss(0);
    hand.MouseMoveToPos({700, 60});
    take_picture("keys-of-a-file");
    view().light = true;
    draw_frames(3);
    take_picture("keys-of-a-file-light");
    // Its tile of lookups is of what is looked up.
    hand.WindowFocus("//Tile");
    ASSERT_TRUE(until([&] { return view().tile.study && view().tile.study->complete(); }));
    for (u32 i = 0; i < view().tile.study->size(); ++i) EXPECT_EQ(view().tile.study->key(i) % 10, 0u);
  });
  bench_->take_files({folder_.write("dropped.tsv", "a\tb\n3\t9\n4\t9\n"), path});
  ASSERT_TRUE(until([&] { return now().choice.load.keys == 2; }));
  ASSERT_TRUE(until_settled());
  EXPECT_EQ(keys(), (std::vector<u64>{3, 4}));
  EXPECT_EQ(now().notices.size(), 1u) << "that of two files one was taken";
}

// Without a column that is asked for: a click on one, by its first values, and no fault. The file is chosen from a list.
TEST_F(own_data_window, AFileIsChosenFromAListAndATableOffersItsColumns) {
  std::string table = "name,key\n";
  for (int i = 0; i < 500; ++i) table += "k" + std::to_string(i) + "," + std::to_string(10'000'000 + 10 * i) + "\n";
  std::filesystem::create_directories(folder_ / "data");
  folder_.write("data/table.csv", table);
  folder_.write("other.txt", "1\n");
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Workload");
    hand.ItemClick(item("keys/a file").c_str());
    view().own.keys_file.text = (folder_ / "").string();
    hand.ItemClick(item("keys/own/browse").c_str());
    ASSERT_TRUE(until([&] { return now().folder && now().folder->entries.size() >= 2; }));
    hand.MouseMoveToPos({700, 60});
    take_picture("files-of-a-folder");
    hand.ItemClick("//Workload/**/data");
    ASSERT_TRUE(until([&] { return now().folder && now().folder->folder.ends_with("data"); }));
    hand.ItemClick("//Workload/**/table.csv");
    ASSERT_TRUE(until([&] { return now().key_columns && now().unread && !now().job.running; }));
    draw_frames(3);
    EXPECT_TRUE(now().notices.empty()) << now().notices.front().words;
    hand.MouseMoveToPos({700, 60});
    take_picture("columns-of-a-table");
    hand.WindowFocus("//Advice");
    draw_frames(3);
    take_picture("advice-waits-for-keys");
    EXPECT_FALSE(hand.ItemExists(panel_item(panel::advice, "recommended/apply").c_str())) << "of no keys";
    hand.WindowFocus("//Workload");
    hand.ItemClick(item("keys/own/columns/name").c_str());
    draw_frames(3);
    EXPECT_EQ(now().choice.load.own_keys.column, "") << "names are no keys";
    hand.ItemClick(item("keys/own/columns/key").c_str());
    ASSERT_TRUE(until([&] { return now().choice.load.keys == 500; }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().keys->set->keys()[499], 10'004'990u);
    EXPECT_EQ(now().choice.load.lookups, 1u << 16) << "the batch follows";
    EXPECT_TRUE(now().notices.empty());
    hand.MouseMoveToPos({700, 60});
    take_picture("column-of-a-table");
  });
}

TEST_F(own_data_window, AFileOfLongKeysIsTakenAsSuch) {
  const std::string file = folder_.write("keys.txt", "1\n99999999999\n");
  open();
  ASSERT_TRUE(until_settled());
  bench_->take_files({file});
  ASSERT_TRUE(until([&] { return now().choice.load.keys == 2; }));
  ASSERT_TRUE(until_settled());
  EXPECT_EQ(now().index->config().keys, key_width::u64);
  EXPECT_EQ(keys(), (std::vector<u64>{1, 99999999999}));
  ASSERT_EQ(now().notices.size(), 1u);
  EXPECT_EQ(now().notices[0].words, file + ": keys of 64 bits, taken as keys=u64");
  EXPECT_FALSE(now().notices[0].fault);
  EXPECT_FALSE(now().unread);
}

// The index in view is of other keys than those that were asked for, and there is no tile of them.
TEST_F(own_data_window, ViewsOfTheTileSayWhyThereIsNoneOfAWrongFile) {
  const std::string wrong = folder_.write("wrong.txt", "1\n2\nx\n");
  open();
  ASSERT_TRUE(until_settled());
  bench_->take_files({wrong});
  ASSERT_TRUE(until([&] { return now().unread.has_value() && !now().job.running; }));
  for (const char* name : {"//Tile", "//Warp", "//Memory", "//Probes", "//Path"}) {
    perform([&](ImGuiTestContext& hand) { hand.WindowFocus(name); });
    draw_frames(3);
    EXPECT_EQ(view().tile.study, nullptr) << name;
    take_picture(std::string("no-tile-of-a-wrong-file-") + (name + 2));
  }
}

TEST_F(own_data_window, TypedLookupsAndRangesAreTheBatch) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Workload");
    hand.ItemClick(item("typed").c_str());
    hand.ItemInputValue(item("batch/##asked").c_str(), "9 12 100");
    ASSERT_TRUE(until([&] { return now().choice.load.lookups == 3; }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().runs->back().record.check.checked, 3u);
    EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
    hand.ItemInputValue(item("batch/##asked").c_str(), "9 7..12");
    ASSERT_TRUE(until([&] { return now().choice.load.ranges == 2; }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().runs->back().record.kind, operation::range);
    hand.MouseMoveToPos({700, 60});
    take_picture("typed-ranges");
    hand.ItemInputValue(item("batch/##asked").c_str(), "=9 =7");
    ASSERT_TRUE(until([&] { return now().choice.load.matches == 2; }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().runs->back().record.entries, 3u) << "7 is there twice";
    hand.ItemInputValue(item("batch/##asked").c_str(), ">=9 >=18");
    ASSERT_TRUE(until([&] { return now().choice.load.lower_bounds == 2; }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().runs->back().record.check.found, 1u);
    hand.ItemInputValue(item("batch/##asked").c_str(), ">=9 7");
    EXPECT_EQ(view().own.batch_typed.problem, "line 1: '7' is of another kind than those before it");
    hand.ItemInputValue(item("batch/##asked").c_str(), "9 7..12");
    ASSERT_TRUE(until([&] { return now().choice.load.ranges == 2; }));
    ASSERT_TRUE(until_settled());
    hand.ItemInputValue(item("batch/##asked").c_str(), "9 x");
    EXPECT_EQ(view().own.batch_typed.problem, "line 1: 'x' is not an unsigned integer");
    EXPECT_EQ(now().choice.load.ranges, 2u);
    hand.ItemClick(item("lookups").c_str());
    ASSERT_TRUE(until([&] { return !now().choice.load.own_batch.given(); }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().choice.load, workload{});
  });
}

// Generated ones: their spread, where misses lie, and the order in which they are asked for.
TEST_F(own_data_window, SkewPlacesOfMissesAndOrderAreChips) {
  window_options start;
  start.config = *config_from_line("PACKED");
  start.load = workload{.keys = 300, .dist = distribution::uniform, .lookups = 512};
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Workload");
    for (const distribution d : {distribution::narrow, distribution::gaps, distribution::clusters, distribution::nested,
                                 distribution::crowds, distribution::span, distribution::half}) {
      hand.ItemClick(item(std::string(distribution_name(d))).c_str());
      ASSERT_TRUE(until([&] { return now().choice.load.dist == d; }));
      ASSERT_TRUE(until_settled());
      EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
    }
    EXPECT_FALSE(hand.ItemExists(item("inside").c_str())) << "without misses they lie nowhere";
    hand.ItemClick(item("50%").c_str());
    hand.ItemClick(item("inside").c_str());
    hand.ItemClick(item("sorted").c_str());
    ASSERT_TRUE(until([&] { return now().choice.load.order == lookup_order::sorted; }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().choice.load.misses, miss_place::inside);
    EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
    // The tile has them as they are asked for.
    hand.WindowFocus("//Tile");
    ASSERT_TRUE(until([&] { return view().tile.study && view().tile.study->complete(); }));
    for (u32 i = 1; i < view().tile.study->size(); ++i)
      ASSERT_LE(view().tile.study->key(i - 1), view().tile.study->key(i));
    hand.MouseMoveToPos({700, 60});
    take_picture("skewed-and-sorted");
    // Popular keys, and an order that is nearly sorted: a sentence stands below each.
    hand.WindowFocus("//Workload");
    hand.ItemClick(item("popularity/zipf").c_str());
    ASSERT_TRUE(until([&] { return now().choice.load.popular == popularity::zipf; }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
    EXPECT_TRUE(hand.ItemExists(item("popularity/##exponent").c_str()));
    hand.ItemClick(item("popularity/hot").c_str());
    hand.ItemClick(item("nearly").c_str());
    ASSERT_TRUE(until([&] { return now().choice.load.order == lookup_order::nearly; }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().choice.load.popular, popularity::hot);
    EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
    take_picture("popular-and-nearly-sorted");
  });
}

}  // namespace
}  // namespace pivotscope
