// The widgets that panels share. Each looks the same everywhere, takes its colours from the theme, and has an id that a
// test can name.
#pragma once

#include <imgui.h>

#include <string>

#include "viz/models/session_view.hpp"
#include "viz/state/view_state.hpp"
#include "viz/theme/theme.hpp"

namespace pivotscope::viz {

// A heading inside a panel, with what it means on hover.
void heading(const std::string& title, const std::string& sentence = {});
// A caption: words that explain, in the dim colour, wrapped.
void caption(const std::string& words);
// Words in any style, wrapped.
void wrapped(ImFont* font, float size, ImU32 colour, const std::string& words);
// What is wrong, after a sign, wrapped; nothing where nothing is.
void say_wrong(const std::string& words);
// A card of words at the mouse, for the last item when it is hovered: a title, a text, a remark in the accent.
void hover_card(const std::string& title, const std::string& words = {}, const std::string& remark = {});
// The same for what is no item: the caller knows that the mouse is over it.
void card_at_mouse(const std::string& title, const std::string& words = {}, const std::string& remark = {});

// A value that one chooses among others. Reachable: refused as it is, but a click sets what it needs as well. Refused:
// no config near has it; the click chooses the nearest legal value.
enum class chip_look : u8 { plain, chosen, reachable, refused };
bool chip(const char* id, const std::string& text, chip_look look);
// Goes on on this line when a chip of this text fits, else on the next.
void flow_chip(const std::string& text, bool first);

bool icon_button(const char* id, const char* icon, const std::string& hint, bool enabled = true, float size = 28);
// A button of words, with an icon before them or not.
bool button(const char* id, const std::string& words, const char* icon = nullptr, bool enabled = true,
            bool strong = false);

// A text field in the mono font. True when Enter was pressed.
bool text_field(const char* id, std::string& text, const char* hint, float width, float size = type::body,
                ImU32 colour = 0);

// A count as someone types it, in a field ("NAME/##value") so wide; what is wrong with it is left in the entry.
void count_field(const char* name, const std::string& meaning, entry_state& entry, u64& value, u64 least, u64 greatest,
                 float width);

// A figure with its unit, its name above and, in its own type style, where it comes from below.
void figure(const std::string& name, const std::string& value, provenance origin, float width);
const char* provenance_word(provenance origin);
ImFont* provenance_font(provenance origin);
void provenance_note(provenance origin);  // the word, in its style, with what it means on hover

// What an empty view says: what would fill it, and a button that does. True when it was pressed.
bool empty_view(const char* icon, const std::string& words, const char* button_id, const std::string& button_words);

// Where the room of a panel ends on the right, as SetCursorPosX() counts.
float right_edge();

// One line in the room that there is: what does not fit is elided, and all of it is on hover.
void one_line(ImFont* font, float size, ImU32 colour, const std::string& words);

// A name on the left and a value on the right of one line.
void fact(const std::string& name, const std::string& value, const std::string& meaning = {});

}  // namespace pivotscope::viz
