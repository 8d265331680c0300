// What the window remembers: every field comes back, and what cannot be used is never overwritten.
#include "app/files/settings.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/files/keys_file.hpp"
#include "core/common/whole_file.hpp"
#include "tests/app/expectations.hpp"
#include "tests/support/failing_file_calls.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;
using files = std::map<std::string, std::string>;

settings some_settings() {
  return {.scenario = "EO+KS keys=2^10",
          .batch_told = true,
          .machine = machine_kind::cuda,
          .light = true,
          .motion = false,
          .scale = 1.5f,
          .preset = 2,
          .steps_per_second = 4,
          .width = 1234,
          .height = 567,
          .panels = "[Window][Index]\nPos=1,2\n",
          .lessons_done = {"01-binary-search", "mine"},
          .interleave = "keys=5 ops=+7,-7 schedule=0:1 1"};
}

void expect_same(const settings& a, const settings& b) {
  EXPECT_EQ(a.scenario, b.scenario);
  EXPECT_EQ(a.batch_told, b.batch_told);
  EXPECT_EQ(a.machine, b.machine);
  EXPECT_EQ(a.light, b.light);
  EXPECT_EQ(a.motion, b.motion);
  EXPECT_EQ(a.preset, b.preset);
  EXPECT_EQ(a.steps_per_second, b.steps_per_second);
  EXPECT_EQ(a.scale, b.scale);
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.height, b.height);
  EXPECT_EQ(a.panels, b.panels);
  EXPECT_EQ(a.lessons_done, b.lessons_done);
  EXPECT_EQ(a.interleave, b.interleave);
}

class settings_file : public ::testing::Test {
 protected:
  settings load(const std::string& text) const {
    folder_.write("window.json", text);
    const outcome<settings> loaded = load_settings(path_);
    EXPECT_TRUE(loaded) << text << ": " << (loaded ? "" : loaded.error().words);
    return loaded ? *loaded : settings{};
  }
  const scratch_folder folder_;
  const fs::path path_ = folder_ / "window.json";
};

TEST_F(settings_file, every_field_comes_back) {
  const fs::path deep = folder_ / "a/b/window.json";
  ASSERT_EQ(*save_settings(deep, some_settings()), "");
  expect_same(*load_settings(deep), some_settings());
  ASSERT_EQ(*save_settings(deep, {}), "");  // no machine was chosen
  expect_same(*load_settings(deep), {});
  EXPECT_EQ(nlohmann::json::parse(contents_of(deep))["format"], 1);
  EXPECT_EQ(files_of(folder_ / "a/b").size(), 1u);
}

TEST_F(settings_file, what_is_not_there_is_as_new) {
  expect_same(*load_settings(path_), {});
  expect_same(*load_settings({}), {});
  expect_same(load("{}"), {});
  expect_same(load("{\"format\": 1}"), {});
}

TEST_F(settings_file, what_is_past_its_bounds_is_as_new) {
  for (const auto& [name, least, greatest] : {std::tuple{"width", 200, 16384}, std::tuple{"height", 200, 16384}}) {
    const auto side = [&](int value) {
      const settings s = load(fmt::format("{{\"{}\": {}}}", name, value));
      return std::string_view(name) == "width" ? s.width : s.height;
    };
    const int fresh = std::string_view(name) == "width" ? settings{}.width : settings{}.height;
    EXPECT_EQ(side(least), least);
    EXPECT_EQ(side(greatest), greatest);
    EXPECT_EQ(side(least - 1), fresh);
    EXPECT_EQ(side(greatest + 1), fresh);
  }
  EXPECT_EQ(load("{\"scale\": 1.5}").scale, 1.5f);
  EXPECT_EQ(load("{\"scale\": 3}").scale, 3);
  EXPECT_EQ(load("{\"scale\": 3.01}").scale, 1);
  EXPECT_EQ(load("{\"scale\": 0.6}").scale, 1);
  EXPECT_EQ(load("{\"scale\": 0.699999988079071}").scale, 0.7f) << "the least, as it is written";
  EXPECT_EQ(load("{\"steps_per_second\": 0.1}").steps_per_second, 0.1f);
  EXPECT_EQ(load("{\"steps_per_second\": 60}").steps_per_second, 60);
  EXPECT_EQ(load("{\"steps_per_second\": 0.09}").steps_per_second, 1);
  EXPECT_EQ(load("{\"steps_per_second\": 60.1}").steps_per_second, 1);
  for (const int preset : {0, 1, 4}) EXPECT_EQ(load(fmt::format("{{\"preset\": {}}}", preset)).preset, 1);
  EXPECT_EQ(load("{\"preset\": 3}").preset, 3) << "the arrangement to compare";
  EXPECT_EQ(load("{\"machine\": \"abacus\"}").machine, std::nullopt);
  EXPECT_FALSE(load("{\"theme\": \"grey\"}").light);
}

TEST_F(settings_file, nonsense_is_kept_under_another_name) {
  int number = 0;
  for (const char* text : {"", "{", "[]", "{\"preset\": \"two\"}", "\xff\xfe", "{\"width\": {}}", "{\"format\": 2}",
                           "{\"format\": \"1\"}", "{\"motion\": false"}) {
    folder_.write("window.json", text);
    const std::string aside = fmt::format("{}.not-understood-{}", path_.string(), ++number);
    const outcome<settings> loaded = load_settings(path_);
    ASSERT_FALSE(loaded) << text;
    const std::string& words = loaded.error().words;
    EXPECT_TRUE(words.starts_with("What was remembered in " + path_.string() + " cannot be used (")) << words;
    EXPECT_TRUE(words.ends_with("); it is kept as " + aside + ". This start is as new.")) << words;
    EXPECT_EQ(contents_of(aside), text);
    EXPECT_FALSE(fs::exists(path_));
  }
  folder_.write("window.json", "{\"format\": 2}");
  EXPECT_EQ(*save_settings(path_, some_settings()), "What was remembered in " + path_.string() +
                                                        " cannot be used (it is of another format); it is kept as " +
                                                        path_.string() + ".not-understood-10.");
  expect_same(*load_settings(path_), some_settings());
}

TEST_F(settings_file, what_cannot_be_read_stays) {
  fs::create_directory(path_);
  const outcome<settings> loaded = load_settings(path_);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().words, "What was remembered in " + path_.string() +
                                      " cannot be read (Is a directory); this start is as new, and nothing of it will "
                                      "be remembered.");
  const outcome<std::string> saved = save_settings(path_, {});
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().words,
            "The settings are not kept: " + path_.string() + " cannot be read (Is a directory), and stays.");
  EXPECT_TRUE(fs::is_directory(path_));
}

TEST_F(settings_file, what_cannot_be_written_is_said) {
  const std::string file = folder_.write("file", "");
  EXPECT_EQ(save_settings(fs::path(file) / "window.json", {}).error().words,
            "The settings are not kept: " + file + "/window.json cannot be read (Not a directory), and stays.");
  EXPECT_EQ(save_settings({}, {}).error().words,
            "There is no home folder to remember settings in: neither HOME nor XDG_CONFIG_HOME is set.");
  EXPECT_TRUE(load_settings({}).ok());
  expect_part(save_settings("/proc/no/window.json", {}).error().words, "/proc/no: No such file or directory");
}

TEST_F(settings_file, a_link_stays_a_link) {
  fs::create_symlink("target.json", path_);
  ASSERT_EQ(*save_settings(path_, some_settings()), "");
  folder_.write("target.json", "nonsense");
  EXPECT_FALSE(load_settings(path_));
  ASSERT_EQ(*save_settings(path_, some_settings()), "");
  EXPECT_TRUE(fs::is_symlink(path_));
  expect_same(*load_settings(folder_ / "target.json"), some_settings());
  EXPECT_EQ(contents_of(folder_ / "target.json.not-understood-1"), "nonsense");
}

TEST_F(settings_file, names_from_elsewhere_may_be_no_text) {
  settings odd = some_settings();
  odd.panels = "\xff";
  ASSERT_EQ(*save_settings(path_, odd), "");
  EXPECT_EQ(load_settings(path_)->panels, "\xEF\xBF\xBD");
}

TEST_F(settings_file, a_failure_loses_nothing) {
  ASSERT_TRUE(save_settings(path_, {}));
  const std::string understood = contents_of(path_);
  for (const std::string& old : {understood, std::string("nonsense")}) {
    with_every_fault(
        [&] {
          fs::remove_all(folder_ / "");
          fs::create_directory(folder_ / "");
          folder_.write("window.json", old);
        },
        [&] { return save_settings(path_, some_settings()); },
        [&](const outcome<std::string>& saved, const file_fault& fault, const failing_file_calls& calls) {
          bool old_is_there = false;
          for (const auto& [name, bytes] : files_of(folder_ / "")) old_is_there |= bytes == old;
          if (saved) {
            expect_same(*load_settings(path_), some_settings());
            EXPECT_EQ(old_is_there, old != understood);
            EXPECT_EQ(saved->empty(), old == understood);
          } else {
            EXPECT_TRUE(old_is_there);
            if (!calls.crashed()) {
              EXPECT_FALSE(has_temporaries(folder_ / ""));
              expect_part(saved.error().words, path_.string());
              if (fault.what == file_fault::kind::error) expect_part(saved.error().words, system_words(fault.number));
              if (contents_of(path_) != old) expect_part(saved.error().words, "it is kept as ");
            }
          }
          let_writers_die(folder_ / "");
          EXPECT_TRUE(save_settings(path_, some_settings()));
          expect_same(*load_settings(path_), some_settings());
          EXPECT_FALSE(has_temporaries(folder_ / ""));
        });
  }
}

TEST_F(settings_file, a_failing_read_moves_nothing) {
  ASSERT_TRUE(save_settings(path_, some_settings()));
  const std::string whole = contents_of(path_);
  with_every_fault([] {}, [&] { return load_settings(path_); },
                   [&](const outcome<settings>& loaded, const file_fault&, const failing_file_calls&) {
                     if (loaded) expect_same(*loaded, some_settings());
                     if (!loaded) expect_part(loaded.error().words, path_.string() + " cannot be read (");
                     EXPECT_EQ(files_of(folder_ / ""), (files{{"window.json", whole}}));
                   });
}

TEST(settings_path, is_the_users_own) {
  const char* before[] = {std::getenv("XDG_CONFIG_HOME"), std::getenv("HOME")};
  const std::string kept[] = {before[0] ? before[0] : "", before[1] ? before[1] : ""};
  ::setenv("XDG_CONFIG_HOME", "/config", 1);
  ::setenv("HOME", "/home/one", 1);
  EXPECT_EQ(settings_path(), "/config/pivotscope/window.json");
  EXPECT_EQ(keys_path(), "/config/pivotscope/keys.json");
  ::setenv("XDG_CONFIG_HOME", "", 1);
  EXPECT_EQ(settings_path(), "/home/one/.config/pivotscope/window.json");
  ::setenv("HOME", "", 1);
  EXPECT_EQ(settings_path(), "");
  ::unsetenv("XDG_CONFIG_HOME");
  ::unsetenv("HOME");
  EXPECT_EQ(settings_path(), "");
  if (before[0]) ::setenv("XDG_CONFIG_HOME", kept[0].c_str(), 1);
  if (before[1]) ::setenv("HOME", kept[1].c_str(), 1);
}

}  // namespace
}  // namespace pivotscope
