// The knobs that several families have in common: as axes, and in check() and accept() of their families.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/config/axis.hpp"
#include "core/index/scratch_bytes.hpp"

namespace pivotscope {

inline constexpr u64 table_most_keys = 1ull << 31;

inline constexpr std::string_view off_on[] = {"off", "on"};
inline constexpr std::string_view layout_words[] = {"aos", "soa"};  // cell_layout

// An axis whose values have names. The knob is the place of the value's name in `Words`.
template <u32 Knob, const auto& Words>
axis named_axis(std::string name, std::string title, std::string sentence, std::string (*explain)(std::string_view)) {
  return {std::move(name),
          std::move(title),
          std::move(sentence),
          {std::begin(Words), std::end(Words)},
          std::nullopt,
          [](const index_config& c) { return std::string(Words[c.knobs[Knob]]); },
          [](index_config& c, std::string_view text) {
            const auto* const word = std::find(std::begin(Words), std::end(Words), text);
            if (word == std::end(Words)) return false;
            c.knobs[Knob] = static_cast<u32>(word - std::begin(Words));
            return true;
          },
          explain};
}

std::string explain_layout(std::string_view value);
template <u32 Knob>
axis layout_axis() {
  return named_axis<Knob, layout_words>(
      "layout", "Memory layout", "Whether a key and its row id lie side by side or in two arrays.", explain_layout);
}

// Keys that an index has room for though it is built from fewer.
std::string room_text(u32 room);
std::optional<u32> parse_room(std::string_view text);
template <u32 Knob>
axis room_axis(std::string sentence) {
  return {"room",
          "Room",
          std::move(sentence),
          {"0", "64", "2^10"},
          std::nullopt,
          [](const index_config& c) { return room_text(c.knobs[Knob]); },
          [](index_config& c, std::string_view text) {
            const auto room = parse_room(text);
            if (room) c.knobs[Knob] = *room;
            return room.has_value();
          },
          no_explanation};
}
std::optional<std::string> check_room(u32 room);

// Bytes of scratch that a block keeps a part of the index in: "0", "1000", "64KiB".
std::optional<u32> parse_scratch(std::string_view text);
template <u32 Knob>
axis scratch_axis(std::string sentence) {
  return {"scratch",
          "Scratch",
          std::move(sentence),
          {"0", "16KiB", "64KiB", "160KiB"},
          std::nullopt,
          [](const index_config& c) { return scratch_text(c.knobs[Knob]); },
          [](index_config& c, std::string_view text) {
            const auto bytes = parse_scratch(text);
            if (bytes) c.knobs[Knob] = *bytes;
            return bytes.has_value();
          },
          no_explanation};
}
// A block has so much, and loads 16 bytes at a time.
std::optional<std::string> check_scratch(u32 bytes);
u32 accept_scratch(u32 bytes);

// The knob that is the number of a node's cells: "window", 1 to 64.
struct node_knob {
  std::string_view name;
  u32 least, most;
};
// Returns why a node of so many cells, or so many lanes for it, are refused.
std::optional<std::string> check_node(const node_knob& knob, u32 cells, u32 lanes);
// Moves both to the closest legal values. The knob `keep` stays as it is, if it can.
void accept_node(const node_knob& knob, u32& cells, u32& lanes, std::string_view keep);

}  // namespace pivotscope
