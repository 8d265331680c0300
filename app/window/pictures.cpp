#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <thread>

#include "app/window/gl_window.hpp"
#include "app/window/svg.hpp"
#include "app/window/window.hpp"
#include "app/window/workbench.hpp"
#include "core/common/ending_signals.hpp"
#include "core/common/whole_file.hpp"
#include "viz/theme.hpp"

namespace pivotscope {
namespace {

constexpr auto longest_wait = std::chrono::minutes(5);

bool settled(const viz::session_view& view) {
  const bool timed = batch_size(view.choice.load) == 0 || !view.runs->empty();
  return view.machines && !view.job.running && view.index && view.index->config() == view.choice.config && timed &&
         (view.path || !view.choice.key);
}

// What suits a panel.
std::pair<int, int> size_of(std::optional<viz::panel> which) {
  if (!which) return {1600, 1000};
  switch (*which) {
    case viz::panel::index:
    case viz::panel::workload:
    case viz::panel::machine:
      return {320, 900};
    case viz::panel::path:
    case viz::panel::advice:
      return {380, 860};
    case viz::panel::tree:
      return {1000, 440};
    default:
      return {1000, 560};
  }
}

outcome<std::optional<viz::panel>> panel_of(const std::optional<std::string>& name) {
  if (!name) return std::optional<viz::panel>{};
  std::string known;
  for (std::size_t i = 0; i < viz::panel_count; ++i) {
    std::string here = viz::panel_names[i];
    here.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(here.front())));
    if (here == *name) return std::optional(static_cast<viz::panel>(i));
    known += (i == 0 ? "" : ", ") + here;
  }
  return problem{fmt::format("there is no panel \"{}\"; there are {}", *name, known)};
}

// "path.svg" and 3 of 14: "path-03.svg".
std::filesystem::path numbered(std::filesystem::path path, u32 step, u32 steps) {
  const std::filesystem::path extension = path.extension();
  path.replace_extension();
  path += fmt::format("-{:0{}}", step, std::to_string(steps).size());
  path += extension;
  return path;
}

class drawing {
 public:
  drawing(gl_window& window, const window_options& start, const settings& look)
      : window_(window), bench_(start, look) {}

  workbench& bench() { return bench_; }
  bool draw() {
    window_.begin_frame();
    ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
    const bool moving = bench_.draw();
    window_.end_frame();
    return moving;
  }
  void until_still() {
    constexpr int still_frames = 8;  // panels find their sizes in a few
    for (int still = 0; still < still_frames;) still = draw() ? 0 : still + 1;
  }

  status until_settled(const job_control& control) {
    const auto give_up = std::chrono::steady_clock::now() + longest_wait;
    const auto pinned_too = [&] { return !bench_.view().pinned || settled(bench_.pinned_shown()); };
    while (draw(), !settled(bench_.shown()) || !pinned_too()) {
      if (control.cancelled()) return job_control::cancelled_problem();
      const viz::session_view& now = bench_.shown();
      const auto fault =
          std::find_if(now.notices.begin(), now.notices.end(), [](const viz::notice& n) { return n.fault; });
      if (fault != now.notices.end() && !now.job.running) return problem{fault->words};
      if (std::chrono::steady_clock::now() > give_up)
        return problem{fmt::format("No picture: \"{}\" did not end in five minutes.", now.job.stage)};
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return fine();
  }

  status write(const std::filesystem::path& path, const std::string& title) {
    const std::string line = bench_.scenario_line();
    if (path.extension() == ".svg") {
      const exact_shapes exact;
      draw();
      return write_whole_file(path, svg_of(*ImGui::GetDrawData(), viz::theme().ground, {title, line}));
    }
    return write_png(path, window_.last_frame(), line);
  }

 private:
  gl_window& window_;
  workbench bench_;
};

}  // namespace

outcome<std::vector<std::filesystem::path>> write_pictures(const std::filesystem::path& path,
                                                           const window_options& options, const picture_shape& shape) {
  const outcome<std::optional<viz::panel>> which = panel_of(shape.panel);
  if (!which) return which.error();
  job_control control;
  const ending_signals signals(control);
  const auto [usual_width, usual_height] = size_of(*which);
  const auto pixels = [&](int asked, int usual) {
    return static_cast<int>(static_cast<float>(asked > 0 ? asked : usual) * shape.scale);
  };
  gl_window_options frame;
  frame.width = pixels(shape.width, usual_width);
  frame.height = pixels(shape.height, usual_height);
  frame.off_screen = true;
  outcome<std::unique_ptr<gl_window>> opened = gl_window::open(frame);
  if (!opened.ok()) return opened.error();
  settings look;
  look.light = shape.light;
  look.motion = false;
  look.preset = shape.preset;
  look.scale = shape.scale;
  window_options start = options;
  start.remember = false;
  drawing drawn(**opened, start, look);
  if (*which) drawn.bench().show_only(**which);
  drawn.bench().view().pinned = shape.pinned;
  if (const status ready = drawn.until_settled(control); !ready) return ready.error();

  viz::transport_state& t = drawn.bench().view().transport;
  const auto steps = t.path ? static_cast<u32>(t.path->trace.steps.size()) : 0u;
  if (shape.step && (*shape.step == 0 || *shape.step > steps))
    return problem{fmt::format("there is no step {}: this lookup has {}", *shape.step, steps)};
  std::vector<std::filesystem::path> written;
  const u32 first = shape.every_step ? 1 : shape.step.value_or((steps + 1) / 2);
  const u32 last = shape.every_step ? std::max(steps, 1u) : first;
  for (u32 step = first; step <= last; ++step) {
    if (steps > 0) t.step = step - 1;
    drawn.until_still();
    if (control.cancelled()) return job_control::cancelled_problem();
    written.push_back(shape.every_step ? numbered(path, step, last) : path);
    const std::string title = fmt::format("pivotscope{}{}", *which ? std::string(": ") + viz::name_of(**which) : "",
                                          steps > 0 ? fmt::format(", step {} of {}", step, steps) : "");
    if (const status done = drawn.write(written.back(), title); !done) return done.error();
  }
  return written;
}

}  // namespace pivotscope
