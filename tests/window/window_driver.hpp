// Drives the window as a person would: a mouse, a keyboard and eyes on the session's state.
#pragma once

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "app/window/gl_window.hpp"
#include "app/window/workbench.hpp"
#include "tests/support/places.hpp"
#include "tests/window/text_watch.hpp"

namespace pivotscope {

// Where pictures of what was seen are left.
// Not the name of a function of the window, which the linker would take for it.
inline std::filesystem::path test_pictures_folder() { return testing::built_folder() / "window-pictures"; }

// Processor time of this program, all its threads together: no other program's load makes it pass.
double processor_seconds();

class window_test : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Opens the window; most tests want the papers' example at once.
  void open(const window_options& options = {}, int width = 1600, int height = 1000, bool off_screen = true);
  void close();

  // Runs what a person does, between frames, until it ends.
  void perform(std::function<void(ImGuiTestContext& hand)> deeds);
  // Draws frames until something is so; false when the program has worked on it for minutes. Inside perform() and
  // outside.
  bool until(const std::function<bool()>& is_so);
  bool until_settled();  // nothing runs, and the path of the chosen key is shown
  void draw_frames(int count);
  void end_frame(bool seen);  // what nobody sees is not painted
  bool draw_frame();          // outside perform(); true: something moves, and the next should follow at once
  void take_picture(const std::string& name);
  picture next_frame();  // as it is seen
  // Of what the last frame drew; each finding once. In a window of 1280 by 720 or more there is room for all.
  void expect_no_text_is_cut(const std::string& where);
  // Writes what was seen as the picture NAME.png, which must not be blank.
  static void expect_picture(const std::string& name, const picture& seen);

  session& state() { return bench_->state(); }
  viz::session_view now() { return bench_->state().view(); }
  viz::view_state& view() { return bench_->view(); }
  u32 step() { return bench_->view().transport.step; }
  u32 steps() { return static_cast<u32>(now().path ? now().path->trace.steps.size() : 0); }
  static workload uniform_keys(u64 n, u64 lookups = 1024) {
    return {.keys = n, .dist = distribution::uniform, .lookups = lookups};
  }
  static std::string panel_item(viz::panel which, const std::string& item);

  std::unique_ptr<gl_window> window_;
  std::unique_ptr<workbench> bench_;
  ImGuiTestContext* hand_ = nullptr;  // inside perform()
  settings remembered_;               // that open() begins with
  bool reads_own_lessons_ = false;
  text_watch watch_;            // of the last frame
  std::set<std::string> said_;  // of texts, what was found

 private:
  bool keeps_ = false;  // frames, as pictures: that takes longer than to draw them
  bool rests_ = false;  // between frames: something is waited for
  ImGuiTestEngine* engine_ = nullptr;
};

}  // namespace pivotscope
