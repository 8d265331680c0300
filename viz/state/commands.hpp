// All that a key can do, as one list: it binds the keys, and the list that F1 shows, the command palette and the user's
// keys.json are made from it.
#pragma once

#include <imgui.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

struct command {
  const char* id;      // as keys.json has it; it does not change
  ImGuiKeyChord keys;  // unless its user binds others; ImGuiKey_None: it has none
  const char* words;   // what it does
  bool repeats;        // while the keys are held
  void (*act)(frame& f);
  bool (*possible)(const frame& f) = nullptr;  // where it would do nothing it is false; null: it always does something
};
std::span<const command> commands();
std::optional<std::size_t> find_command(std::string_view id);
// By its id, which must be there.
void run_command(frame& f, std::string_view id);
// "One step on (right)": for a button that does it.
std::string with_keys_of(const frame& f, const std::string& words, std::string_view id);

}  // namespace pivotscope::viz
