#include "app/window/pictures.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/files/picture_files.hpp"
#include "app/window/gl_window.hpp"
#include "app/window/paper.hpp"
#include "app/window/svg.hpp"
#include "app/window/thumbnails.hpp"
#include "app/window/virtual_display.hpp"
#include "app/window/window.hpp"
#include "app/window/workbench.hpp"
#include "core/common/ending_signals.hpp"
#include "core/common/whole_file.hpp"
#include "core/tuning/name_alone.hpp"
#include "viz/theme/theme.hpp"

namespace pivotscope {
namespace {

bool is_drawn_in_shapes(const std::filesystem::path& path) { return path.extension() == ".svg"; }

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
  if (const auto which = viz::panel_named(*name)) return which;
  std::string known;
  for (std::size_t i = 0; i < viz::panel_count; ++i)
    known += (i == 0 ? "" : ", ") + viz::small_name_of(static_cast<viz::panel>(i));
  return problem{fmt::format("there is no panel \"{}\"; there are {}", *name, known)};
}

// What a picture's frames are drawn on.
class ground {
 public:
  virtual ~ground() = default;
  virtual void begin_frame() = 0;
  virtual void end_frame() = 0;
  virtual picture_bytes bytes_of_frame(std::optional<frame_part> part, const picture_words& words) const = 0;
};

// Shapes alone.
class ground_of_shapes final : public ground {
 public:
  ground_of_shapes(int width, int height, svg_letters letters) : paper_(width, height), letters_(letters) {}
  void begin_frame() override { paper_.begin_frame(); }
  void end_frame() override { paper_.end_frame(); }
  picture_bytes bytes_of_frame(std::optional<frame_part> part, const picture_words& words) const override {
    return svg_of_frame(part, words, letters_);
  }

 private:
  paper paper_;
  svg_letters letters_;
};

// Pixels, of a window that is not shown.
class ground_of_pixels final : public ground {
 public:
  explicit ground_of_pixels(std::unique_ptr<gl_window> window) : window_(std::move(window)) {}
  void begin_frame() override { window_->begin_frame(); }
  void end_frame() override { window_->end_frame(); }
  picture_bytes bytes_of_frame(std::optional<frame_part> part, const picture_words& words) const override {
    return png_of_frame(window_->last_frame(), part, words);
  }

 private:
  std::unique_ptr<gl_window> window_;
};

outcome<std::unique_ptr<ground>> ground_for(const std::filesystem::path& path, int width, int height,
                                            svg_letters letters) {
  if (is_drawn_in_shapes(path)) return std::unique_ptr<ground>(new ground_of_shapes(width, height, letters));
  if (const status there = provide_display(); !there) return there.error();
  gl_window_options options;
  options.width = width, options.height = height;
  options.off_screen = true;
  outcome<std::unique_ptr<gl_window>> opened = gl_window::open(options);
  if (!opened) return opened.error();
  return std::unique_ptr<ground>(new ground_of_pixels(std::move(*opened)));
}

class drawing {
 public:
  drawing(ground& on, const window_options& start, const settings& look) : on_(on), bench_(start, look) {}

  workbench& bench() { return bench_; }
  bool draw() {
    on_.begin_frame();
    ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
    const bool moving = bench_.draw();
    on_.end_frame();
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

  status write(const std::filesystem::path& path, std::optional<viz::panel> which, std::optional<frame_part> part) {
    const picture_words words{picture_title(which, bench_.view()), bench_.scenario_line()};
    if (is_drawn_in_shapes(path)) {
      const exact_shapes exact;
      draw();
    }
    const outcome<std::string> made = on_.bytes_of_frame(part, words)();
    return made ? write_whole_file(path, *made) : status(made.error());
  }

 private:
  ground& on_;
  workbench bench_;
};

// Which of them are asked for; one without a place where the scenario has none.
outcome<std::vector<view_position>> places_of(const picture_shape& shape, viz::view_state& view) {
  const auto steps = view.transport.path ? static_cast<u32>(view.transport.path->trace.steps.size()) : 0u;
  if (shape.step && (*shape.step == 0 || *shape.step > steps))
    return problem{fmt::format("there is no step {}: this lookup has {}", *shape.step, steps)};
  std::vector<view_position> places;
  if (shape.build || shape.every_slot) {
    view.build.on = true;
    if (shape.every_slot)
      places = every_place(view);
    else
      places.push_back({.build = shape.build});
    if (places.empty()) return problem{"this index writes no slot"};
  } else if (shape.every_step) {
    places = every_place(view);
  } else if (steps > 0) {
    places.push_back({.step = shape.step.value_or((steps + 1) / 2)});
  }
  if (places.size() > viz::most_pictures)
    return problem{fmt::format("that would be more than {} pictures", viz::most_pictures)};
  if (places.empty()) places.emplace_back();
  return places;
}

}  // namespace

picture_bytes png_of_frame(const picture& frame, std::optional<frame_part> part, const picture_words& words) {
  const ImVec2 pixels = ImGui::GetIO().DisplayFramebufferScale;
  picture seen = frame;
  if (part) {
    const auto whole = [](float x) { return static_cast<int>(std::lround(x)); };
    seen = small_picture(frame,
                         {whole(part->low.x * pixels.x), whole(part->low.y * pixels.y), whole(part->high.x * pixels.x),
                          whole(part->high.y * pixels.y)},
                         frame.width);
  }
  return [seen = std::move(seen), line = words.line] { return png_of(seen, line); };
}

picture_bytes svg_of_frame(std::optional<frame_part> part, const picture_words& words, svg_letters letters) {
  const ImDrawData& drawn = *ImGui::GetDrawData();
  const frame_part seen = part.value_or(frame_part{{0, 0}, drawn.DisplaySize});
  return [svg = svg_of(drawn, seen.low, seen.high, viz::theme().ground, {words.title, words.line}, letters)] {
    return outcome<std::string>(svg);
  };
}

frame_part content_of_frame() {
  const ImDrawData& drawn = *ImGui::GetDrawData();
  const ImVec2 whole = drawn.DisplaySize;
  frame_part content{whole, {0, 0}};
  for (const ImDrawList* list : drawn.CmdLists) {
    for (const ImDrawCmd& command : list->CmdBuffer) {
      if (command.UserCallback) continue;
      for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
        ImVec2 low{FLT_MAX, FLT_MAX}, high{-FLT_MAX, -FLT_MAX};
        bool seen = false;
        for (unsigned k = i; k < i + 3; ++k) {
          const ImDrawVert& v = list->VtxBuffer[static_cast<int>(
              list->IdxBuffer[static_cast<int>(command.IdxOffset + k)] + command.VtxOffset)];
          low = {std::min(low.x, v.pos.x), std::min(low.y, v.pos.y)};
          high = {std::max(high.x, v.pos.x), std::max(high.y, v.pos.y)};
          seen |= (v.col >> IM_COL32_A_SHIFT & 255) != 0 && v.col != viz::theme().panel && v.col != viz::theme().ground;
        }
        const ImVec4& clip = command.ClipRect;
        low = {std::max(low.x, clip.x), std::max(low.y, clip.y)};
        high = {std::min(high.x, clip.z), std::min(high.y, clip.w)};
        const bool frames =
            high.x - low.x > whole.x * 0.98f || high.y - low.y > whole.y * 0.98f;  // the window's border
        if (!seen || frames || low.x >= high.x || low.y >= high.y) continue;
        content.low = {std::min(content.low.x, low.x), std::min(content.low.y, low.y)};
        content.high = {std::max(content.high.x, high.x), std::max(content.high.y, high.y)};
      }
    }
  }
  if (content.low.x >= content.high.x) return {{0, 0}, whole};
  const float margin = viz::px(16);
  return {{std::max(content.low.x - margin, 0.0f), std::max(content.low.y - margin, 0.0f)},
          {std::min(content.high.x + margin, whole.x), std::min(content.high.y + margin, whole.y)}};
}

std::string picture_title(std::optional<viz::panel> which, const viz::view_state& view) {
  std::string title = "pivotscope";
  if (which) title += std::string(": ") + viz::name_of(*which);
  const viz::build_state& b = view.build;
  const auto steps = view.transport.path ? view.transport.path->trace.steps.size() : 0;
  if (b.on && b.at.pass < b.passes.size())
    title += fmt::format(", slot {} of the {}", b.at.slot, b.passes[b.at.pass].name);
  else if (!b.on && steps > 0)
    title += fmt::format(", step {} of {}", view.transport.step + 1, steps);
  return title;
}

std::vector<view_position> every_place(const viz::view_state& view) {
  std::vector<view_position> places;
  const viz::build_state& b = view.build;
  if (b.on) {
    for (std::size_t pass = 0; pass < b.passes.size(); ++pass)
      // One more than are drawn tells that they are too many.
      for (u64 slot = 0; slot < b.passes[pass].slots && places.size() <= viz::most_pictures; ++slot)
        places.push_back({.build = build_slot{pass == 0 ? "" : b.passes[pass].name, slot}});
    return places;
  }
  const std::size_t steps = view.transport.path ? view.transport.path->trace.steps.size() : 0;
  for (u32 step = 1; step <= steps; ++step) places.push_back({.step = step});
  return places;
}

status show_place(viz::view_state& view, const view_position& at) {
  view.transport.playing = false;
  viz::build_state& b = view.build;
  if (at.build) {
    const outcome<viz::build_place> found = viz::find_place(b.passes, *at.build);
    if (!found) return found.error();
    b.at = b.wanted = *found;
    b.follow = true;
  }
  if (at.in_time()) b.on = at.build.has_value();
  if (at.step) view.transport.step = *at.step - 1, view.transport.beyond = 0;
  return fine();
}

status ready_for_pictures(const std::filesystem::path& path) {
  return is_drawn_in_shapes(path) ? fine() : provide_display();
}

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
  const outcome<std::unique_ptr<ground>> on =
      ground_for(path, pixels(shape.width, usual_width), pixels(shape.height, usual_height),
                 shape.as_text ? svg_letters::text : svg_letters::outlines);
  if (!on) return on.error();
  settings look;
  look.light = shape.light;
  look.motion = false;
  look.preset = shape.preset;
  look.scale = shape.scale;
  window_options start = options;
  start.remember = false;
  drawing drawn(**on, start, look);
  if (*which) drawn.bench().show_only(**which);
  if (shape.pinned) {
    const viz::session_view& shown = drawn.bench().shown();
    drawn.bench().view().pinned =
        config_for(*shape.pinned, shown.choice.load.keys, shown.choice.machine, start.from.find());
  }
  if (const status ready = drawn.until_settled(control); !ready) return ready.error();

  viz::view_state& view = drawn.bench().view();
  const outcome<std::vector<view_position>> places = places_of(shape, view);
  if (!places) return places.error();
  std::vector<std::filesystem::path> written;
  const auto count = static_cast<u32>(places->size());
  const auto show = [&](u32 i) -> status {
    if (status there = show_place(view, (*places)[i]); !there) return there;
    drawn.until_still();
    return control.cancelled() ? status(job_control::cancelled_problem()) : fine();
  };
  // A panel is cut to what is drawn in it, unless its size was asked for; of several pictures all alike, so that they can be
  // leafed through.
  std::optional<frame_part> part;
  for (u32 i = 0; *which && shape.width == 0 && shape.height == 0 && i < count; ++i) {
    if (const status shown = show(i); !shown) return shown.error();
    const frame_part content = content_of_frame();
    if (!part) part = content;
    part->low = {std::min(part->low.x, content.low.x), std::min(part->low.y, content.low.y)};
    part->high = {std::max(part->high.x, content.high.x), std::max(part->high.y, content.high.y)};
  }
  for (u32 i = 0; i < count; ++i) {
    if (const status shown = show(i); !shown) return shown.error();
    written.push_back(shape.every_step || shape.every_slot ? numbered(path, i + 1, count) : path);
    if (const status done = drawn.write(written.back(), *which, part); !done) return done.error();
  }
  return written;
}

}  // namespace pivotscope
