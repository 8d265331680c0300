#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/window/gl_window.hpp"
#include "app/window/window.hpp"
#include "app/window/workbench.hpp"
#include "core/common/ending_signals.hpp"

namespace pivotscope {
namespace {

constexpr auto longest_wait = std::chrono::minutes(5);

bool settled(const viz::session_view& view) {
  const bool timed = batch_size(view.choice.load) == 0 || !view.runs->empty();
  return view.machines && !view.job.running && view.index && view.index->config() == view.choice.config && timed &&
         (view.path || !view.choice.key);
}

}  // namespace

status write_screenshot(const std::filesystem::path& path, const screenshot_options& options) {
  job_control control;
  const ending_signals signals(control);
  gl_window_options shape;
  shape.width = options.width;
  shape.height = options.height;
  shape.off_screen = true;
  outcome<std::unique_ptr<gl_window>> opened = gl_window::open(shape);
  if (!opened.ok()) return opened.error();
  gl_window& window = **opened;

  window_options start;
  start.remember = false;
  start.config = options.config;
  start.load = options.load;
  start.machine = options.machine;
  start.key = options.key;
  settings look;
  look.light = options.light;
  look.motion = false;
  look.preset = options.preset;
  workbench bench(start, look);
  const auto draw = [&] {
    window.begin_frame();
    ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
    const bool moving = bench.draw();
    window.end_frame();
    return moving;
  };

  const auto give_up = std::chrono::steady_clock::now() + longest_wait;
  while (draw(), !settled(bench.shown())) {
    if (control.cancelled()) return job_control::cancelled_problem();
    const viz::session_view& now = bench.shown();
    const auto fault =
        std::find_if(now.notices.begin(), now.notices.end(), [](const viz::notice& n) { return n.fault; });
    if (fault != now.notices.end() && !now.job.running) return problem{fault->words};
    if (std::chrono::steady_clock::now() > give_up)
      return problem{fmt::format("No picture: \"{}\" did not end in five minutes.", now.job.stage)};
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const viz::transport_state& t = bench.view().transport;
  const auto steps = t.path ? static_cast<u32>(t.path->trace.steps.size()) : 0u;
  if (steps > 0) bench.view().transport.step = std::min(options.step.value_or((steps - 1) / 2), steps - 1);
  constexpr int still_frames = 8;  // panels find their sizes in a few
  for (int still = 0; still < still_frames;) still = draw() ? 0 : still + 1;
  if (control.cancelled()) return job_control::cancelled_problem();
  return write_png(path, window.last_frame());
}

}  // namespace pivotscope
