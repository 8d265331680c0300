// What is remembered between starts, and scenarios as text: neither needs a window.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/session/scenario_text.hpp"
#include "app/session/settings.hpp"
#include "core/config/config_text.hpp"

namespace pivotscope {
namespace {

class settings_file : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("pivotscope-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path path() const { return folder_ / "deep" / "window.json"; }
  void write(const std::string& text) {
    std::filesystem::create_directories(path().parent_path());
    std::ofstream(path()) << text;
  }
  std::filesystem::path folder_;
};

TEST_F(settings_file, SavedSettingsComeBack) {
  settings saved;
  saved.scenario = "EO+KS keys=2^10";
  saved.machine = machine_kind::cpu;
  saved.light = true;
  saved.motion = false;
  saved.preset = 2;
  saved.steps_per_second = 4;
  saved.width = 1234;
  saved.panels = "[Window][Index]\nPos=1,2\n";
  ASSERT_TRUE(save_settings(path(), saved).ok());
  const outcome<settings> loaded = load_settings(path());
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->scenario, saved.scenario);
  EXPECT_EQ(loaded->machine, saved.machine);
  EXPECT_TRUE(loaded->light);
  EXPECT_FALSE(loaded->motion);
  EXPECT_EQ(loaded->preset, 2);
  EXPECT_EQ(loaded->steps_per_second, 4);
  EXPECT_EQ(loaded->width, 1234);
  EXPECT_EQ(loaded->panels, saved.panels);
}

TEST_F(settings_file, NoFileIsAFreshStart) {
  const outcome<settings> loaded = load_settings(path());
  ASSERT_TRUE(loaded.ok());
  EXPECT_TRUE(loaded->scenario.empty());
}

TEST_F(settings_file, ABrokenFileIsToldAndLeftAlone) {
  for (const char* text : {"", "{", "[]", "{\"preset\": \"two\"}", "\xff\xfe", "{\"width\": {}}"}) {
    write(text);
    const outcome<settings> loaded = load_settings(path());
    EXPECT_FALSE(loaded.ok()) << text;
    if (loaded.ok()) continue;
    EXPECT_NE(loaded.error().words.find("window.json"), std::string::npos) << loaded.error().words;
  }
}

TEST_F(settings_file, SillyNumbersBecomeUsualOnes) {
  write("{\"width\": -5, \"height\": 9999999, \"preset\": 77, \"steps_per_second\": 0}");
  const outcome<settings> loaded = load_settings(path());
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->width, settings{}.width);
  EXPECT_EQ(loaded->height, settings{}.height);
  EXPECT_EQ(loaded->preset, 1);
  EXPECT_EQ(loaded->steps_per_second, 1);
}

TEST_F(settings_file, AFolderThatCannotBeWrittenIsToldSo) {
  EXPECT_FALSE(save_settings("/proc/no/such/place/window.json", {}).ok());
  EXPECT_FALSE(save_settings({}, {}).ok());
}

TEST(ScenarioText, EveryPartIsOptionalAndOrderDoesNotMatter) {
  const auto whole = scenario_from_line("lookup=7 keys=2^12 EO+KS keys=u64 distribution=dense fanout=5");
  ASSERT_TRUE(whole.ok()) << whole.error().words;
  EXPECT_EQ(whole->config->fanout, 5u);
  EXPECT_EQ(whole->config->keys, key_width::u64);
  EXPECT_EQ(whole->load->keys, 4096u);
  EXPECT_EQ(whole->key, 7u);
  const auto key_only = scenario_from_line("lookup=0x10");
  ASSERT_TRUE(key_only.ok());
  EXPECT_FALSE(key_only->config);
  EXPECT_EQ(key_only->key, 16u);
}

TEST(ScenarioText, ALineComesBackAsItWas) {
  for (const char* line : {"EO+BS", "AO+PB+KS fanout=17 lanes=4 layout=soa keys=u64", "AO+BS threads=512"}) {
    const outcome<index_config> config = config_from_line(line);
    ASSERT_TRUE(config.ok()) << line;
    workload load;
    load.keys = 5000;
    load.dist = distribution::uniform;
    load.seed = 9;
    load.hits = 0.25;
    const auto back = scenario_from_line(to_line(*config, load, 123));
    ASSERT_TRUE(back.ok()) << back.error().words;
    EXPECT_EQ(*back->config, *config);
    EXPECT_EQ(*back->load, load);
    EXPECT_EQ(back->key, 123u);
  }
}

}  // namespace
}  // namespace pivotscope
