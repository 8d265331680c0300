// The keys that work everywhere, as a table: it binds them, and the list that F1 shows is made from it.
#pragma once

#include <imgui.h>

#include <span>
#include <string>

#include "viz/view_state.hpp"

namespace pivotscope::viz {

struct shortcut {
  ImGuiKeyChord chord;
  const char* name;   // as a person says it: "ctrl C"
  const char* words;  // what it does
  bool repeats;       // while it is held
  void (*act)(frame& f);
};
std::span<const shortcut> shortcuts();

// Runs what was pressed. Keys that are being typed into a field are not for here.
void handle_shortcuts(frame& f);
// The list of all keys, when it is open.
void shortcut_list(frame& f);

}  // namespace pivotscope::viz
