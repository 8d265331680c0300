// A window with OpenGL and Dear ImGui in it, or the same without a window on the screen: pixels in memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/picture/png.hpp"
#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"
#include "core/common/timing_turns.hpp"
#include "viz/state/key_order.hpp"

struct GLFWwindow;
struct ImGuiContext;
struct ImPlotContext;

namespace pivotscope {

struct gl_window_options {
  std::string title = "pivotscope";
  int width = 1600, height = 1000;
  bool off_screen = false;  // drawn into memory of exactly this size, whatever the display's
};

class gl_window {
 public:
  // The problem's words say what is missing: a display, OpenGL, the window library.
  static outcome<std::unique_ptr<gl_window>> open(const gl_window_options& options);
  ~gl_window();
  gl_window(const gl_window&) = delete;
  gl_window& operator=(const gl_window&) = delete;

  GLFWwindow* handle() const { return window_; }
  // A field that is to get the keyboard gets what is typed from now on; see key_order.
  void begin_frame(bool field_is_coming = false);
  void end_frame(bool paint = true);             // draws and shows
  picture last_frame() const;                    // that was kept
  std::vector<std::string> take_dropped();       // files that were dropped onto the window since the last call
  void keep_frames(bool keep) { keep_ = keep; }  // at first those off-screen are
  void resize(int width, int height);
  timing_turns& room() { return room_; }         // frames take their turns there
  bool measuring() const { return measuring_; }  // passes were timed there between the last two frames
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  gl_window() = default;
  void make_frame_buffer();
  void delete_frame_buffer();
  picture read() const;

  GLFWwindow* window_ = nullptr;
  ImGuiContext* context_ = nullptr;
  ImPlotContext* plots_ = nullptr;
  timing_turns room_;
  timing_turns::turn turn_;  // of the frame that is drawn
  bool off_screen_ = false, keep_ = false, measuring_ = false;
  int width_ = 0, height_ = 0;
  u32 frame_buffer_ = 0, colour_ = 0;
  picture kept_;
  viz::key_order keys_;
};

// Wakes a waiting frame; any thread.
void wake_window();

}  // namespace pivotscope
