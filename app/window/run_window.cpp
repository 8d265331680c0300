#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cstdio>

#include "app/session/settings.hpp"
#include "app/window/gl_window.hpp"
#include "app/window/window.hpp"
#include "app/window/workbench.hpp"
#include "core/common/ending_signals.hpp"
#include "core/common/plain_words.hpp"

namespace pivotscope {
namespace {

// Frames follow each other while something moves, and for a while after an event, for what fades in on hover. Then the
// program sleeps until there is something to draw.
constexpr double awake_seconds = 0.8, frame_seconds = 1.0 / 60, asleep_seconds = 2;

void wait_for_frame(bool moving, double& awake_until) {
  const double now = glfwGetTime();
  if (moving || now < awake_until || ImGui::GetIO().WantTextInput) {
    glfwWaitEventsTimeout(frame_seconds / 2);
    return;
  }
  glfwWaitEventsTimeout(asleep_seconds);
  if (glfwGetTime() - now < asleep_seconds * 0.95) awake_until = glfwGetTime() + awake_seconds;
}

}  // namespace

int run_window(const window_options& options) {
  job_control asked_to_end;
  const ending_signals signals(asked_to_end, wake_window);
  const std::filesystem::path path = options.remember ? settings_path() : std::filesystem::path();
  const outcome<settings> loaded = options.remember ? load_settings(path) : outcome<settings>(settings{});
  const settings remembered = loaded.ok() ? loaded.value() : settings{};
  gl_window_options shape;
  shape.width = remembered.width;
  shape.height = remembered.height;
  outcome<std::unique_ptr<gl_window>> opened = gl_window::open(shape);
  if (!opened.ok()) {
    std::fprintf(stderr, "pivotscope: %s\n", plain_words(opened.error().words).c_str());
    return 2;
  }
  gl_window& window = **opened;
  {
    workbench bench(options, remembered);
    if (!loaded.ok()) bench.state().tell({loaded.error().words, false});
    double awake_until = glfwGetTime() + awake_seconds;
    do {  // at least one: before it the panels are not where they were left
      window.begin_frame();
      bench.take_files(window.take_dropped());
      const bool moving = bench.draw();
      window.keep_frames(bench.wants_picture());
      window.end_frame();
      if (bench.wants_picture()) bench.give_picture(window.last_frame());
      if (!asked_to_end.cancelled()) wait_for_frame(moving, awake_until);
    } while (!glfwWindowShouldClose(window.handle()) && !bench.view().quit && !asked_to_end.cancelled());
    if (options.remember && !path.empty()) {
      settings now = bench.to_remember();
      now.width = window.width();
      now.height = window.height();
      const outcome<std::string> saved = save_settings(path, now);
      const std::string& told = saved.ok() ? *saved : saved.error().words;
      if (!told.empty()) std::fprintf(stderr, "pivotscope: %s\n", plain_words(told).c_str());
    }
    glfwHideWindow(window.handle());  // at once; the worker may take a moment to end
  }
  return 0;
}

}  // namespace pivotscope
