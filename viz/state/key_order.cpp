#include "viz/state/key_order.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "viz/state/key_chord.hpp"

namespace pivotscope::viz {
namespace {

bool is_modifier(ImGuiKey key) {
  return (key & ImGuiMod_Mask_) != 0 || (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper);
}

bool is_press(const ImGuiInputEvent& event) {
  return event.Type == ImGuiInputEventType_Key && event.Key.Down && !is_modifier(event.Key.Key);
}

// How many of what came are for this frame.
int events_of_frame(const ImVector<ImGuiInputEvent>& came, bool no_keys, bool typing) {
  bool pressed = false;
  for (int i = 0; i < came.Size; ++i) {
    const ImGuiInputEvent& event = came[i];
    const bool key = event.Type == ImGuiInputEventType_Key, text = event.Type == ImGuiInputEventType_Text;
    const bool release = key && !event.Key.Down && !is_modifier(event.Key.Key);
    if (no_keys && (text || (key && event.Key.Down))) return i;
    if (pressed && !release && !text) return i;
    // Of text a field takes as much as there is; Dear ImGui parts it from other keys.
    const bool of_text = typing && i + 1 < came.Size && came[i + 1].Type == ImGuiInputEventType_Text;
    pressed |= is_press(event) && !of_text;
  }
  return came.Size;
}

}  // namespace

bool types_into_field() {
  const ImGuiID active = ImGui::GetActiveID();
  return active != 0 && ImGui::GetInputTextState(active) != nullptr;
}

namespace {
std::vector<ImGuiKeyChord>& noted() {
  static std::vector<ImGuiKeyChord> signs;
  return signs;
}
}  // namespace

void note_typed(unsigned character, ImGuiKeyChord modifiers) {
  if (const auto sign = sign_typed(character, modifiers)) noted().push_back(*sign);
}

std::vector<ImGuiKeyChord> signs_of_frame() {
  std::vector<ImGuiKeyChord> signs = std::exchange(noted(), {});
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters)
    if (const auto sign = sign_typed(c, ImGuiMod_None)) signs.push_back(*sign);
  return signs;
}

std::string key_begun() {
  std::string text;
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
    const bool begins = (c >= '0' && c <= '9') || c == '>' || c == '=';
    if ((text.empty() && !begins) || c >= 127) return "";
    text += static_cast<char>(c);
  }
  return text;
}

void give_again(const std::string& text) {
  ImVector<ImGuiInputEvent>& waiting = ImGui::GetCurrentContext()->InputEventsQueue;
  for (std::size_t i = 0; i < text.size(); ++i) {
    ImGuiInputEvent event;
    event.Type = ImGuiInputEventType_Text;
    event.Source = ImGuiInputSource_Keyboard;
    event.EventId = ImGui::GetCurrentContext()->InputEventsNextEventId++;
    event.Text.Char = static_cast<unsigned char>(text[i]);
    event.AddedByTestEngine = true;  // which takes away what it did not add
    waiting.insert(waiting.begin() + static_cast<int>(i), event);
  }
}

void key_order::new_frame(bool field_is_coming) {
  // Held back between two frames and no longer: what comes meanwhile is compared with what waits.
  ImVector<ImGuiInputEvent>& came = ImGui::GetCurrentContext()->InputEventsQueue;
  const bool typing = types_into_field();
  // Shortcuts are due a frame after they were asked for, which they are not while a field has the keyboard.
  const bool no_keys = (field_is_coming && !typing) || (typed_ && !typing);
  typed_ = typing;
  ImVector<ImGuiInputEvent> later;
  const int now = events_of_frame(came, no_keys, typing);
  for (int i = now; i < came.Size; ++i) later.push_back(came[i]);
  came.resize(now);
  ImGui::NewFrame();
  for (const ImGuiInputEvent& event : later) came.push_back(event);
}

bool key_order::waits() { return !ImGui::GetCurrentContext()->InputEventsQueue.empty(); }

}  // namespace pivotscope::viz
