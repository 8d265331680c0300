// app/setup/check-includes over small trees.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "tests/app/program.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

constexpr const char* drawing =
    "# Design\n"
    "```cpp\n#include \"app/main.cpp\"\n```\n"
    "```rooms\n"
    "core/common: at the bottom\n"
    "core/disk, core/net: neither knows the other\n"
    "core/index: what families share\n"
    "core/index/*: each family alone\n"
    "core/index/families.cpp: names them all\n"
    "viz: draws\n"
    "app: on top\n"
    "```\n";

class check_includes : public ::testing::Test {
 protected:
  check_includes() {
    write("docs/design.md", drawing);
    for (const char* file : {"core/common/a.hpp", "core/disk/d.hpp", "core/net/n.hpp", "core/index/family.hpp",
                             "core/index/one/one.hpp", "core/index/two/two.hpp", "core/index/two/deep/deep.hpp",
                             "core/index/families.cpp", "viz/v.hpp", "app/main.cpp"})
      write(file, "#pragma once\n");
  }
  void write(const char* path, std::string_view bytes) const { tree_.write(path, bytes); }
  program_result check() const {
    const std::string out = (scratch_ / "out").string(), err = (scratch_ / "err").string();
    const int status = std::system(fmt::format("'{}/app/setup/check-includes' '{}' >'{}' 2>'{}'",
                                               testing::source_folder().string(), tree_.root().string(), out, err)
                                       .c_str());
    return {WEXITSTATUS(status), contents_of(out), contents_of(err)};
  }
  void expect_wrong(const std::string& line) const {
    const program_result result = check();
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err, line + "\n");
    EXPECT_EQ(result.out, "");
  }
  void expect_no_drawing(const std::string& line) const {
    const program_result result = check();
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.err, line + "\n");
  }

 private:
  file_tree tree_;
  scratch_folder scratch_;
};

TEST_F(check_includes, passes_where_every_arrow_points_down) {
  write("core/common/b.hpp", "#include <vector>\n#include \"core/common/a.hpp\"\n#include \"fmt/format.h\"\n");
  write("core/index/one/one.hpp", "#include \"core/index/family.hpp\"\n#include \"core/common/a.hpp\"\n");
  write("core/index/two/two.hpp", "#include \"core/index/two/deep/deep.hpp\"\n#include \"core/disk/d.hpp\"\n");
  write("core/index/two/deep/deep.hpp", "#include \"core/index/two/two.hpp\"\n");
  write("core/index/families.cpp", "#include \"core/index/one/one.hpp\"\n#include \"core/index/two/two.hpp\"\n");
  write("app/main.cpp", "#include \"viz/v.hpp\"\n  #  include \"core/net/n.hpp\"\n");
  const program_result result = check();
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, "Every include points down, as docs/design.md draws it: 10 of them.\n");
}

TEST_F(check_includes, names_the_line_of_an_arrow_that_points_up) {
  write("core/common/a.hpp", "#pragma once\n\n#include \"viz/v.hpp\"\n");
  expect_wrong(
      "core/common/a.hpp:3: core/common includes viz/v.hpp, but viz stands above core/common in docs/design.md");
}

TEST_F(check_includes, sees_what_only_looks_like_our_own_style) {
  write("core/common/a.hpp", "  # include <app/main.cpp>\n// #include \"viz/v.hpp\"\n");
  expect_wrong(
      "core/common/a.hpp:1: core/common includes app/main.cpp, but app stands above core/common in docs/design.md");
}

TEST_F(check_includes, names_both_ends_of_a_circle) {
  write("core/common/a.hpp", "#include \"core/net/n.hpp\"\n");
  write("core/net/n.hpp", "\n#include \"core/common/a.hpp\"\n");
  expect_wrong(
      "core/common/a.hpp:1: core/common includes core/net/n.hpp, but core/net stands above core/common in "
      "docs/design.md; a circle: core/net/n.hpp:2 includes core/common");
}

TEST_F(check_includes, keeps_rooms_of_one_line_apart) {
  write("core/disk/d.hpp", "#include \"core/net/n.hpp\"\n");
  expect_wrong(
      "core/disk/d.hpp:1: core/disk includes core/net/n.hpp, but core/net stands on the same line as core/disk in "
      "docs/design.md");
}

TEST_F(check_includes, keeps_families_apart_and_out_of_what_they_share) {
  write("core/index/one/one.hpp", "#include \"core/index/two/deep/deep.hpp\"\n");
  expect_wrong(
      "core/index/one/one.hpp:1: core/index/one includes core/index/two/deep/deep.hpp, but core/index/two stands on "
      "the "
      "same line as core/index/one in docs/design.md");
  write("core/index/one/one.hpp", "");
  write("core/index/family.hpp", "#include \"core/index/one/one.hpp\"\n");
  expect_wrong(
      "core/index/family.hpp:1: core/index includes core/index/one/one.hpp, but core/index/one stands above core/index "
      "in docs/design.md");
}

TEST_F(check_includes, wants_a_room_for_every_file) {
  write("core/attic/x.hpp", "#include \"core/common/a.hpp\"\n");
  expect_wrong("core/attic/x.hpp:1: core/attic/x.hpp lies in no room of docs/design.md");
  write("core/attic/x.hpp", "");
  write("core/net/n.hpp", "#include \"core/attic/x.hpp\"\n#include \"core/attic/x.hpp\"\n");
  expect_wrong("core/net/n.hpp:1: core/attic/x.hpp lies in no room of docs/design.md");
}

TEST_F(check_includes, wants_every_room_to_be_there) {
  write("docs/design.md", std::string(drawing).insert(std::string(drawing).find("viz:"), "core/gone: was moved\n"));
  expect_wrong("docs/design.md:11: core/gone is not there");
}

TEST_F(check_includes, wants_one_block_of_rooms) {
  write("docs/design.md", "# Design\n");
  expect_no_drawing("docs/design.md: 0 blocks begin with ```rooms; one must");
  write("docs/design.md", std::string(drawing) + drawing);
  expect_no_drawing("docs/design.md: 2 blocks begin with ```rooms; one must");
  write("docs/design.md", "```rooms\ncore/common: no end\n");
  expect_no_drawing("docs/design.md:1: the block has no end");
  write("docs/design.md", "```rooms\n```\n");
  expect_no_drawing("docs/design.md:1: the block names no room");
  write("docs/design.md", "```rooms\ncore/common: once\nviz, core/common: twice\n```\n");
  expect_no_drawing("docs/design.md:3: core/common is named twice");
}

}  // namespace
}  // namespace pivotscope
