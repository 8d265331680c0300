#include "app/files/settings_keeper.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

settings of(const char* scenario) {
  settings s;
  s.scenario = scenario;
  return s;
}

class kept_settings : public ::testing::Test {
 protected:
  const scratch_folder folder_;
  const fs::path first_ = folder_ / "pivotscope/window.json";
  std::vector<std::string> told_;
  const std::function<void(const std::string&)> tell_ = [this](const std::string& words) { told_.push_back(words); };
};

TEST_F(kept_settings, are_written_as_they_change) {
  settings_keeper keeper(first_, {}, tell_);
  settings now;
  for (const char* scenario : {"EO+BS keys=2^10", "AO+BS keys=2^11", "AO+BS keys=2^11"}) {
    now.scenario = scenario;
    keeper.keep(now);
    keeper.finish();
    const outcome<settings> read = load_settings(first_);
    ASSERT_TRUE(read) << read.error().words;
    EXPECT_EQ(*read, now);
  }
  const auto written = fs::last_write_time(first_);
  keeper.keep(now);
  keeper.finish();
  EXPECT_EQ(fs::last_write_time(first_), written) << "nothing changed";
  EXPECT_TRUE(told_.empty());
}

TEST_F(kept_settings, of_a_second_window_are_in_a_file_of_its_own) {
  std::optional<own_settings> a = take_settings(first_);
  EXPECT_EQ(a->file, first_);
  EXPECT_EQ(a->begins_with, first_);
  ASSERT_TRUE(save_settings(first_, of("of the first")));
  const own_settings b = take_settings(first_), c = take_settings(first_);
  EXPECT_EQ(b.file.filename(), "window-2.json");
  EXPECT_EQ(b.begins_with, first_) << "it has none yet";
  EXPECT_EQ(c.file.filename(), "window-3.json");
  ASSERT_TRUE(save_settings(b.file, of("of the second")));
  EXPECT_EQ(load_settings(first_)->scenario, "of the first");
  a.reset();
  EXPECT_EQ(take_settings(first_).file, first_) << "it is free again";
}

TEST_F(kept_settings, that_cannot_be_written_are_told_at_once_and_once) {
  folder_.write("file", "");
  const fs::path under_a_file = folder_ / "file/pivotscope/window.json";
  const own_settings own = take_settings(under_a_file);
  EXPECT_EQ(own.file, under_a_file);
  EXPECT_FALSE(own.lock);
  settings_keeper keeper(own.file, {}, tell_);
  keeper.finish();
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_TRUE(told_[0].starts_with("The settings are not kept: ")) << told_[0];
  keeper.keep(of("EO+BS"));
  keeper.finish();
  EXPECT_EQ(told_.size(), 1u);
  settings_keeper homeless({}, {}, tell_);
  homeless.finish();
  ASSERT_EQ(told_.size(), 2u);
  EXPECT_TRUE(told_[1].starts_with("There is no home folder")) << told_[1];
}

}  // namespace
}  // namespace pivotscope
