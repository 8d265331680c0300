#include "core/common/quarantine.hpp"

#include <gtest/gtest.h>

#include "core/common/whole_file.hpp"
#include "tests/app/program.hpp"
#include "tests/support/failing_file_calls.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;
using files = std::map<std::string, std::string>;

TEST(quarantine, takes_the_first_name_that_is_free) {
  const scratch_folder folder;
  folder.write("file.not-understood-2", "kept before");
  folder.write("file", "first");
  EXPECT_EQ(*quarantine(folder / "file"), folder / "file.not-understood-1");
  folder.write("file", "second");
  EXPECT_EQ(*quarantine(folder / "file"), folder / "file.not-understood-3");
  EXPECT_EQ(files_of(folder / ""), (files{{"file.not-understood-1", "first"},
                                          {"file.not-understood-2", "kept before"},
                                          {"file.not-understood-3", "second"}}));
}

TEST(quarantine, gives_up_after_a_thousand) {
  const scratch_folder folder;
  for (int number = 1; number < 1000; ++number)
    folder.write(("file.not-understood-" + std::to_string(number)).c_str(), "");
  folder.write("file", "the thousandth");
  EXPECT_EQ(*quarantine(folder / "file"), folder / "file.not-understood-1000");
  folder.write("file", "one more");
  const outcome<fs::path> aside = quarantine(folder / "file");
  ASSERT_FALSE(aside);
  EXPECT_EQ(aside.error().words, (folder / "file").string() + " cannot be renamed: File exists");
  EXPECT_EQ(contents_of(folder / "file"), "one more");
}

TEST(quarantine, a_failure_leaves_the_file_where_it_was) {
  const scratch_folder folder;
  with_every_fault(
      [&] {
        fs::remove_all(folder / "");
        fs::create_directory(folder / "");
        folder.write("file", "nonsense");
      },
      [&] { return quarantine(folder / "file"); },
      [&](const outcome<fs::path>& aside, const file_fault& fault, const failing_file_calls& calls) {
        files there = files_of(folder / "");
        if (calls.crashed()) {
          std::erase_if(there, [](const auto& one) { return one.second.empty(); });  // a name that was claimed
          ASSERT_EQ(there.size(), 1u);
          EXPECT_EQ(there.begin()->second, "nonsense");
        } else if (aside) {
          EXPECT_EQ(there, (files{{aside->filename().string(), "nonsense"}}));
        } else {
          EXPECT_EQ(there, (files{{"file", "nonsense"}}));
          EXPECT_EQ(aside.error().words,
                    (folder / "file").string() + " cannot be renamed: " + system_words(fault.number));
        }
      });
}

}  // namespace
}  // namespace pivotscope
