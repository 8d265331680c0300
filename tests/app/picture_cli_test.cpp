// Pictures on a machine without a display: the program's own, which these tests start without one.
#include <cstdio>
#include <cstdlib>

#include "tests/app/expectations.hpp"
#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

// Nothing is found to start while one of these lives: no Xvfb either.
class no_programs {
 public:
  no_programs() : path_(std::getenv("PATH")) { ::setenv("PATH", "/nonexistent", 1); }
  ~no_programs() { ::setenv("PATH", path_.c_str(), 1); }
  no_programs(const no_programs&) = delete;
  no_programs& operator=(const no_programs&) = delete;

 private:
  std::string path_;
};

program_result draw(const std::filesystem::path& to) {
  return run_program({"picture", "--machine", "cpu", "--panel", "tree", "--lookup", "9", "--out", to.string()});
}

TEST(picture, an_svg_takes_no_display_and_no_opengl) {
  const scratch_folder folder;
  const no_programs none;
  const program_result drawn = draw(folder / "tree.svg");
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  const std::string text = contents_of(folder / "tree.svg");
  EXPECT_THAT(text, ::testing::HasSubstr("lookup=9"));
  EXPECT_GT(text.size(), 10'000u);
}

TEST(picture, a_png_brings_its_own_display) {
  const scratch_folder folder;
  const program_result drawn = draw(folder / "tree.png");
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_TRUE(contents_of(folder / "tree.png").starts_with("\x89PNG"));
}

TEST(picture, a_png_that_cannot_have_one_says_what_can_be_done) {
  const scratch_folder folder;
  const no_programs none;
  const program_result drawn = draw(folder / "tree.png");
  EXPECT_EQ(drawn.status, 2);
  EXPECT_THAT(drawn.err, ::testing::HasSubstr("no Xvfb to make one (Debian: xvfb); an SVG needs none"));
  EXPECT_FALSE(std::filesystem::exists(folder / "tree.png"));
}

TEST(headless, says_that_there_is_no_display_before_it_measures) {
  const scratch_folder folder;
  const no_programs none;
  const program_result shown =
      run_program({"--headless", "--machine", "cpu", "--screenshot", (folder / "window.png").string()});
  EXPECT_EQ(shown.status, 2);
  EXPECT_EQ(shown.out, "");
  EXPECT_THAT(shown.err, ::testing::HasSubstr("no screenshot: there is no display"));
}

TEST(window, of_a_wayland_session_without_x11_says_what_is_missing) {
  const std::string line = "env -u DISPLAY WAYLAND_DISPLAY=wayland-0 " + testing::program_path("pivotscope").string() +
                           " --machine cpu 2>&1";
  FILE* const run = ::popen(line.c_str(), "r");
  ASSERT_NE(run, nullptr);
  std::string said;
  for (int c = std::fgetc(run); c != EOF; c = std::fgetc(run)) said += static_cast<char>(c);
  EXPECT_EQ(WEXITSTATUS(::pclose(run)), 2);
  EXPECT_THAT(said, ::testing::HasSubstr("needs X11"));
  EXPECT_THAT(said, ::testing::HasSubstr("XWayland"));
}

}  // namespace
}  // namespace pivotscope
