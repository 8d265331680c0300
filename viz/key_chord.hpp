// Keys as a person says them, "ctrl shift right", and back.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "core/common/outcome.hpp"

namespace pivotscope::viz {

// Whether a keyboard can press it: one key, with any of ctrl, shift, alt and super.
bool is_chord(ImGuiKeyChord chord);
// "n", "shift n", "ctrl C", "F5", "page-up"; of no key: "none".
std::string to_text(ImGuiKeyChord chord);
// Words with blanks or + between them, in any case. ImGuiKey_None for "none". A problem names the word that is no key.
outcome<ImGuiKeyChord> chord_from_text(std::string_view text);

}  // namespace pivotscope::viz
