// keys.json: what is bound comes back, and what cannot be used is said and never overwritten.
#include "app/files/keys_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/common/whole_file.hpp"
#include "tests/app/program.hpp"
#include "viz/state/commands.hpp"

namespace pivotscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class keys_file : public ::testing::Test {
 protected:
  const scratch_folder folder;
  const std::filesystem::path path = folder / "pivotscope" / "keys.json";
  static std::size_t place(const char* id) { return viz::find_command(id).value(); }
  void write(const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    ASSERT_TRUE(write_whole_file(path, text));
  }
};

TEST_F(keys_file, without_one_the_lists_own_keys_are_in_force) {
  const loaded_keys loaded = load_keys(path);
  EXPECT_EQ(loaded.keys, viz::bindings());
  EXPECT_THAT(loaded.problems, IsEmpty());
  EXPECT_EQ(load_keys({}).keys, viz::bindings());
}

TEST_F(keys_file, what_is_kept_comes_back) {
  viz::bindings keys;
  keys.bind(place("theme"), ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_T);
  keys.bind(place("measure"), ImGuiKey_None);
  EXPECT_EQ(*save_keys(path, keys), "");
  const std::string text = contents_of(path);
  EXPECT_THAT(text, HasSubstr("\"theme\": \"ctrl shift T\""));
  EXPECT_THAT(text, HasSubstr("\"measure\": \"none\""));
  EXPECT_THAT(text, HasSubstr("\"step-on\": \"right\""));
  const loaded_keys loaded = load_keys(path);
  EXPECT_EQ(loaded.keys, keys);
  EXPECT_THAT(loaded.problems, IsEmpty());
}

TEST_F(keys_file, a_wrong_line_is_said_with_the_files_name_and_the_rest_is_in_force) {
  write(R"({"keys": {"theme": "strg T", "fit": "w", "nothing": "x"}})");
  const loaded_keys loaded = load_keys(path);
  EXPECT_EQ(loaded.keys.of(place("fit")), ImGuiKey_W);
  const std::string end = ". Mend the line, or give the command its keys in the list of keys.";
  EXPECT_THAT(loaded.problems, ElementsAre(path.string() + ": of theme, \"strg\" is no key" + end,
                                           path.string() + ": \"nothing\" is no command" + end));
}

TEST_F(keys_file, of_two_that_clash_the_files_first_stays) {
  write(R"({"keys": {"theme": "x", "motion": "x"}})");
  const loaded_keys loaded = load_keys(path);
  EXPECT_EQ(loaded.keys.of(place("theme")), ImGuiKey_X);
  EXPECT_EQ(loaded.keys.of(place("motion")), ImGuiKey_None);
  ASSERT_EQ(loaded.problems.size(), 1u);
  EXPECT_THAT(loaded.problems[0], HasSubstr("theme and motion both have x"));
}

TEST_F(keys_file, one_that_cannot_be_understood_is_set_aside) {
  for (const char* text : {"", "not json", "[]", "{\"keys\": 7}", "{\"keys\": {\"theme\": 7}}", "{\"format\": 2}",
                           "{\"format\": \"x\"}", "{\"keys\": {\"theme\": \"\xff\"}}"}) {
    std::filesystem::remove_all(path.parent_path());
    write(text);
    const loaded_keys loaded = load_keys(path);
    EXPECT_EQ(loaded.keys, viz::bindings()) << text;
    ASSERT_EQ(loaded.problems.size(), 1u) << text;
    EXPECT_THAT(loaded.problems[0], HasSubstr("keys.json.not-understood-1")) << text;
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_EQ(contents_of(path.string() + ".not-understood-1"), text);
    EXPECT_EQ(*save_keys(path, {}), "");
    // One that came to be so meanwhile is set aside by the next to keep.
    write(text);
    EXPECT_THAT(*save_keys(path, {}), HasSubstr("keys.json.not-understood-2")) << text;
    EXPECT_THAT(load_keys(path).problems, IsEmpty());
  }
}

TEST_F(keys_file, one_that_cannot_be_read_stays) {
  std::filesystem::create_directories(path);  // a folder
  const loaded_keys loaded = load_keys(path);
  ASSERT_EQ(loaded.problems.size(), 1u);
  EXPECT_THAT(loaded.problems[0], HasSubstr("cannot be read"));
  EXPECT_FALSE(save_keys(path, {}));
  EXPECT_TRUE(std::filesystem::is_directory(path));
}

TEST_F(keys_file, without_a_home_nothing_is_kept_and_it_is_said) { EXPECT_FALSE(save_keys({}, {})); }

}  // namespace
}  // namespace pivotscope
