// Values: what the cell of the index that leads to the key might say, in a family that chooses: each value a square, and where the
// pointed one would lead. The steps of an insert walk over them.
#include <fmt/format.h>

#include <algorithm>

#include "viz/models/value_walk.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

struct kind_words {
  value_choices::kind kind;
  const char *name, *meaning;
};
constexpr kind_words all_kinds[] = {
    {value_choices::fits, "fits", "All keys of the cell would find a slot."},
    {value_choices::no_room, "no room",
     "Other cells' keys have too many slots of some bucket. The number says how many keys would find none."},
    {value_choices::crowded, "crowded",
     "One of the virtual buckets has more keys than a bucket has slots, whatever the buckets hold: an insert passes "
     "the "
     "whole mapping over, without a look at memory."},
    {value_choices::twice, "two are one",
     "Two of the places are the same bucket: an insert passes the mapping over, without a look at memory."},
    {value_choices::last_resort, "the last",
     "The mapping of cells for which no other is left: what finds no slot goes into the spill. The number says how "
     "many "
     "keys that would be."}};

void draw_square(ImDrawList& draw, const box& at, u8 kind, u32 left_over) {
  const ImU32 good = level_colour(2, 4);
  switch (kind) {
    case value_choices::fits:
      draw.AddRectFilled(at.low, at.high, good, px(2));
      return;
    case value_choices::no_room: {
      const float share = std::min(1.0f, 0.35f + 0.2f * static_cast<float>(left_over));
      draw.AddRectFilled(at.low, at.high, mix(theme().raised, theme().edge, share * 0.7f), px(2));
      break;
    }
    case value_choices::last_resort:
      draw.AddRectFilled(at.low, at.high, theme().raised, px(2));
      draw.AddRect(at.low, at.high, theme().edge, px(2), px(1.5f));
      break;
    case value_choices::twice:
      draw.AddRect(at.low, at.high, theme().line, px(2));
      draw.AddLine({at.low.x, at.high.y}, {at.high.x, at.low.y}, theme().line, px(1));
      draw.AddLine(at.low, at.high, theme().line, px(1));
      return;
    default:
      draw.AddRect(at.low, at.high, theme().line, px(2));
      draw.AddLine({at.low.x, at.high.y}, {at.high.x, at.low.y}, theme().line, px(1));
      return;
  }
  if (left_over > 0 && at.width() >= px(13))
    draw_text_centred(draw, fonts().mono, type::tiny, at.middle(), theme().text, std::to_string(left_over));
}

void legend(const value_choices& values) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  bool first = true;
  for (const kind_words& kind : all_kinds) {
    const auto have = static_cast<u64>(std::ranges::count(values.kinds, static_cast<u8>(kind.kind)));
    const std::string words = fmt::format("{} {}", kind.name, have);
    const float width = text_width(fonts().words, type::small, words) + px(22);
    if (!first) {
      ImGui::SameLine(0, px(14));
      if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
    }
    first = false;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(kind.name);
    ImGui::InvisibleButton("kind", {width, px(20)});
    ImGui::PopID();
    draw_square(draw, {{at.x, at.y + px(4)}, {at.x + px(12), at.y + px(16)}}, kind.kind, 0);
    draw_text(draw, fonts().words, type::small, {at.x + px(19), at.y + px(2)}, theme().text_dim, words);
    hover_card(fmt::format("{}: {}", capitalised(kind.name), counted(have, "value")), kind.meaning);
  }
}

std::string square_title(const value_choices& values, u32 square) {
  return fmt::format("{} {}, {} {}", capitalised(values.column), square % values.columns, values.row,
                     square / values.columns);
}
std::string square_words(const value_choices& values, u32 square) {
  const u32 left = values.left_over[square];
  switch (values.kinds[square]) {
    case value_choices::fits:
      return "All keys of the cell would find a slot.";
    case value_choices::no_room:
      return fmt::format("{} would find no slot.", counted(left, "key"));
    case value_choices::crowded:
      return "A virtual bucket has more keys than a bucket has slots.";
    case value_choices::twice:
      return "Two of its places are one bucket.";
    default:
      return fmt::format("{} would go into the spill.", left == 0 ? "None" : counted(left, "key"));
  }
}

// All values; the square under the mouse.
std::optional<u32> draw_squares(const value_choices& values, const value_walk& walk) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float names = px(78), top = px(20);
  const float room = std::max(ImGui::GetContentRegionAvail().x - names - px(4), px(60));
  const float side = std::clamp(std::floor(room / static_cast<float>(values.columns)), px(6), px(26));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 corner{at.x + names, at.y + top};
  const auto square_at = [&](u32 square) {
    const u32 row = square / values.columns, column = square % values.columns;
    const ImVec2 low{corner.x + side * static_cast<float>(column), corner.y + side * static_cast<float>(row)};
    return box{low, {low.x + side - px(2), low.y + side - px(2)}};
  };
  const u32 every = side >= px(18) ? 1 : side >= px(10) ? 4 : 8;
  draw_text(draw, fonts().words, type::tiny, {at.x, at.y}, theme().text_dim, values.column);
  for (u32 c = 0; c < values.columns; c += every)
    draw_text_centred(draw, fonts().mono, type::tiny,
                      {corner.x + side * (static_cast<float>(c) + 0.5f) - px(1), at.y + px(8)}, theme().text_dim,
                      std::to_string(c));
  for (u32 r = 0; r < values.rows; ++r) {
    if (side < px(11) && r % 2 != 0) continue;
    draw_text(draw, fonts().mono, type::tiny,
              {at.x, corner.y + side * static_cast<float>(r) + (side - px(2)) / 2 - px(7)}, theme().text_dim,
              fmt::format("{} {}", values.row, r));
  }
  for (u32 square = 0; square < values.kinds.size(); ++square)
    draw_square(draw, square_at(square), values.kinds[square], values.left_over[square]);
  // The walk: a mapping of which no value fits is looked at as a whole.
  for (const value_tried& tried : walk.tried) {
    const box first = square_at(tried.column), last = square_at(values.square(values.rows - 1, tried.column));
    if (tried.row)
      draw.AddRect(square_at(values.square(*tried.row, tried.column)).low,
                   square_at(values.square(*tried.row, tried.column)).high, theme().accent, px(2), px(2.5f));
    else
      draw.AddRect({first.low.x - px(1), first.low.y - px(1)}, {last.high.x + px(1), last.high.y + px(1)},
                   theme().accent, px(3), px(1.5f));
    draw_step_number(draw, {first.middle().x, last.high.y + px(11)}, tried.number - 1, &tried == &walk.tried.back());
  }
  if (values.now < values.kinds.size()) {
    const box now = square_at(values.now);
    draw.AddRect({now.low.x - px(1), now.low.y - px(1)}, {now.high.x + px(1), now.high.y + px(1)}, theme().text, px(2),
                 px(2));
  }
  const float width = names + side * static_cast<float>(values.columns),
              height = top + side * static_cast<float>(values.rows) + px(24);
  ImGui::InvisibleButton("squares", {std::max(width, 1.0f), height});
  spot("squares");
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsItemHovered() || mouse.x < corner.x || mouse.y < corner.y) return std::nullopt;
  const auto column = static_cast<u32>((mouse.x - corner.x) / side),
             row = static_cast<u32>((mouse.y - corner.y) / side);
  if (column >= values.columns || row >= values.rows) return std::nullopt;
  const u32 square = values.square(row, column);
  draw_pointed(draw, square_at(square));
  return square;
}

// The places of a value: others' keys, those of the cell, and what is left; keys that find no slot stand out.
void draw_places(const std::vector<choice_place>& places) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float names = px(78), numbers = px(118), side = px(14), line = px(18);
  for (const choice_place& place : places) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(draw, fonts().mono, type::small, {at.x, at.y}, theme().text, fmt::format("bucket {}", place.bucket));
    float x = at.x + std::max(names, text_width(fonts().mono, type::small, "bucket 9999999999") + px(6));
    const auto slot = [&](auto&& fill) {
      fill(box{{x, at.y + px(2)}, {x + side - px(2), at.y + side}});
      x += side;
    };
    const u32 filled = std::min(place.slots, place.others + place.keys);
    for (u32 i = 0; i < place.slots; ++i) {
      if (i < place.others)
        slot([&](const box& b) { draw.AddRectFilled(b.low, b.high, theme().edge, px(2)); });
      else if (i < filled)
        slot([&](const box& b) { draw.AddRectFilled(b.low, b.high, level_colour(2, 4), px(2)); });
      else
        slot([&](const box& b) { draw_empty_cell(draw, b); });
    }
    for (u32 i = place.slots; i < place.others + place.keys; ++i)
      slot([&](const box& b) { draw.AddRect(b.low, b.high, theme().bad, px(2), px(2)); });
    const u32 over = place.others + place.keys > place.slots ? place.others + place.keys - place.slots : 0;
    if (ImGui::GetContentRegionAvail().x > x - at.x + numbers)
      draw_text(draw, fonts().words, type::small, {x + px(8), at.y}, over > 0 ? theme().text : theme().text_dim,
                fmt::format("{}: {}{}", place.words, counted(place.keys, "key"),
                            over > 0 ? fmt::format(", {} too many", over) : ""));
    ImGui::Dummy({x - at.x, line});
  }
}

}  // namespace

void values_panel(frame& f) {
  if (!f.session.index) return wait_or_explain(f, "what a cell might say");
  const lookup_trace* trace = f.trace();
  if (!trace || f.view.transport.path->index != f.session.index) return wait_or_explain(f, "what a cell might say");
  const u64 key = searched_key(*trace);
  const region_reader read = reader_of(*f.session.index, f.slots);
  values_state& state = f.view.values;
  if (state.of != f.view.transport.path) state.of = f.view.transport.path, state.values.reset();
  if (!state.values) state.values = f.model()->choices_for(key, read);
  if (!state.values)
    return caption(
        "Here a key's place follows from the key alone, or from keys around it. A perfect hash table, GPH, chooses: a "
        "cell "
        "says to which buckets its keys go, and here is what it could say.");
  const value_choices& values = *state.values;
  heading(fmt::format("What {} may say", values.cell),
          "Each square is a value that the cell may have, and with it a way to share its keys out to buckets. An "
          "insert whose "
          "bucket is full goes through them, from the cell's own mapping on, until all keys fit.");
  std::string words =
      fmt::format("{} {}s by {} {}s, for {}.", values.rows, values.row, values.columns, values.column, values.keys);
  if (values.all_columns > values.columns)
    words += fmt::format(" The first {} of {} {}s.", values.columns, grouped(values.all_columns), values.column);
  wrapped(fonts().words, type::small, theme().text_dim, words);
  legend(values);
  const value_walk walk = walk_of(*trace, values, f.view.transport.step);
  const std::optional<u32> pointed = draw_squares(values, walk);
  if (pointed) card_at_mouse(square_title(values, *pointed), square_words(values, *pointed), "Below: its buckets.");
  const u32 shown = pointed ? *pointed : walk.last_square(values).value_or(values.now);
  if (shown >= values.kinds.size()) return;
  heading(square_title(values, shown),
          "Its buckets. Grey: keys of other cells. Coloured: where this cell's keys would come. Outlined: too many.");
  const std::vector<choice_place> places = f.model()->places_of(key, shown, read);
  draw_places(places);
  wrapped(fonts().words, type::small, theme().text_dim,
          fmt::format("{}{}", square_words(values, shown), shown == values.now ? " The cell has this value." : ""));
}

}  // namespace pivotscope::viz
