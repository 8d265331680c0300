#include "app/files/folder_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> names(const viz::folder_list& list) {
  std::vector<std::string> all;
  for (const viz::folder_list::entry& one : list.entries) all.push_back(one.name + (one.is_folder ? "/" : ""));
  return all;
}

TEST(folder_list, has_folders_first_and_then_files) {
  const scratch_folder folder;
  folder.write("keys.csv", "12345");
  folder.write(".hidden", "");
  folder.write("b.txt", "");
  std::filesystem::create_directories(folder / "z");
  std::filesystem::create_symlink("nowhere", folder / "broken");
  std::filesystem::create_symlink("b.txt", folder / "link");
  const viz::folder_list list = list_folder(folder / "");
  EXPECT_THAT(names(list), ElementsAre("z/", "b.txt", "keys.csv", "link"));
  EXPECT_EQ(list.entries[2].bytes, 5u);
  EXPECT_EQ(list.problem, "");
  EXPECT_EQ(list.above, std::filesystem::path(list.folder).parent_path().string());
  // A file's folder, and the nearest one of what is not there.
  EXPECT_EQ(list_folder(folder / "b.txt").folder, list_folder(folder / "z/..").folder);
  EXPECT_EQ(list_folder(folder / "z/no/such/file").folder, (folder / "z").string());
  EXPECT_EQ(list_folder("/").above, "");
}

TEST(folder_list, says_why_a_folder_cannot_be_read) {
  const scratch_folder folder;
  std::filesystem::create_directories(folder / "closed");
  std::filesystem::permissions(folder / "closed", std::filesystem::perms::none);
  const viz::folder_list list = list_folder(folder / "closed");
  std::filesystem::permissions(folder / "closed", std::filesystem::perms::owner_all);
  if (list.problem.empty()) GTEST_SKIP() << "this user may read everything";
  EXPECT_NE(list.problem.find("closed cannot be read: "), std::string::npos) << list.problem;
}

}  // namespace
}  // namespace pivotscope
