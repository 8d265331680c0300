#include "viz/bars/shortcuts.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "viz/parts/widgets.hpp"
#include "viz/state/commands.hpp"
#include "viz/state/key_chord.hpp"
#include "viz/state/key_order.hpp"
#include "viz/theme/icons.hpp"

namespace pivotscope::viz {
namespace {

// Of these a control has its own use.
bool is_for_controls(ImGuiKeyChord chord) {
  constexpr ImGuiKey keys[] = {ImGuiKey_Space,     ImGuiKey_Escape,     ImGuiKey_Home,    ImGuiKey_End,
                               ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow,
                               ImGuiKey_Enter,     ImGuiKey_Tab};
  const ImGuiKey key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

// What was pressed now; nothing while only modifiers are down.
ImGuiKeyChord pressed_chord() {
  for (const ImGuiKeyChord sign : signs_of_frame())
    if (is_chord(sign)) return sign;
  for (int key = ImGuiKey_Keyboard_BEGIN; key < ImGuiKey_Keyboard_END; ++key)
    if (is_chord(key | ImGui::GetIO().KeyMods) && ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), false))
      return key | ImGui::GetIO().KeyMods;
  return ImGuiKey_None;
}

// The next keys are those of the command that was clicked; escape leaves it as it was.
void rebind(frame& f) {
  rebinding_state& r = f.view.rebinding;
  const ImGuiKeyChord chord = pressed_chord();
  if (chord == ImGuiKey_None) return;
  const std::size_t command = *r.command;
  const std::optional<std::size_t> other = f.view.keys.command_of(chord);
  r = {};
  if (chord == ImGuiKey_Escape || other == command) return;
  if (other) {
    r.problem = to_text(chord) + " is taken: " + commands()[*other].words + ". Give that another key first.";
    return;
  }
  f.view.keys.bind(command, chord);
  f.view.keys_changed = true;
}

void key_row(frame& f, std::size_t i) {
  rebinding_state& r = f.view.rebinding;
  ImGui::PushID(commands()[i].id);
  const bool waits = r.command == i;
  const std::string keys = waits ? "press keys" : to_text(f.view.keys.of(i));
  const bool faint = f.view.keys.of(i) == ImGuiKey_None && !waits;
  if (chip("keys", keys, waits ? chip_look::chosen : faint ? chip_look::reachable : chip_look::plain)) {
    r = {};
    if (!waits) r.command = i;
  }
  hover_card("", waits ? "Now the keys that it is to have; escape leaves it as it was."
                       : "A click, then the keys that it is to have.");
  ImGui::SameLine(px(140));
  ImGui::AlignTextToFramePadding();
  const bool own = f.view.keys.is_own(i);
  const text_style style(own ? fonts().words_bold : fonts().words, type::small, own ? theme().text : theme().text_dim);
  ImGui::TextUnformatted(commands()[i].words);
  ImGui::PopID();
}

// What can be done with the list, or why the last keys were not taken.
void head_of_list(frame& f) {
  const bool own = !(f.view.keys == bindings());
  if (button("as they were", "All as at first", icon::undo, own)) {
    f.view.keys = {};
    f.view.keys_changed = true;
    f.view.rebinding = {};
  }
  ImGui::SameLine(0, px(12));
  ImGui::AlignTextToFramePadding();
  const std::string& problem = f.view.rebinding.problem;
  const text_style style(problem.empty() ? fonts().words : fonts().words_medium, type::small,
                         problem.empty() ? theme().text_dim : theme().bad);
  ImGui::TextUnformatted(problem.empty() ? "A click on a command's keys, then others."
                                         : (std::string(icon::warning) + "  " + problem).c_str());
}

void act_by_sign(frame& f) {
  for (const ImGuiKeyChord typed : signs_of_frame()) {
    std::optional<std::size_t> command = f.view.keys.command_of(typed);
    // The key that types + with shift types = without, and is pressed without where it is to mean +.
    if (!command && typed == (ImGuiMod_Ctrl | '=')) command = f.view.keys.command_of(ImGuiMod_Ctrl | '+');
    if (command) commands()[*command].act(f);
  }
}

// The keys of the number pad are digits, too.
ImGuiKeyChord on_number_pad(ImGuiKeyChord chord) {
  const ImGuiKeyChord key = chord & ~ImGuiMod_Mask_;
  if (key < ImGuiKey_0 || key > ImGuiKey_9) return ImGuiKey_None;
  return (chord & ImGuiMod_Mask_) | (key - ImGuiKey_0 + ImGuiKey_Keypad0);
}

// Digits that nobody waits for are the key that is looked for next.
void begin_key(frame& f) {
  const std::string begun = key_begun();
  if (begun.empty()) return;
  if (std::exchange(f.view.key_begun, false)) return;  // no field came for it
  if (ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return;
  if (f.view.keys.command_of(static_cast<ImGuiKeyChord>(begun.front()))) return;
  f.view.key_begun = true;
  give_again(begun);
  run_command(f, "find-key");
}

}  // namespace

void handle_shortcuts(frame& f) {
  const bool typing = types_into_field();
  f.view.frames_to_field = typing ? 0 : std::max(f.view.frames_to_field - 1, 0);
  f.moving |= f.view.frames_to_field > 0;
  if (typing) {
    f.view.key_begun = false;
    signs_of_frame();  // they are the field's
    return;
  }
  if (f.view.rebinding.command) return rebind(f);
  act_by_sign(f);
  begin_key(f);
  // Tab goes from control to control; then arrows, space and escape are for these, until escape.
  const bool on_control = ImGui::GetIO().NavVisible;
  for (std::size_t i = 0; i < commands().size(); ++i) {
    const ImGuiKeyChord chord = f.view.keys.of(i);
    if (chord == ImGuiKey_None || is_sign(chord) || (on_control && is_for_controls(chord))) continue;
    const ImGuiInputFlags flags =
        ImGuiInputFlags_RouteGlobal | (commands()[i].repeats ? ImGuiInputFlags_Repeat : ImGuiInputFlags_None);
    const ImGuiKeyChord pad = on_number_pad(chord);
    if (ImGui::Shortcut(chord, flags) || (pad != ImGuiKey_None && ImGui::Shortcut(pad, flags))) commands()[i].act(f);
  }
}

void shortcut_list(frame& f) {
  if (!f.view.show_keys) return;
  const ImGuiViewport& whole = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(whole.GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({px(200), px(120)}, {whole.WorkSize.x, whole.WorkSize.y * 0.95f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme().panel);
  ImGui::PushStyleColor(ImGuiCol_TitleBgActive, theme().panel);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(2)));
  if (ImGui::Begin("Keys", &f.view.show_keys,
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoCollapse |
                       ImGuiWindowFlags_NoSavedSettings)) {
    head_of_list(f);
    for (std::size_t i = 0; i < commands().size(); ++i) key_row(f, i);
  }
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
  if (!f.view.show_keys) f.view.rebinding = {};
}

}  // namespace pivotscope::viz
