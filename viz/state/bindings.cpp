#include "viz/state/bindings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "viz/state/commands.hpp"
#include "viz/state/key_chord.hpp"

namespace pivotscope::viz {

bindings::bindings() {
  for (const command& c : commands()) chords_.push_back(c.keys);
}

bool bindings::is_own(std::size_t command) const { return chords_[command] != commands()[command].keys; }

std::optional<std::size_t> bindings::command_of(ImGuiKeyChord chord) const {
  if (chord == ImGuiKey_None) return std::nullopt;
  const auto at = std::find(chords_.begin(), chords_.end(), chord);
  if (at == chords_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - chords_.begin());
}

written_keys to_written(const bindings& keys) {
  written_keys out;
  for (std::size_t i = 0; i < commands().size(); ++i) out.emplace_back(commands()[i].id, to_text(keys.of(i)));
  return out;
}

namespace {

// Two commands with the same keys, of which the second is one that its user bound.
std::optional<std::pair<std::size_t, std::size_t>> find_clash(const bindings& keys) {
  for (std::size_t i = 0; i < commands().size(); ++i) {
    for (std::size_t j = i + 1; j < commands().size(); ++j) {
      if (keys.of(i) == ImGuiKey_None || keys.of(i) != keys.of(j)) continue;
      return keys.is_own(j) ? std::pair(i, j) : std::pair(j, i);
    }
  }
  return std::nullopt;
}

}  // namespace

read_bindings bindings_from(const written_keys& written) {
  read_bindings out;
  for (const auto& [id, text] : written) {
    const std::optional<std::size_t> which = find_command(id);
    const outcome<ImGuiKeyChord> chord = chord_from_text(text);
    if (!which)
      out.problems.push_back(fmt::format("\"{}\" is no command", id));
    else if (!chord)
      out.problems.push_back(fmt::format("of {}, {}", id, chord.error().words));
    else
      out.keys.bind(*which, *chord);
  }
  // The list's own do not clash, so that this ends.
  while (const auto clash = find_clash(out.keys)) {
    const auto& [kept, left_out] = *clash;
    out.problems.push_back(fmt::format("{} and {} both have {}, and it stays with the first", commands()[kept].id,
                                       commands()[left_out].id, to_text(out.keys.of(kept))));
    out.keys.bind(left_out, commands()[left_out].keys);
  }
  return out;
}

}  // namespace pivotscope::viz
