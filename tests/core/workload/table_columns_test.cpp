#include "core/workload/files/table_columns.hpp"

#include <gtest/gtest.h>

#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

using columns = std::vector<table_column>;

TEST(table_columns, have_names_and_first_values) {
  EXPECT_EQ(columns_of_text("id,name,key\n0,Ada,10\n1,Bob,20\n2,Eve,30\n3,Joe,40\n"),
            (columns{{"id", "id", {"0", "1", "2"}, true},
                     {"name", "name", {"Ada", "Bob", "Eve"}, false},
                     {"key", "key", {"10", "20", "30"}, true}}));
}

TEST(table_columns, are_asked_for_by_number_where_a_name_does_not_mean_one) {
  EXPECT_EQ(columns_of_text("5;6\n7;8\n"), (columns{{"1", "", {"5", "7"}, true}, {"2", "", {"6", "8"}, true}}));
  EXPECT_EQ(columns_of_text("a\ta\n1\t2\n"), (columns{{"1", "a", {"1"}, true}, {"2", "a", {"2"}, true}}));
  EXPECT_EQ(columns_of_text("key\n1\n-2\n"), (columns{{"key", "key", {"1", "-2"}, false}}));
}

TEST(table_columns, are_none_where_there_is_no_table) {
  EXPECT_EQ(columns_of_text("1\n2\n3\n"), columns{});
  EXPECT_EQ(columns_of_text(""), columns{});
  const scratch_folder folder;
  EXPECT_EQ(columns_of(folder / "nothing"), columns{});
  EXPECT_EQ(columns_of(folder / ""), columns{});
  EXPECT_EQ(columns_of(folder.write("binary.csv", std::string("a,b\n\0\1\2", 7))), columns{});
  std::string long_rows = "a,b\n";
  while (long_rows.size() < (1 << 17)) long_rows += "12345678901,2\n";
  const columns cut = columns_of(folder.write("long.csv", long_rows));
  ASSERT_EQ(cut.size(), 2u);
  EXPECT_TRUE(cut[1].numbers) << "no row is cut";
}

}  // namespace
}  // namespace pivotscope
