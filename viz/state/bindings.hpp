// Which keys a command has: those that the list of commands gives it, unless its user gave it others.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pivotscope::viz {

class bindings {
 public:
  bindings();  // the list's own

  ImGuiKeyChord of(std::size_t command) const { return chords_[command]; }
  bool is_own(std::size_t command) const;  // that its user gave it
  std::optional<std::size_t> command_of(ImGuiKeyChord chord) const;
  void bind(std::size_t command, ImGuiKeyChord chord) { chords_[command] = chord; }
  bool operator==(const bindings&) const = default;

 private:
  std::vector<ImGuiKeyChord> chords_;  // one a command; ImGuiKey_None: it has none
};

// Ids of commands with their keys, as a file has them.
using written_keys = std::vector<std::pair<std::string, std::string>>;
written_keys to_written(const bindings& keys);

struct read_bindings {
  bindings keys;
  std::vector<std::string> problems;  // of what is left out: "\"fidn-slot\" is no command"
};
// What cannot be used is left out, and the rest is in force.
read_bindings bindings_from(const written_keys& written);

}  // namespace pivotscope::viz
