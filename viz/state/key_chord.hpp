// Keys as a person says them, "ctrl shift right", and back.
//
// A chord is modifiers with a key, or with a sign: a character that is no letter, digit or blank, as ASCII has it. A
// sign is what is typed, wherever a keyboard has it: on a German one `/` is shift 7. Shift is then a part of the sign.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>

#include "core/common/outcome.hpp"

namespace pivotscope::viz {

// Whether a keyboard can press it: one key, with any of ctrl, shift, alt and super; or one sign, with any of these but
// shift.
bool is_chord(ImGuiKeyChord chord);
bool is_sign(ImGuiKeyChord chord);
// Of a character that was typed under these modifiers; none of a letter, a digit, a blank or what is not ASCII.
std::optional<ImGuiKeyChord> sign_typed(unsigned character, ImGuiKeyChord modifiers);
// "n", "shift n", "ctrl C", "F5", "page-up"; of no key: "none".
std::string to_text(ImGuiKeyChord chord);
// Words with blanks or + between them, in any case. ImGuiKey_None for "none". A problem names the word that is no key.
outcome<ImGuiKeyChord> chord_from_text(std::string_view text);

}  // namespace pivotscope::viz
