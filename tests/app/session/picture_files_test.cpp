// Names and folders of the window's pictures, and their writing.
#include "app/files/picture_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "core/index/config_text.hpp"
#include "tests/app/program.hpp"
#include "tests/app/session/session_fixture.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

// Sets variables of the environment, and sets them back.
class environment {
 public:
  void set(const char* name, const char* value) {
    const char* now = std::getenv(name);
    if (!before_.contains(name)) before_[name] = now ? std::optional<std::string>(now) : std::nullopt;
    value ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~environment() {
    for (const auto& [name, value] : before_)
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

TEST(picture_files, go_where_the_desktop_says) {
  const scratch_folder home;
  environment variables;
  variables.set("XDG_PICTURES_DIR", nullptr);
  variables.set("XDG_CONFIG_HOME", nullptr);
  variables.set("HOME", (home / "").c_str());
  EXPECT_EQ(pictures_folder(), fs::current_path()) << "there is no folder of pictures";
  fs::create_directory(home / "Pictures");
  EXPECT_EQ(pictures_folder(), home / "" / "Pictures" / "pivotscope");
  fs::create_directory(home / ".config");
  home.write(".config/user-dirs.dirs",
             "# a remark\nXDG_MUSIC_DIR=\"$HOME/Music\"\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n");
  EXPECT_EQ(pictures_folder(), home / "" / "Bilder" / "pivotscope");
  home.write(".config/user-dirs.dirs", "XDG_PICTURES_DIR=\"/pictures\"\n");
  EXPECT_EQ(pictures_folder(), "/pictures/pivotscope");
  for (const char* none : {"XDG_PICTURES_DIR=\"$HOME/\"\n", "XDG_PICTURES_DIR=\"\"", "XDG_PICTURES_DIR=\"", "\n\n"}) {
    home.write(".config/user-dirs.dirs", none);
    EXPECT_EQ(pictures_folder(), home / "" / "Pictures" / "pivotscope") << none;
  }
  variables.set("XDG_PICTURES_DIR", "/elsewhere");
  EXPECT_EQ(pictures_folder(), "/elsewhere/pivotscope");
  variables.set("XDG_PICTURES_DIR", "relative");
  EXPECT_EQ(pictures_folder(), home / "" / "Pictures" / "pivotscope") << "the specification wants whole paths";
}

TEST(picture_files, are_named_by_panel_and_config_and_overwrite_nothing) {
  EXPECT_EQ(picture_stem("Tree", *config_from_line("EO+KS fanout=5")), "tree-EO+KS-fanout=5");
  EXPECT_EQ(picture_stem("Tree", *config_from_line("EO+KS fanout=5"), true), "tree-EO+KS-fanout=5-light");
  const scratch_folder folder;
  const fs::path where = folder / "";
  EXPECT_EQ(free_names(where, "tree-EO+BS", ".svg", 1), std::vector<fs::path>{where / "tree-EO+BS.svg"});
  folder.write("tree-EO+BS.svg", "");
  EXPECT_EQ(free_names(where, "tree-EO+BS", ".svg", 1), std::vector<fs::path>{where / "tree-EO+BS-again2.svg"});
  folder.write("tree-EO+BS-again2.svg", "");
  EXPECT_EQ(free_names(where, "tree-EO+BS", ".svg", 1), std::vector<fs::path>{where / "tree-EO+BS-again3.svg"});
  const auto series = free_names(where, "tree-EO+BS", ".png", 12);
  ASSERT_EQ(series.size(), 12u);
  EXPECT_EQ(series.front(), where / "tree-EO+BS-01.png");
  EXPECT_EQ(series.back(), where / "tree-EO+BS-12.png");
  folder.write("tree-EO+BS-07.png", "");
  EXPECT_EQ(free_names(where, "tree-EO+BS", ".png", 12).front(), where / "tree-EO+BS-again2-01.png")
      << "a series stays together";
}

std::shared_ptr<picture_series> series_in(const fs::path& folder, u32 count) {
  auto series = std::make_shared<picture_series>();
  series->what = "Tree";
  series->paths = free_names(folder, "tree", ".svg", count);
  return series;
}

TEST_F(session_test, writes_pictures_and_says_where) {
  open();
  const auto series = series_in(folder / "new" / "pictures", 2);
  on->write_picture(series, 0, [] { return outcome<std::string>("one"); });
  on->write_picture(series, 1, [] { return outcome<std::string>("two"); });
  ASSERT_TRUE(until_said(1));
  EXPECT_EQ(contents_of(series->paths[0]), "one");
  EXPECT_EQ(contents_of(series->paths[1]), "two");
  EXPECT_EQ(now().notices[0].words,
            "Tree is drawn into " + (folder / "new" / "pictures" / "tree-1.svg").string() + " to tree-2.svg.");
  EXPECT_FALSE(now().notices[0].fault);
}

TEST_F(session_test, says_once_why_a_picture_is_not_written) {
  open();
  folder.write("file", "");
  const auto series = series_in(folder / "file" / "pictures", 2);
  on->write_picture(series, 0, [] { return outcome<std::string>("one"); });
  on->write_picture(series, 1, [] { return outcome<std::string>("two"); });
  ASSERT_TRUE(until_said(1));
  EXPECT_TRUE(now().notices[0].fault);
  EXPECT_THAT(now().notices[0].words, ::testing::StartsWith("There is no picture of Tree: "));
  EXPECT_THAT(now().notices[0].words, ::testing::HasSubstr("tree-1.svg"));
  EXPECT_TRUE(series->failed);
  const auto none = series_in(folder / "", 1);
  on->write_picture(none, 0, []() -> outcome<std::string> { return problem{"there is no picture"}; });
  ASSERT_TRUE(until_said(2));
  EXPECT_FALSE(fs::exists(none->paths[0]));
}

}  // namespace
}  // namespace pivotscope
