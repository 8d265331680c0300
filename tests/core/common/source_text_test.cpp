// The sources in the program are those of the tree, in every build.
#include "core/common/source_text.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/support/places.hpp"

namespace pivotscope {
namespace {

TEST(SourceText, IsTheTreesFileByFile) {
  std::string_view before;
  for (const embedded_file& file : embedded_headers()) {
    std::ifstream in(testing::source_folder() / file.name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    EXPECT_EQ(text.str(), file.text) << file.name;
    EXPECT_LT(before, file.name);
    EXPECT_EQ(source_text(file.name)->data(), file.text.data()) << file.name;
    before = file.name;
  }
  EXPECT_GT(embedded_headers().size(), 10u);
  for (const char* name :
       {"core/families/ordered/probe.hpp", "core/families/plain/plain.hpp", "core/simt/lane_run.hpp"})
    EXPECT_TRUE(source_text(name)) << name;
  for (const char* name :
       {"", "probe.hpp", "core/families/ordered/probe.hp", "core/simt/host.hpp", "/etc/passwd", "zzz"})
    EXPECT_FALSE(source_text(name)) << name;
}

TEST(SourceText, LinesAreCountedFromOne) {
  EXPECT_EQ(line_of("a\nbb\n\nd", 1), "a");
  EXPECT_EQ(line_of("a\nbb\n\nd", 2), "bb");
  EXPECT_EQ(line_of("a\nbb\n\nd", 3), "");
  EXPECT_EQ(line_of("a\nbb\n\nd", 4), "d");
  EXPECT_EQ(line_of("a\nbb\n\nd", 5), "");
  EXPECT_EQ(line_of("a\n", 2), "");
  EXPECT_EQ(line_of("", 1), "");
}

TEST(SourceText, AFileIsNamedAsItIsIncluded) {
  EXPECT_EQ(included_as("/home/core/tree/core/simt/lane_run.hpp"), "core/simt/lane_run.hpp");
  EXPECT_EQ(included_as("../core/simt/lane_run.hpp"), "core/simt/lane_run.hpp");
  EXPECT_EQ(included_as("core/simt/lane_run.hpp"), "core/simt/lane_run.hpp");
  EXPECT_EQ(included_as("tests/some.cpp"), "tests/some.cpp");
}

}  // namespace
}  // namespace pivotscope
