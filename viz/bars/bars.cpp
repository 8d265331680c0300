// The bars that are always there: the top line and the transport.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/index/config_text.hpp"
#include "viz/bars/bars.hpp"
#include "viz/bars/build_scrub.hpp"
#include "viz/models/timings_model.hpp"
#include "viz/panels/own_data.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/picture_menu.hpp"
#include "viz/parts/timeline.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/state/commands.hpp"
#include "viz/state/opening.hpp"
#include "viz/state/view_state.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr float top_icons = 6;

// Words in the bar, on its middle line.
void bar_text(ImFont* font, float size, ImU32 colour, const std::string& words, float height) {
  const text_style style(font, size, colour);
  ImGui::SetCursorPosY((height - ImGui::GetTextLineHeight()) / 2);
  ImGui::TextUnformatted(words.c_str());
}

void bar_gap(float units) { ImGui::SameLine(0, px(units)); }

void divider(float height) {
  bar_gap(12);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float top = ImGui::GetWindowPos().y;
  ImGui::GetWindowDrawList()->AddLine({at.x, top + px(12)}, {at.x, top + height - px(12)}, theme().line, 1);
  ImGui::Dummy({1, 1});
  bar_gap(12);
}

const machine_info* machine_in_use(const frame& f) {
  if (!f.session.machines) return nullptr;
  for (const machine_report& report : *f.session.machines)
    if (report.kind == f.session.choice.machine && report.available) return &report.info;
  return nullptr;
}

// What the worker does now, as words, a share and a way to stop it.
struct job_words {
  std::string words;
  bool running = false;
};
job_words words_of(const session_view& now) {
  const job_state& job = now.job;
  const verification& verified = now.verified;
  const bool ready = now.index != nullptr;
  if (!job.running && verified.running)
    return {fmt::format("verifying, case {} of {}", grouped(verified.done + 1), grouped(verified.asked.cases)), true};
  if (!job.running && now.sweeping.running)
    return {fmt::format("measuring {}, row {} of {}", now.sweeping.name,
                        std::min(now.sweeping.done + 1, now.sweeping.rows), now.sweeping.rows),
            true};
  if (!job.running) return {job.stopped ? "stopped" : ready ? "ready" : "waiting", false};
  std::string words = job.stage;
  if (job.fraction >= 0)
    words += " " + percent_text(job.fraction);
  else if (job.elapsed_s >= 0.1)
    words += fmt::format(" {:.1f} s", job.elapsed_s);
  if (job.remaining_s >= 1) words += ", " + seconds_text(job.remaining_s) + " left";
  return {words, true};
}

// Of what goes on beside the choice.
double share_aside(const session_view& now) {
  if (!now.verified.running && now.sweeping.running) return now.sweeping.fraction;
  return static_cast<double>(now.verified.done) / static_cast<double>(std::max<u64>(now.verified.asked.cases, 1));
}

void panels_menu(frame& f) {
  if (!ImGui::BeginPopup("panels")) return;
  heading("Panels");
  for (std::size_t i = 0; i < panel_count; ++i) ImGui::MenuItem(panel_names[i], nullptr, &f.view.open[i]);
  pictures_menu(f);
  ImGui::Separator();
  if (ImGui::MenuItem("Learn", "1", f.view.preset == 1)) f.view.preset = 1, f.view.reset_layout = true;
  if (ImGui::MenuItem("Tune", "2", f.view.preset == 2)) f.view.preset = 2, f.view.reset_layout = true;
  if (ImGui::MenuItem("Compare", "3", f.view.preset == 3)) compare_with_chosen(f);
  if (ImGui::MenuItem("Reset this arrangement")) f.view.reset_layout = true;
  ImGui::Separator();
  ImGui::MenuItem("Motion", nullptr, &f.view.motion);
  ImGui::EndPopup();
}

// What is right-aligned is drawn from right to left, so its width is told first.
void right_side(frame& f, float height) {
  const job_words job = words_of(f.session);
  const session_run* run = f.session.runs->empty() ? nullptr : &f.session.runs->back();
  const bool rate_is_of_choice = run && is_of(*run, f.session.choice);
  const machine_info* machine = machine_in_use(f);
  const std::string rate = rate_is_of_choice ? rate_text(run->record.operations_per_second()) : "";
  const std::string name = machine ? machine->name : std::string(machine_name(f.session.choice.machine));
  const std::string origin = rate_is_of_choice ? provenance_word(run->origin) : "";

  const float icons_width = px(top_icons * 30);
  const float room = ImGui::GetWindowWidth() - ImGui::GetCursorPosX() - icons_width - px(24);
  const float job_width = text_width(fonts().words_medium, type::small, job.words) + px(job.running ? 60.0f : 22.0f);
  const float rate_width = rate.empty()
                               ? 0
                               : text_width(fonts().mono_bold, type::body, rate) +
                                     text_width(provenance_font(provenance::live), type::small, origin) + px(40);
  std::string machine_words = std::string(icon::chip) + "  " + name;
  float machine_width = text_width(fonts().words, type::small, machine_words) + px(24);
  if (machine_width + job_width + rate_width > room)
    machine_words = std::string(icon::chip) + "  " + std::string(machine_name(f.session.choice.machine)),
    machine_width = text_width(fonts().words, type::small, machine_words) + px(24);
  const bool show_machine = machine_width + job_width + rate_width <= room;
  const bool show_rate = rate_width > 0 && rate_width + job_width <= room;
  float width = job_width + (show_machine ? machine_width : 0) + (show_rate ? rate_width : 0) + icons_width + px(8);
  ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), ImGui::GetWindowWidth() - width - px(4)));

  if (show_machine) {
    bar_text(fonts().words, type::small, theme().text_dim, machine_words, height);
    hover_card("Machine", machine ? machine->name + ". " + machine->detail : "Looking for machines.");
    divider(height);
  }
  if (show_rate) {
    bar_text(fonts().mono_bold, type::body, theme().text, rate, height);
    const std::string_view what = operation_noun(run->record.kind);
    hover_card(fmt::format("{} a second", what),
               fmt::format("{} {}, every answer checked.", short_count(run->record.operations), what));
    bar_gap(6);
    bar_text(provenance_font(run->origin), type::small, theme().text_faint, origin, height);
    divider(height);
  }
  if (job.running) {
    // A ring that fills: a number stands beside it, so nothing spins for nothing.
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 middle{at.x + px(6), ImGui::GetWindowPos().y + height / 2};
    const double done = f.session.job.running ? f.session.job.fraction : share_aside(f.session);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddCircle(middle, px(6), theme().line, 0, px(2));
    draw.PathArcTo(middle, px(6), -1.5708f, -1.5708f + 6.2832f * static_cast<float>(std::clamp(done, 0.03, 1.0)));
    draw.PathStroke(theme().text, px(2));
    ImGui::Dummy({px(14), 1});
    bar_gap(6);
  }
  bar_text(fonts().words_medium, type::small, job.running || !f.session.index ? theme().text : theme().text_dim,
           job.words, height);
  if (job.running) {
    bar_gap(4);
    ImGui::SetCursorPosY((height - px(26)) / 2);
    if (icon_button("stop job", icon::stop, with_keys_of(f, "Stop", "escape"), true, 26)) f.act.cancel();
  }
  const float y = (height - px(30)) / 2;
  ImGui::SameLine();
  ImGui::SetCursorPosX(ImGui::GetWindowWidth() - icons_width - px(8));
  const auto place = [&] { ImGui::SetCursorPosY(y); };
  place();
  if (icon_button("learn", icon::learn, with_keys_of(f, "Arrange the panels to learn", "learn"), true, 30))
    f.view.preset = 1, f.view.reset_layout = true;
  ImGui::SameLine(0, 0), place();
  if (icon_button("tune", icon::tune, with_keys_of(f, "Arrange the panels to tune", "tune"), true, 30))
    f.view.preset = 2, f.view.reset_layout = true;
  ImGui::SameLine(0, 0), place();
  if (icon_button("compare", icon::compare,
                  with_keys_of(f, "Pin this index as A and compare others with it", "compare"), true, 30))
    compare_with_chosen(f);
  ImGui::SameLine(0, 0), place();
  if (icon_button("panels menu", icon::columns, "Panels and settings", true, 30)) ImGui::OpenPopup("panels");
  panels_menu(f);
  ImGui::SameLine(0, 0), place();
  if (icon_button("theme", f.view.light ? icon::moon : icon::sun, f.view.light ? "Dark" : "Light", true, 30))
    f.view.light = !f.view.light;
  ImGui::SameLine(0, 0), place();
  if (icon_button("keys", icon::keyboard, with_keys_of(f, "All keys", "keys"), true, 30))
    f.view.show_keys = !f.view.show_keys;
}

}  // namespace

float top_bar_height() { return px(44); }

void top_bar(frame& f) {
  const float height = top_bar_height();
  ImGui::SetCursorPosX(px(16));
  bar_text(fonts().words_bold, type::title, theme().text, "pivotscope", height);
  divider(height);
  bar_text(fonts().mono_bold, type::body, theme().text, to_line(f.session.choice.config), height);
  hover_card("The index, as one line",
             "The method, then what differs from its default. The command line takes the same: --config \"...\".");
  bar_gap(4);
  ImGui::SetCursorPosY((height - px(26)) / 2);
  const bool just_copied = f.now - f.view.copied_at < 1.2;
  if (just_copied) f.moving = true;
  if (icon_button("copy", just_copied ? icon::check : icon::copy,
                  just_copied ? "Copied" : "Copy the scenario as one line (ctrl C)", true, 26)) {
    copy_scenario(f);
  }
  bar_gap(0);
  ImGui::SetCursorPosY((height - px(26)) / 2);
  const bool is_pinned = f.view.pinned && *f.view.pinned == f.session.choice.config;
  if (icon_button("pin as A", is_pinned ? icon::check : icon::pin,
                  is_pinned ? "This index is A, the one to compare with" : "Pin as A, to compare others with it", true,
                  26))
    pin_index(f.view, f.session.choice.config);
  const workload& load = f.session.choice.load;
  const std::string words = keys_in_words(f.session);
  // Only where there is room for it: the icons and what runs come first.
  const float room =
      ImGui::GetWindowWidth() - ImGui::GetItemRectMax().x + ImGui::GetWindowPos().x - px(top_icons * 30 + 8);
  const float job = text_width(fonts().words_medium, type::small, words_of(f.session).words) + px(64);
  if (text_width(fonts().words, type::small, words) + px(25) + job < room) {
    divider(height);
    bar_text(fonts().words, type::small, theme().text_dim, words, height);
    hover_card("The workload, as one line", to_line(load));
  }
  ImGui::SameLine();
  right_side(f, height);
}

namespace {

// Above the controls there is always room for who reads what the mouse is over: nothing jumps when it is over something.
constexpr float above_controls = 12, controls_height = 48;

}  // namespace

float transport_bar_height() { return px(above_controls + controls_height); }

namespace {

// What the transport steps through.
void mode_chips(frame& f, float height) {
  const bool build = f.view.build.on;
  ImGui::SetCursorPosX(px(12));
  ImGui::SetCursorPosY((height - px(24)) / 2);
  if (chip("mode lookup", "Lookup", build ? chip_look::plain : chip_look::chosen)) show_build(f, false);
  hover_card("Lookup", "Step through a lookup: how the search finds a key.", build ? "b does the same." : "");
  ImGui::SameLine(0, px(4));
  ImGui::SetCursorPosY((height - px(24)) / 2);
  if (chip("mode build", "Build", build ? chip_look::chosen : chip_look::plain)) show_build(f, true);
  hover_card("Build",
             "Step through the build: slot by slot, how its thread finds the key that belongs there. A GPU writes all "
             "slots at once, a thread each; here they come one after another.",
             build ? "" : "b does the same.");
  ImGui::SameLine(0, px(12));
}

// How far what is shown has come.
struct transport_ends {
  bool any = false, at_first = true, at_last = true;
};
transport_ends ends_of(const frame& f) {
  const build_state& b = f.view.build;
  if (b.on) return {!b.passes.empty(), is_first(b.at), is_last(b.passes, b.at)};
  const lookup_trace* trace = f.trace();
  if (!trace || trace->steps.empty()) return {};
  return {true, f.view.transport.step == 0, f.joint_step() + 1 >= f.steps()};
}

// What is pinned bends the transport, whatever is in view: so it is seen there, and let go there.
void pinned_mark(frame& f, float height) {
  bar_gap(8);
  ImGui::SetCursorPosY((height - px(26)) / 2);
  const std::string what = f.view.pinned ? to_line(*f.view.pinned) : fmt::format("step {}", *f.view.pinned_step + 1);
  if (icon_button(
          "let A go", icon::pin,
          fmt::format("A is pinned: {}. One transport steps both, to the end of the longer path. Click to unpin.",
                      what),
          true, 26))
    unpin(f.view);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  draw_text(*ImGui::GetWindowDrawList(), fonts().mono_bold, type::tiny, {high.x - px(3), low.y + px(2)}, theme().text,
            "A");
}

}  // namespace

void transport_bar(frame& f) {
  const float height = px(2 * above_controls + controls_height);  // twice as far down as the controls' middle
  transport_state& t = f.view.transport;
  const lookup_trace* trace = f.trace();
  const bool any = trace && !trace->steps.empty();
  const u32 last = any ? f.steps() - 1 : 0, joint = f.joint_step();
  const auto place = [&](float size) { ImGui::SetCursorPosY((height - px(size)) / 2); };
  mode_chips(f, height);
  const auto [stepped, at_first, at_last] = ends_of(f);
  place(32);
  if (icon_button("first", icon::first, with_keys_of(f, "To the first step", "first-step"), stepped && !at_first, 32))
    run_command(f, "first-step");
  ImGui::SameLine(0, 0), place(32);
  if (icon_button("back", icon::back, with_keys_of(f, "One step back", "step-back"), stepped && !at_first, 32))
    run_command(f, "step-back");
  ImGui::SameLine(0, 0), place(36);
  if (icon_button("play", t.playing ? icon::pause : icon::play, with_keys_of(f, t.playing ? "Stop" : "Play", "play"),
                  stepped && !(at_first && at_last), 36))
    run_command(f, "play");
  ImGui::SameLine(0, 0), place(32);
  if (icon_button("on", icon::forward, with_keys_of(f, "One step on", "step-on"), stepped && !at_last, 32))
    run_command(f, "step-on");
  ImGui::SameLine(0, 0), place(32);
  if (icon_button("last", icon::last, with_keys_of(f, "To the last step", "last-step"), stepped && !at_last, 32))
    run_command(f, "last-step");
  ImGui::SameLine(0, px(12));

  // Speed.
  static constexpr float speeds[] = {0.5f, 1, 2, 4, 16};
  for (const float speed : speeds) {
    if (speed > fastest_lookup && !f.view.build.on) continue;  // slots are many, and a lookup's steps few
    const std::string words = fmt::format("{:g}\xC3\x97", speed);
    ImGui::PushID(words.c_str());
    place(24);
    if (chip("speed", words, t.steps_per_second == speed ? chip_look::chosen : chip_look::plain))
      t.steps_per_second = speed;
    hover_card("", fmt::format("Play at {:g} step{} a second", speed, speed == 1 ? "" : "s"));
    ImGui::PopID();
    ImGui::SameLine(0, px(4));
  }
  ImGui::SameLine(0, px(16));

  // Scrub: a dot a step, as large as a mouse can hit.
  const bool pinned = f.other && (f.view.pinned || f.view.pinned_step) && !f.view.build.on;
  const float right_words = px(f.view.build.on ? 230.0f : pinned ? 190.0f : 140.0f);
  const float width = std::max(px(80), ImGui::GetWindowWidth() - ImGui::GetCursorPosX() - right_words);
  place(32);
  if (f.view.build.on) return build_scrub(f, width, height);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("scrub", {width, px(32)});
  const float x0 = at.x + px(10), span = width - px(20), y = at.y + px(16);
  if (ImGui::IsItemActive() && any && last > 0) {
    t.playing = false;
    const float share = std::clamp((ImGui::GetIO().MousePos.x - x0) / span, 0.0f, 1.0f);
    go_to_step(f, static_cast<u32>(std::lround(share * static_cast<float>(last))));
  }
  // The nearest, of the path that is shown.
  std::optional<u32> hovered;
  if (ImGui::IsItemHovered() && any) {
    const float share = std::clamp((ImGui::GetIO().MousePos.x - x0) / span, 0.0f, 1.0f);
    const auto nearest = static_cast<u32>(std::lround(share * static_cast<float>(last)));
    if (nearest < trace->steps.size()) hovered = nearest;
  }
  step_menu(f, hovered);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled({x0, y - px(1.5f)}, {x0 + span, y + px(1.5f)}, theme().line, px(2));
  if (any) {
    const u32 levels = f.session.index ? f.model()->levels() : 1;
    const auto x_of = [&](u32 step) {
      return last == 0 ? x0 : x0 + span * static_cast<float>(step) / static_cast<float>(last);
    };
    draw.AddRectFilled({x0, y - px(1.5f)}, {x_of(joint), y + px(1.5f)}, theme().accent, px(2));
    for (u32 i = 0; i <= last; ++i) {
      const bool now = i == joint, ended = i >= trace->steps.size();  // of two paths one may be longer
      const ImVec2 middle{x_of(i), y};
      const ImU32 colour = ended ? theme().panel : level_colour(trace->steps[i].level, levels);
      draw.AddCircleFilled(middle, px(now ? 9.0f : 6.0f), now ? theme().text : colour);
      if (!now) draw.AddCircle(middle, px(6), i < joint ? theme().text : theme().text_faint, 0, px(1));
      if (now) draw_text_centred(draw, fonts().mono_bold, 11, middle, theme().panel, std::to_string(i + 1));
    }
    if (f.view.pinned_step && f.other) {
      const u32 of_a = f.other->view.transport.step;
      const ImVec2 middle{x_of(of_a), y};
      if (of_a != joint) {
        draw.AddCircleFilled(middle, px(8), theme().panel);
        draw.AddCircle(middle, px(8), theme().text, 0, px(1.5f));
        draw_text_centred(draw, fonts().mono_bold, 10, middle, theme().text, "A");
      }
    }
    // Beyond the end of the path that is shown the transport steps A's alone.
    if (const auto ended = static_cast<u32>(trace->steps.size()); pinned && ended > 0 && ended <= last) {
      const float from = x_of(ended - 1) + px(8), to = x_of(last) + px(9);
      draw.AddRect({from, y - px(11)}, {to, y + px(11)}, theme().text_faint, px(11), px(1));
      const std::string words = "A alone";
      if (text_width(fonts().words, type::tiny, words) < to - from)
        draw_text_centred(draw, fonts().words, type::tiny, {(from + to) / 2, y - px(15)}, theme().text_dim, words);
    }
    draw_step_events(f, *trace, x_of, y);
    draw_accesses(f, *trace, x_of, ImGui::GetWindowPos().y + px(2), y);
  }
  ImGui::SameLine(0, px(12));
  if (any)
    bar_text(fonts().words, type::small, theme().text_dim, fmt::format("step {} of {}", joint + 1, last + 1), height);
  else
    bar_text(fonts().words, type::small, theme().text_faint, "no key chosen", height);
  if (pinned) pinned_mark(f, height);
}

}  // namespace pivotscope::viz
