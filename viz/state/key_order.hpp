// What was typed since the last frame, in its order. To Dear ImGui all keys of a frame are down at once, under the
// modifiers that the frame ended with. So of keys that come quickly, or while frames are slow, "home, right" would be
// one step lost, ctrl let go soon after C no copy, and `g` and then 1 an arrangement and not slot 1.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

namespace pivotscope::viz {

// Whether a text field has the keyboard.
bool types_into_field();

// A character that was typed while ctrl, alt or super is held, of which Dear ImGui is not told.
void note_typed(unsigned character, ImGuiKeyChord modifiers);
// What the frame has of signs (key_chord.hpp), those noted among them. Once a frame: these are taken.
std::vector<ImGuiKeyChord> signs_of_frame();
// The frame's text, if it begins as a key does: with a digit, or > for a successor. Else empty.
std::string key_begun();
// Text of this frame comes again, before all that waits: for a field that is on its way.
void give_again(const std::string& text);

class key_order {
 public:
  // Dear ImGui's new frame, with one key press of those that came, under its own modifiers, or with the text for a
  // field. The others are for the frames after it. While a field is on its way to get the keyboard, it gets all of
  // them.
  void new_frame(bool field_is_coming);
  // Whether something was typed that no frame had yet: the next one should follow at once.
  static bool waits();

 private:
  bool typed_ = false;  // a field had the keyboard in the last frame
};

}  // namespace pivotscope::viz
