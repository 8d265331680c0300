#include "viz/state/key_chord.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace pivotscope::viz {
namespace {

constexpr std::array<std::pair<ImGuiKeyChord, std::string_view>, 4> modifiers = {
    {{ImGuiMod_Ctrl, "ctrl"}, {ImGuiMod_Shift, "shift"}, {ImGuiMod_Alt, "alt"}, {ImGuiMod_Super, "super"}}};

// Where Dear ImGui's own name is not what stands on the key.
constexpr std::array<std::pair<ImGuiKey, std::string_view>, 12> told = {{{ImGuiKey_LeftArrow, "left"},
                                                                         {ImGuiKey_RightArrow, "right"},
                                                                         {ImGuiKey_UpArrow, "up"},
                                                                         {ImGuiKey_DownArrow, "down"},
                                                                         {ImGuiKey_PageUp, "page-up"},
                                                                         {ImGuiKey_PageDown, "page-down"},
                                                                         {ImGuiKey_Escape, "escape"},
                                                                         {ImGuiKey_Slash, "/"},
                                                                         {ImGuiKey_LeftBracket, "["},
                                                                         {ImGuiKey_Backslash, "\\"},
                                                                         {ImGuiKey_RightBracket, "]"},
                                                                         {ImGuiKey_GraveAccent, "`"}}};

// Keys that are told by a sign. With ctrl some type a control character, and so are keys there, where a US board has them.
constexpr std::array sign_keys = {ImGuiKey_Apostrophe, ImGuiKey_Comma,        ImGuiKey_Minus,      ImGuiKey_Period,
                                  ImGuiKey_Semicolon,  ImGuiKey_Equal,        ImGuiKey_Slash,      ImGuiKey_LeftBracket,
                                  ImGuiKey_Backslash,  ImGuiKey_RightBracket, ImGuiKey_GraveAccent};

constexpr bool is_sign_character(unsigned c) {
  return c > ' ' && c < 127 && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z');
}
// X11 makes a control character of these.
constexpr bool lost_with_ctrl(unsigned c) { return c >= '@' || c == '/'; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool is_key(ImGuiKey key) {
  const bool modifier = key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper;
  return key >= ImGuiKey_Keyboard_BEGIN && key < ImGuiKey_Keyboard_END && !modifier;
}

ImGuiKey key_of(ImGuiKeyChord chord) { return static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_); }
unsigned character_of(ImGuiKeyChord chord) { return static_cast<unsigned>(key_of(chord)); }

// In small letters.
std::string name_of(ImGuiKey key) {
  for (const auto& [known, name] : told)
    if (known == key) return std::string(name);
  return lower(ImGui::GetKeyName(key));
}

ImGuiKey key_named(const std::string& name) {
  if (name.size() == 1 && is_sign_character(static_cast<unsigned char>(name.front())))
    return static_cast<ImGuiKey>(name.front());
  for (int key = ImGuiKey_Keyboard_BEGIN; key < ImGuiKey_Keyboard_END; ++key)
    if (is_key(static_cast<ImGuiKey>(key)) && name_of(static_cast<ImGuiKey>(key)) == name)
      return static_cast<ImGuiKey>(key);
  return ImGuiKey_None;
}

// The first word, which goes from the text; a + ends one, unless it is the word.
std::string next_word(std::string_view& text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  std::size_t end = 0;
  while (end < text.size() && !blank(text[end]) && (end == 0 || text[end] != '+')) ++end;
  std::string word = lower(text.substr(0, end));
  text.remove_prefix(end);
  if (text.size() > 1 && text.front() == '+') text.remove_prefix(1);  // "ctrl+c"; of "ctrl+" the + is the key
  return word;
}

}  // namespace

bool is_sign(ImGuiKeyChord chord) { return is_sign_character(character_of(chord)); }

bool is_chord(ImGuiKeyChord chord) {
  if (is_sign(chord))
    return (chord & ImGuiMod_Shift) == 0 && !((chord & ImGuiMod_Ctrl) && lost_with_ctrl(character_of(chord)));
  const ImGuiKey key = key_of(chord);
  if (std::find(sign_keys.begin(), sign_keys.end(), key) == sign_keys.end()) return is_key(key);
  const bool has_name = std::any_of(told.begin(), told.end(), [&](const auto& t) { return t.first == key; });
  return has_name && (chord & ImGuiMod_Ctrl) != 0;
}

std::optional<ImGuiKeyChord> sign_typed(unsigned character, ImGuiKeyChord modifiers) {
  if (!is_sign_character(character)) return std::nullopt;
  return static_cast<ImGuiKeyChord>(character) | (modifiers & ImGuiMod_Mask_ & ~ImGuiMod_Shift);
}

std::string to_text(ImGuiKeyChord chord) {
  const ImGuiKey key = key_of(chord);
  if (key == ImGuiKey_None) return "none";
  std::string text;
  for (const auto& [mask, name] : modifiers)
    if ((chord & mask) != 0) text += fmt::format("{} ", name);
  if (is_sign(chord)) return text + static_cast<char>(character_of(chord));
  std::string name = name_of(key);
  // As it is told: "n", and "ctrl C".
  const bool letter = key >= ImGuiKey_A && key <= ImGuiKey_Z, function = key >= ImGuiKey_F1 && key <= ImGuiKey_F24;
  if (function || (letter && (chord & ~ImGuiMod_Shift & ImGuiMod_Mask_) != 0))
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  return text + name;
}

outcome<ImGuiKeyChord> chord_from_text(std::string_view text) {
  ImGuiKeyChord chord = 0;
  bool none = false;
  for (std::string word = next_word(text); !word.empty(); word = next_word(text)) {
    const auto* const modifier =
        std::find_if(modifiers.begin(), modifiers.end(), [&](const auto& m) { return m.second == word; });
    if (modifier != modifiers.end()) {
      chord |= modifier->first;
      continue;
    }
    const ImGuiKey key = key_named(word);
    none |= word == "none";
    if (key == ImGuiKey_None && word != "none") return problem{fmt::format("\"{}\" is no key", word)};
    if (key_of(chord) != ImGuiKey_None) return problem{"two keys are not pressed at once"};
    chord |= key;
  }
  if (none) return chord == 0 ? outcome<ImGuiKeyChord>(chord) : problem{"\"none\" stands alone"};
  if (key_of(chord) == ImGuiKey_None) return problem{"a key is missing"};
  if (is_sign(chord) && (chord & ImGuiMod_Ctrl) != 0 && lost_with_ctrl(character_of(chord))) {
    const std::string sign_text(1, static_cast<char>(character_of(chord)));
    const auto* const key =
        std::find_if(told.begin(), told.end(), [&](const auto& t) { return t.second == sign_text; });
    if (key == told.end()) return problem{fmt::format("no key has \"{}\" together with ctrl", sign_text)};
    return (chord & ImGuiMod_Mask_) | key->first;
  }
  if (is_sign(chord) && (chord & ImGuiMod_Shift) != 0)
    return problem{fmt::format("shift is a part of \"{}\": only what the two type is told",
                               static_cast<char>(character_of(chord)))};
  return chord;
}

}  // namespace pivotscope::viz
