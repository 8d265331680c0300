#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "app/files/keys_file.hpp"
#include "app/files/settings_keeper.hpp"
#include "app/window/frame_pace.hpp"
#include "app/window/gl_window.hpp"
#include "app/window/window.hpp"
#include "app/window/workbench.hpp"
#include "core/common/ending_signals.hpp"
#include "core/common/plain_words.hpp"
#include "viz/state/key_order.hpp"

namespace pivotscope {
namespace {

// What runs looks at its control many times a second, save a search or a trace of millions of steps.
constexpr std::chrono::milliseconds patience{500};
// Between two looks at what is to be remembered, while something moves.
constexpr double keep_seconds = 0.25;

void wait_for_frame(bool moving, bool measuring, frame_pace& pace) {
  const double before = glfwGetTime(), wait = pace.wait(before, moving, viz::types_into_field(), measuring);
  double now = before;
  // What is measured tells of itself after every pass: only what a person does ends its wait before the time.
  do {
    glfwWaitEventsTimeout(before + wait - now);
    now = glfwGetTime();
  } while (measuring && now < before + wait && ImGui::GetCurrentContext()->InputEventsQueue.empty());
  pace.waited(before, now, wait);
}

}  // namespace

int run_window(const window_options& options) {
  job_control asked_to_end;
  const ending_signals signals(asked_to_end, wake_window);
  const own_settings own = options.remember ? take_settings(settings_path()) : own_settings{};
  const outcome<settings> loaded = options.remember ? load_settings(own.begins_with) : outcome<settings>(settings{});
  const settings remembered = loaded.ok() ? loaded.value() : settings{};
  gl_window_options shape;
  shape.width = remembered.width;
  shape.height = remembered.height;
  outcome<std::unique_ptr<gl_window>> opened = gl_window::open(shape);
  if (!opened.ok()) {
    std::fprintf(stderr, "pivotscope: %s\n", plain_lines(opened.error().words).c_str());
    return 2;
  }
  gl_window& window = **opened;
  {
    workbench bench(options, remembered, &window.room());
    if (!loaded.ok()) bench.state().tell({loaded.error().words, false});
    const std::filesystem::path keys = options.remember ? keys_path() : std::filesystem::path();
    bench.take_keys(load_keys(keys));
    const auto remembered_now = [&] {
      settings now = bench.to_remember();
      now.width = window.width(), now.height = window.height();
      return now;
    };
    std::optional<settings_keeper> keeper;
    if (options.remember)
      keeper.emplace(own.file, remembered, [&bench](const std::string& words) { bench.state().tell({words, false}); });
    double kept_at = 0;
    frame_pace pace(glfwGetTime());
    do {  // at least one: before it the panels are not where they were left
      window.begin_frame(bench.field_is_coming());
      bench.take_files(window.take_dropped());
      const bool moving = bench.draw() || viz::key_order::waits();
      window.keep_frames(bench.wants_picture());
      window.end_frame();
      if (bench.wants_picture()) bench.give_picture(window.last_frame());
      if (!keys.empty()) bench.keep_changed_keys(keys);
      // At every frame after which nothing moves, and now and then while something does.
      if (keeper && (!moving || glfwGetTime() - kept_at > keep_seconds))
        keeper->keep(remembered_now()), kept_at = glfwGetTime();
      if (!asked_to_end.cancelled()) wait_for_frame(moving, window.measuring(), pace);
    } while (!glfwWindowShouldClose(window.handle()) && !bench.view().quit && !asked_to_end.cancelled());
    if (keeper) {
      keeper->keep(remembered_now());
      keeper->finish();
      if (const std::string& told = keeper->last_words(); !told.empty() && !own.file.empty())
        std::fprintf(stderr, "pivotscope: %s\n", plain_lines(told).c_str());
    }
    glfwHideWindow(window.handle());
    if (!bench.ends_within(patience)) {
      // Its memory and its threads go with the process.
      std::fflush(nullptr);
      std::_Exit(0);
    }
  }
  return 0;
}

}  // namespace pivotscope
