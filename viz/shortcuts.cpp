#include "viz/shortcuts.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "viz/icons.hpp"
#include "viz/opening.hpp"
#include "viz/timeline.hpp"
#include "viz/widgets.hpp"

namespace pivotscope::viz {
namespace {

void toggle_play(frame& f) {
  transport_state& t = f.view.transport;
  const lookup_trace* trace = f.trace();
  // Playing from the end begins again.
  if (!t.playing && f.view.build.on && is_last(f.view.build.passes, f.view.build.at))
    go_to_place(f, {});
  else if (!t.playing && !f.view.build.on && trace && f.joint_step() + 1 >= f.steps())
    go_to_step(f, 0);
  t.playing = !t.playing;
  t.next_at = f.now + 1 / static_cast<double>(t.steps_per_second);
}

// To an end of what is shown: of the lookup, or of the build's pass; from there to that of the whole build.
void step_to_end(frame& f, bool last) {
  if (!f.view.build.on) return step_by(f, last ? 1000000 : -1000000);
  f.view.transport.playing = false;
  const build_place before = f.view.build.at;
  const u64 slot = last ? ~0ull : 0;
  go_to_place(f, {before.pass, slot});
  if (f.view.build.at == before) go_to_place(f, {last ? ~0u : 0, slot});
}

// Another key is asked for: that is a lookup's.
void show_lookup(frame& f) { show_build(f, false); }

// To the next step that reads another level, one way or the other.
void step_level(frame& f, int direction) {
  if (f.view.build.on) {
    f.view.transport.playing = false;
    return go_to_place(f, moved_by_level(f.view.build.passes, f.view.build.at, direction > 0));
  }
  const lookup_trace* trace = f.trace();
  if (!trace || trace->steps.empty()) return;
  const auto last = static_cast<int>(trace->steps.size()) - 1;
  int step = static_cast<int>(f.view.transport.step);
  const u32 level = trace->steps[static_cast<std::size_t>(std::min(step, last))].level;
  do step += direction;
  while (step > 0 && step < last && trace->steps[static_cast<std::size_t>(step)].level == level);
  f.view.transport.playing = false;
  go_to_step(f, static_cast<u32>(std::clamp(step, 0, last)));
}

void choose_preset(frame& f, int preset) {
  f.view.preset = preset;
  f.view.reset_layout = true;
}

// By about a tenth, in twentieths.
void scale_by(frame& f, float factor) {
  const float scale = std::round(f.view.scale * factor * 20) / 20;
  f.view.scale = std::clamp(scale, least_scale, greatest_scale);
}

void find_slot(frame& f) {
  f.view.layout.search.text.clear();
  f.view.layout.search_slots = true;
  f.view.layout.search.focus_next = true;
  f.view.open[static_cast<std::size_t>(panel::layout)] = true;
}

// What is open on top goes first.
void escape(frame& f) {
  if (f.view.show_keys)
    f.view.show_keys = false;
  else if (ImGui::GetCurrentContext() != nullptr &&  // a test has none
           ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel))
    ImGui::ClosePopupToLevel(0, true);
  else
    f.act.cancel();
}

constexpr ImGuiKeyChord ctrl = ImGuiMod_Ctrl, shift = ImGuiMod_Shift;

const std::array<shortcut, 29>& table() {
  static const std::array<shortcut, 29> all = {{
      {ImGuiKey_Space, "space", "Play the steps, or stop", false, toggle_play},
      {ImGuiKey_RightArrow, "right", "One step on", true, [](frame& f) { step_by(f, 1); }},
      {ImGuiKey_LeftArrow, "left", "One step back", true, [](frame& f) { step_by(f, -1); }},
      {shift | ImGuiKey_RightArrow, "shift right", "To the next level", true, [](frame& f) { step_level(f, 1); }},
      {shift | ImGuiKey_LeftArrow, "shift left", "To the level before", true, [](frame& f) { step_level(f, -1); }},
      {ImGuiKey_Home, "home", "To the first step", false, [](frame& f) { step_to_end(f, false); }},
      {ImGuiKey_End, "end", "To the last step", false, [](frame& f) { step_to_end(f, true); }},
      {ImGuiKey_F5, "F5", "On to the next stop", false, [](frame& f) { run_to_stop(f, 1); }},
      {shift | ImGuiKey_F5, "shift F5", "Back to the stop before", false, [](frame& f) { run_to_stop(f, -1); }},
      {ImGuiKey_N, "n", "The tile's next lookup", true, [](frame& f) { next_lookup(f, 1); }},
      {shift | ImGuiKey_N, "shift n", "The tile's lookup before", true, [](frame& f) { next_lookup(f, -1); }},
      {ImGuiKey_B, "b", "Step through the build, or through the lookup", false,
       [](frame& f) { show_build(f, !f.view.build.on); }},
      {ImGuiKey_Slash, "/", "Type a key to look for", false,
       [](frame& f) {
         show_lookup(f);
         f.view.key.focus_next = true;
         f.view.open[static_cast<std::size_t>(panel::path)] = true;
         f.view.focus = panel::path;
       }},
      {ImGuiKey_G, "g", "Go to a slot", false, find_slot},
      {ImGuiKey_R, "r", "A key that is there, at random", false,
       [](frame& f) { show_lookup(f), f.act.choose_random_key(true); }},
      {shift | ImGuiKey_R, "shift r", "A key that is not there, at random", false,
       [](frame& f) { show_lookup(f), f.act.choose_random_key(false); }},
      {ImGuiKey_F, "f", "Show the whole array", false,
       [](frame& f) {
         for (strip_state* s : {&f.view.layout.upper, &f.view.layout.lower})
           s->camera.go_to(0, static_cast<double>(s->camera.cells()));
         f.moving = true;
       }},
      {ImGuiKey_M, "m", "Measure: repeat the lookups and take the median", false, [](frame& f) { f.act.measure(); }},
      {ImGuiKey_Escape, "escape", "Close a list or a menu, else stop what runs", false, escape},
      {ctrl | ImGuiKey_Equal, "ctrl +", "Everything larger", false, [](frame& f) { scale_by(f, 1.1f); }},
      {ctrl | ImGuiKey_Minus, "ctrl -", "Everything smaller", false, [](frame& f) { scale_by(f, 1 / 1.1f); }},
      {ctrl | ImGuiKey_0, "ctrl 0", "Everything as large as the display asks", false,
       [](frame& f) { f.view.scale = 1; }},
      {ImGuiKey_1, "1", "Arrange the panels to learn", false, [](frame& f) { choose_preset(f, 1); }},
      {ImGuiKey_2, "2", "Arrange the panels to tune", false, [](frame& f) { choose_preset(f, 2); }},
      {ImGuiKey_3, "3", "Compare: pin this index as A, and arrange two columns", false, compare_with_chosen},
      {ctrl | ImGuiKey_C, "ctrl C", "Copy the scenario: the index, the workload, the key and the step as one line",
       false, copy_scenario},
      {ctrl | ImGuiKey_V, "ctrl V", "Open the scenario that the clipboard holds", false,
       [](frame& f) {
         const char* text = ImGui::GetClipboardText();
         open_scenario(f, text ? text : "");
       }},
      {ctrl | ImGuiKey_Q, "ctrl Q", "Close the window", false, [](frame& f) { f.view.quit = true; }},
      {ImGuiKey_F1, "F1", "This list", false, [](frame& f) { f.view.show_keys = !f.view.show_keys; }},
  }};
  return all;
}

}  // namespace

std::span<const shortcut> shortcuts() { return table(); }

void handle_shortcuts(frame& f) {
  if (ImGui::GetIO().WantTextInput) return;
  // Tab goes from control to control; then arrows, space and escape are for these, until escape.
  const bool on_control = ImGui::GetIO().NavVisible;
  for (const shortcut& s : shortcuts()) {
    const ImGuiKey key = static_cast<ImGuiKey>(s.chord & ~ImGuiMod_Mask_);
    if (on_control && (key == ImGuiKey_Space || key == ImGuiKey_Escape || key == ImGuiKey_Home || key == ImGuiKey_End ||
                       key == ImGuiKey_LeftArrow || key == ImGuiKey_RightArrow))
      continue;
    const ImGuiInputFlags flags =
        ImGuiInputFlags_RouteGlobal | (s.repeats ? ImGuiInputFlags_Repeat : ImGuiInputFlags_None);
    if (ImGui::Shortcut(s.chord, flags)) s.act(f);
  }
}

void shortcut_list(frame& f) {
  if (!f.view.show_keys) return;
  const ImVec2 middle = ImGui::GetMainViewport()->GetCenter();
  ImGui::SetNextWindowPos(middle, ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme().light ? theme().panel : theme().raised);
  ImGui::PushStyleColor(ImGuiCol_TitleBgActive, theme().light ? theme().panel : theme().raised);
  if (ImGui::Begin("Keys", &f.view.show_keys,
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoCollapse |
                       ImGuiWindowFlags_NoSavedSettings)) {
    for (const shortcut& s : shortcuts()) {
      {
        const text_style style(fonts().mono_bold, type::small, theme().text);
        ImGui::TextUnformatted(s.name);
      }
      ImGui::SameLine(px(110));
      const text_style style(fonts().words, type::small, theme().text_dim);
      ImGui::TextUnformatted(s.words);
    }
  }
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar();
}

}  // namespace pivotscope::viz
