#include "viz/state/commands.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/common/expect.hpp"
#include "core/index/family.hpp"
#include "core/index/index_scene.hpp"
#include "viz/state/interleave_steps.hpp"
#include "viz/state/key_chord.hpp"
#include "viz/state/navigation.hpp"
#include "viz/state/opening.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {
namespace {

// Where Interleave has the focus they are its accesses that are stepped.
bool steps_accesses(const frame& f) {
  return f.view.interleave.focused && f.view.seen[static_cast<std::size_t>(panel::interleave)];
}

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
  if (steps_accesses(f)) return step_accesses(f, last ? 1000000 : -1000000);
  if (!f.view.build.on) return step_by(f, last ? 1000000 : -1000000);
  f.view.transport.playing = false;
  const build_place before = f.view.build.at;
  const u64 slot = last ? ~0ull : 0;
  go_to_place(f, {before.pass, slot});
  if (f.view.build.at == before) go_to_place(f, {last ? ~0u : 0, slot});
}

void step_on(frame& f, int steps) {
  if (steps_accesses(f))
    step_accesses(f, steps);
  else
    step_by(f, steps);
}

// Another key is asked for: that is a lookup's.
void show_lookup(frame& f) { show_build(f, false); }

// To the next step that reads another level, one way or the other.
void step_level(frame& f, int direction) {
  if (steps_accesses(f)) return step_to_switch(f, direction);
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

constexpr int most_frames_to_field = 10;

// A field of a panel, which may be behind others, gets the keyboard.
void type_into(frame& f, panel which, entry_state& field) {
  field.focus_next = true;
  f.view.open[static_cast<std::size_t>(which)] = true;
  f.view.focus = which;
  f.view.frames_to_field = most_frames_to_field;
}

void find_slot(frame& f) {
  f.view.layout.search.text.clear();
  f.view.layout.search_slots = true;
  type_into(f, panel::layout, f.view.layout.search);
}

void find_key(frame& f) {
  show_lookup(f);
  type_into(f, panel::path, f.view.key);
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

bool has_steps(const frame& f) {
  if (steps_accesses(f)) return true;
  if (f.view.build.on) return !f.view.build.passes.empty();
  const lookup_trace* trace = f.trace();
  return trace && !trace->steps.empty();
}
// Of an index that does not change the panel says so, and has no field.
void type_batch(frame& f) {
  if (family_of(f.session.choice.config).changes()) return type_into(f, panel::updates, f.view.updates.typed);
  f.view.open[static_cast<std::size_t>(panel::updates)] = true;
  f.view.focus = panel::updates;
}

bool can_undo(const frame& f) { return f.session.updates && f.session.updates->applied > 0; }
bool can_redo(const frame& f) {
  return f.session.updates && f.session.updates->applied < f.session.updates->batches.size();
}
void undo(frame& f) {
  if (can_undo(f)) f.act.go_to_batch(f.session.updates->applied - 1);
}
void redo(frame& f) {
  if (can_redo(f)) f.act.go_to_batch(f.session.updates->applied + 1);
}
bool has_index(const frame& f) { return f.session.index != nullptr; }

// --- Scene ---
bool has_scene(const frame& f) { return f.session.index && with_scene(*f.model()); }
// The boxes of the level below, or above; beyond either end none, as before the first.
void show_boxes(frame& f, int by) {
  const int levels = static_cast<int>(with_scene(*f.model())->scene().tree().levels);
  std::optional<u32>& shown = f.view.scene.boxes;
  const int now = shown ? static_cast<int>(*shown) : by > 0 ? -1 : levels, next = now + by;
  shown = next < 0 || next >= levels ? std::nullopt : std::optional(static_cast<u32>(next));
}

constexpr ImGuiKeyChord ctrl = ImGuiMod_Ctrl, shift = ImGuiMod_Shift;

const std::array<command, 40>& table() {
  static const std::array<command, 40> all = {{
      {"play", ImGuiKey_Space, "Play the steps, or stop", false, toggle_play, has_steps},
      {"step-on", ImGuiKey_RightArrow, "One step on", true, [](frame& f) { step_on(f, 1); }, has_steps},
      {"step-back", ImGuiKey_LeftArrow, "One step back", true, [](frame& f) { step_on(f, -1); }, has_steps},
      {"level-on", shift | ImGuiKey_RightArrow, "To the next level", true, [](frame& f) { step_level(f, 1); },
       has_steps},
      {"level-back", shift | ImGuiKey_LeftArrow, "To the level before", true, [](frame& f) { step_level(f, -1); },
       has_steps},
      {"first-step", ImGuiKey_Home, "To the first step", false, [](frame& f) { step_to_end(f, false); }, has_steps},
      {"last-step", ImGuiKey_End, "To the last step", false, [](frame& f) { step_to_end(f, true); }, has_steps},
      {"stop-on", ImGuiKey_F5, "On to the next stop", false, [](frame& f) { run_to_stop(f, 1); }, has_steps},
      {"stop-back", shift | ImGuiKey_F5, "Back to the stop before", false, [](frame& f) { run_to_stop(f, -1); },
       has_steps},
      {"lookup-on", ctrl | ImGuiKey_N, "The tile's next lookup", true, [](frame& f) { next_lookup(f, 1); }, has_index},
      {"lookup-back", ctrl | shift | ImGuiKey_N, "The tile's lookup before", true, [](frame& f) { next_lookup(f, -1); },
       has_index},
      {"build", ctrl | ImGuiKey_B, "Step through the build, or through the lookup", false,
       [](frame& f) { show_build(f, !f.view.build.on); }, has_index},
      {"find-key", '/', "Type a key to look for; a digit begins one, too", false, find_key},
      {"find-slot", ctrl | ImGuiKey_G, "Go to a slot", false, find_slot, has_index},
      {"random-hit", ctrl | ImGuiKey_R, "A key that is there, at random", false,
       [](frame& f) { show_lookup(f), f.act.choose_random_key(true); }, has_index},
      {"random-miss", ctrl | shift | ImGuiKey_R, "A key that is not there, at random", false,
       [](frame& f) { show_lookup(f), f.act.choose_random_key(false); }, has_index},
      {"type-batch", ctrl | ImGuiKey_U, "Type a batch of inserts and erases", false, type_batch, has_index},
      {"undo", ctrl | ImGuiKey_Z, "Undo the last batch of updates", true, undo, can_undo},
      {"redo", ctrl | ImGuiKey_Y, "Redo the batch that was undone", true, redo, can_redo},
      {"fit", ctrl | ImGuiKey_E, "Show the whole array", false,
       [](frame& f) {
         for (strip_state* s : {&f.view.layout.upper, &f.view.layout.lower})
           s->camera.go_to(0, static_cast<double>(s->camera.cells()));
         f.moving = true;
       },
       has_index},
      {"fit-scene", ImGuiKey_None, "Scene: show all of it from the usual side", false,
       [](frame& f) { f.view.scene.fit = true; }, has_scene},
      {"boxes-down", ctrl | ImGuiKey_D, "Scene: the boxes one level deeper", true,
       [](frame& f) { show_boxes(f, 1); }, has_scene},
      {"boxes-up", ctrl | shift | ImGuiKey_D, "Scene: the boxes one level higher", true,
       [](frame& f) { show_boxes(f, -1); }, has_scene},
      {"measure", ctrl | ImGuiKey_M, "Measure: repeat the lookups and take the median", false,
       [](frame& f) { f.act.measure(); }, has_index},
      {"baseline", ctrl | shift | ImGuiKey_M, "Pin the measured run as the baseline, or let it go", false,
       toggle_baseline, can_pin_baseline},
      {"escape", ImGuiKey_Escape, "Close a list or a menu, else stop what runs", false, escape},
      {"larger", ctrl | '+', "Everything larger", false, [](frame& f) { scale_by(f, 1.1f); }},
      {"smaller", ctrl | '-', "Everything smaller", false, [](frame& f) { scale_by(f, 1 / 1.1f); }},
      {"usual-size", ctrl | ImGuiKey_0, "Everything as large as the display asks", false,
       [](frame& f) { f.view.scale = 1; }},
      {"learn", ctrl | ImGuiKey_1, "Arrange the panels to learn", false, [](frame& f) { choose_preset(f, 1); }},
      {"tune", ctrl | ImGuiKey_2, "Arrange the panels to tune", false, [](frame& f) { choose_preset(f, 2); }},
      {"compare", ctrl | ImGuiKey_3, "Compare: pin this index as A, and arrange two columns", false,
       compare_with_chosen},
      {"arrange-again", ImGuiKey_None, "Arrange the panels again as they were", false,
       [](frame& f) { f.view.reset_layout = true; }},
      {"theme", ImGuiKey_None, "Light on dark, or dark on light", false,
       [](frame& f) { f.view.light = !f.view.light; }},
      {"motion", ImGuiKey_None, "Cells glide when the order changes, or do not", false,
       [](frame& f) { f.view.motion = !f.view.motion; }},
      {"copy", ctrl | ImGuiKey_C, "Copy the scenario: the index, the workload, the key and the step as one line", false,
       copy_scenario},
      {"paste", ctrl | ImGuiKey_V, "Open the scenario that the clipboard holds", false,
       [](frame& f) {
         const char* text = ImGui::GetClipboardText();
         open_scenario(f, text ? text : "");
       }},
      {"commands", ctrl | ImGuiKey_P, "Find a command, a panel, a lesson or a method", false,
       [](frame& f) {
         f.view.palette = {.open = true};
         f.view.palette.text.focus_next = true;
         f.view.frames_to_field = most_frames_to_field;
       }},
      {"close", ctrl | ImGuiKey_Q, "Close the window", false, [](frame& f) { f.view.quit = true; }},
      {"keys", ImGuiKey_F1, "This list", false,
       [](frame& f) {
         f.view.show_keys = !f.view.show_keys;
         f.view.rebinding = {};
       }},
  }};
  return all;
}

}  // namespace

std::span<const command> commands() { return table(); }

std::optional<std::size_t> find_command(std::string_view id) {
  for (std::size_t i = 0; i < commands().size(); ++i)
    if (id == commands()[i].id) return i;
  return std::nullopt;
}

void run_command(frame& f, std::string_view id) {
  const std::optional<std::size_t> which = find_command(id);
  PIVOTSCOPE_EXPECT(which.has_value());
  commands()[*which].act(f);
}

std::string with_keys_of(const frame& f, const std::string& words, std::string_view id) {
  const std::optional<std::size_t> which = find_command(id);
  PIVOTSCOPE_EXPECT(which.has_value());
  const ImGuiKeyChord keys = f.view.keys.of(*which);
  return keys == ImGuiKey_None ? words : words + " (" + to_text(keys) + ")";
}

}  // namespace pivotscope::viz
