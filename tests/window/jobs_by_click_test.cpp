// The three jobs of docs/window.md, done as they are written there.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/files/scenario_text.hpp"
#include "core/index/config_text.hpp"
#include "core/workload/question_text.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/models/probe_model.hpp"

namespace pivotscope {
namespace {

using viz::panel;

namespace fs = std::filesystem;

class jobs_by_click : public window_test {
 protected:
  void SetUp() override {
    window_test::SetUp();
    for (const char* name : {"XDG_PICTURES_DIR", "XDG_CONFIG_HOME"}) {
      const char* before = std::getenv(name);
      before_.emplace_back(name, before ? std::optional<std::string>(before) : std::nullopt);
      ::setenv(name, (folder_ / "").c_str(), 1);
    }
    open();
    ASSERT_TRUE(until_settled());
  }
  void TearDown() override {
    window_test::TearDown();
    for (const auto& [name, value] : before_)
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }

  // That this stands in the page.
  void says(const std::string& words) {
    EXPECT_NE(page_.find(words), std::string::npos) << "docs/window.md does not say: " << words;
  }
  void bring(ImGuiTestContext& hand, panel which) {
    hand.WindowFocus(("//" + std::string(viz::name_of(which))).c_str());
    hand.Yield(4);
    ASSERT_TRUE(view().seen[static_cast<std::size_t>(which)]) << viz::name_of(which);
  }
  void click(ImGuiTestContext& hand, panel which, const char* item) {
    bring(hand, which);
    hand.ItemClick(panel_item(which, item).c_str());
    ASSERT_TRUE(until_settled());
  }
  void type_key(ImGuiTestContext& hand, const char* digits) {
    hand.KeyChars(digits);
    hand.Yield(12);
    hand.KeyPress(ImGuiKey_Enter);
    ASSERT_TRUE(until_settled());
  }
  std::string key() { return now().choice.key ? to_text(*now().choice.key) : ""; }

  scratch_folder folder_;

 private:
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
  std::string page_ = [] {
    std::ifstream file(testing::source_folder() / "docs/window.md");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
};

TEST_F(jobs_by_click, ASlideOfASearch) {
  perform([&](ImGuiTestContext& hand) {
    const char* ids = "1200457731 2003118846 2714550912 3101446275 3590018844 4012345678 4100200300";
    says(fmt::format("1. In Workload, under Keys, *typed*: `{}`, Enter.", ids));
    click(hand, panel::workload, "keys/typed");
    hand.ItemInputValue(panel_item(panel::workload, "keys/own/##typed").c_str(), ids);
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().index->keys(), 7u);
    says("2. Type the digits `2714550912`, Enter: the key looked for. End: its last step.");
    hand.KeyPress(ImGuiKey_Escape);
    type_key(hand, "2714550912");
    EXPECT_EQ(key(), "2714550912");
    hand.Yield(4);
    hand.KeyPress(ImGuiKey_End);
    hand.Yield(2);
    EXPECT_EQ(step() + 1, steps());
    says("3. ctrl P, `light`, Enter");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    hand.Yield(12);
    hand.KeyChars("light");
    hand.Yield(2);
    hand.KeyPress(ImGuiKey_Enter);
    hand.Yield(2);
    EXPECT_TRUE(view().light);
    says("4. Right click on the tab Tree, *Save as SVG*.");
    hand.ItemClick(ImGui::FindWindowByName("Tree")->TabId, ImGuiMouseButton_Right);
    hand.ItemClick("//$FOCUSED/Save as SVG");
    const auto written = [&]() -> std::optional<fs::path> {
      std::error_code none;
      for (const auto& file : fs::directory_iterator(folder_ / "pivotscope", none))
        if (file.path().extension() == ".svg") return file.path();
      return std::nullopt;
    };
    ASSERT_TRUE(until([&] { return written().has_value(); }));
    ASSERT_TRUE(until([&] { return !now().notices.empty(); }));
    EXPECT_NE(now().notices.back().words.find(written()->string()), std::string::npos) << now().notices.back().words;
    std::ifstream file(*written());
    const std::string svg(std::istreambuf_iterator<char>(file), {});
    EXPECT_NE(svg.find("lookup=2714550912"), std::string::npos) << "its scenario stands in it";
  });
}

TEST_F(jobs_by_click, ACsvOfAMillionIds) {
  std::string table = "customer_id,name\n";
  for (u64 i = 0; i < 1'000'000; ++i) table += fmt::format("{},n{}\n", 1000000007 + i * 3119 % 3000000000, i % 97);
  const std::string path = folder_.write("ids.csv", table);
  perform([&](ImGuiTestContext& hand) {
    says(
        "1. In Workload, under Keys, *a file*: its path, Enter (or *browse*). Its columns are offered: click "
        "`customer_id`.");
    click(hand, panel::workload, "keys/a file");
    hand.ItemInputValue(panel_item(panel::workload, "keys/own/##file").c_str(), path.c_str());
    ASSERT_TRUE(until([&] { return now().key_columns != nullptr; }));
    hand.Yield(4);
    hand.ItemClick(panel_item(panel::workload, "keys/own/columns/customer_id").c_str());
    ASSERT_TRUE(until([&] { return now().index && now().index->keys() == 1'000'000; }));
    ASSERT_TRUE(until_settled());
    says("2. In Advice, *Apply*: the recommended index, with why.");
    const index_config before = now().choice.config;
    click(hand, panel::advice, "recommended/apply");
    EXPECT_NE(to_line(now().choice.config), to_line(before)) << "EO+BS is not what is best of a million on a CPU";
    EXPECT_TRUE(std::ranges::any_of(watch_.texts(), [](const drawn_text& t) {
      return t.window == "Advice" && t.words.find("Recommended") != std::string::npos;
    })) << "with why";
    says("3. ctrl M: the batch is repeated until the median holds. Timings has it, and the build's time.");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_M);
    ASSERT_TRUE(until([&] { return !now().runs->empty() && now().runs->back().origin == viz::provenance::measured; }));
    bring(hand, panel::timings);
    says("4. ctrl C: all of it as one line, for the colleague who has the file.");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    hand.Yield(4);
    const std::string line = ImGui::GetClipboardText();
    EXPECT_NE(line.find("keys_from=" + path), std::string::npos) << line;
    EXPECT_NE(line.find("customer_id"), std::string::npos) << line;
  });
}

TEST_F(jobs_by_click, ASlowMissShownToAColleague) {
  perform([&](ImGuiTestContext& hand) {
    says("1. In Index HT+OA, *linear*, load 90; in Workload 2^16 keys.");
    click(hand, panel::index, "method/HT+OA");
    click(hand, panel::index, "probing/linear");
    click(hand, panel::index, "load/90");
    bring(hand, panel::workload);
    hand.ItemInputValue(panel_item(panel::workload, "keys/##keys").c_str(), "2^16");
    ASSERT_TRUE(until_settled());
    says("2. In Probes, click the last bar on its right half: one of the longest misses is looked for.");
    bring(hand, panel::probes);
    ASSERT_TRUE(until([&] { return view().probes.study && view().probes.study->misses().count > 0; }));
    ASSERT_TRUE(until([&] {
      const viz::probe_study& study = *view().probes.study;
      return study.traced() == study.to_trace() && study.misses().count >= viz::most_misses;
    }));
    hand.Yield(2);
    const u64 longest = std::max(view().probes.study->misses().longest(), view().probes.study->hits().longest());
    ASSERT_GE(longest, 8u) << "a long way, at such a load";
    const ImRect plot = hand.ItemInfo(panel_item(panel::probes, "##lengths").c_str()).RectFull;
    hand.MouseMoveToPos({plot.Max.x - 20, plot.GetCenter().y});
    hand.Yield(2);
    hand.MouseClick();
    ASSERT_TRUE(until([&] { return now().path && steps() == view().probes.study->misses().longest(); }));
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().path->trace.row, not_found) << "a miss";
    says("3. \u2192, from window to window: Path says of each that it is full, Layout has them side by side.");
    bring(hand, panel::layout);
    hand.KeyPress(ImGuiKey_RightArrow);
    hand.KeyPress(ImGuiKey_RightArrow);
    hand.Yield(4);
    EXPECT_EQ(step(), 2u);
    EXPECT_EQ(now().path->trace.steps[2].left, "full");
    take_picture("slow-miss");
    says("4. ctrl C. The colleague's ctrl V opens the same step, the same panel and the same cells.");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    hand.Yield(4);
    const std::string line = ImGui::GetClipboardText(), asked = key();
    EXPECT_NE(line.find("step=3"), std::string::npos) << line;
    EXPECT_NE(line.find("panel="), std::string::npos) << line;
    state().open_scenario("EO+BS distribution=paper lookup=9");
    ASSERT_TRUE(until_settled());
    ImGui::SetClipboardText(line.c_str());
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ASSERT_TRUE(until([&] { return key() == asked && step() == 2; }));
    ASSERT_TRUE(until_settled());
    EXPECT_TRUE(view().seen[static_cast<std::size_t>(panel::layout)]);
  });
}

}  // namespace
}  // namespace pivotscope
