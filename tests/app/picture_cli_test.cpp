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

TEST(picture, of_a_panel_says_what_is_looked_for_is_cut_to_its_content_and_may_have_text) {
  const scratch_folder folder;
  const auto drawn = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"picture", "--machine", "cpu",   "--panel",
                                      "tree",    "--lookup",  "9",     "--step",
                                      "2",       "--text",    "--out", (folder / "tree.svg").string()};
    words.insert(words.end(), more.begin(), more.end());
    const program_result done = run_program(words);
    EXPECT_EQ(done.status, 0) << done.err;
    return contents_of(folder / "tree.svg");
  };
  const std::string cut = drawn({}), whole = drawn({"--width", "1000", "--height", "440"});
  for (const std::string& text : {cut, whole}) {
    EXPECT_THAT(text, ::testing::HasSubstr(">looking for 9</text>"));
    EXPECT_THAT(
        text,
        ::testing::HasSubstr(
            ">Step 2 of 4. 9 is greater than 6, so 6 and everything before it is out. 3 of 14 keys are left.</text>"));
    EXPECT_THAT(text, ::testing::HasSubstr("14 keys, the papers' example</text>"));
  }
  const auto width_of = [](const std::string& svg) { return std::stod(svg.substr(svg.find("width=\"") + 7)); };
  EXPECT_EQ(width_of(whole), 1000);
  EXPECT_LT(width_of(cut), 960);
  EXPECT_GT(width_of(cut), 400);
  const program_result refused =
      run_program({"picture", "--machine", "cpu", "--text", "--out", (folder / "tree.png").string()});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, ::testing::HasSubstr("--text is for an SVG"));
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
