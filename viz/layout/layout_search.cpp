#include "viz/layout/layout_search.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "viz/parts/widgets.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {

namespace {

// With so few cells in view that their keys can be read.
void show_cells_around(const frame& f, strip_camera& camera, u64 cell) {
  const double half = f.session.index->config().keys == key_width::u32 ? 4 : 2;
  camera.go_to(static_cast<double>(cell) - half, static_cast<double>(cell) + half + 1);
}

}  // namespace

void layout_search(frame& f, const layout_picture& p) {
  layout_state& state = f.view.layout;
  entry_state& entry = state.search;
  if (entry.focus_next) {
    ImGui::SetKeyboardFocusHere();
    entry.focus_next = false;
  }
  const bool entered =
      text_field("##find", entry.text, state.search_slots ? "a slot" : "key, slot 5, @64", px(150), type::small);
  const bool slots = state.search_slots;
  if (ImGui::IsItemDeactivated()) state.search_slots = false;
  // A card would hide what is wrong.
  if (entry.problem.empty())
    hover_card("Find", "A key, a slot as \"slot 5\", or a byte address as \"@64\" or \"@0x40\". Then Enter.");
  if (!entered) return;
  entry.problem.clear();
  std::string_view text = entry.text;
  const bool byte = text.starts_with("@"), named = text.starts_with("slot"), slot = named || (slots && !byte);
  if (named) text.remove_prefix(4);
  if (byte) text.remove_prefix(1);
  const outcome<u64> number = parse_key(text, slot || byte ? key_width::u64 : f.session.index->config().keys);
  if (!number.ok()) return f.act.tell({number.error().words, true});
  if (!slot && !byte) {
    show_build(f, false);
    f.act.choose_key(*number);
    state.followed.reset();
    state.searched_key = *number;
    return;
  }
  const region_info& region = f.model()->region(main_region);
  const u64 cell = byte ? region.cell_at(*number) : *number;
  if (cell >= p.lower->count())
    return f.act.tell({fmt::format("There is no {}{}: the {} have {} slots, {} bytes.", slot && !named ? "slot " : "",
                                   entry.text, region.name, p.lower->count(), region.bytes()),
                       true});
  if (f.view.build.on) go_to_cell(f, main_region, cell);
  show_cells_around(f, state.lower.camera, cell);
  f.moving = true;
}

void go_to_answer(frame& f, const layout_picture& p) {
  layout_state& state = f.view.layout;
  const lookup_trace* trace = f.trace();
  if (!state.searched_key || !trace || trace->steps.empty() || trace->key != *state.searched_key) return;
  state.searched_key.reset();
  go_to_step(f, static_cast<u32>(trace->steps.size() - 1));
  const auto& last = trace->steps.back().compared;
  const auto& written = trace->steps.back().changed;
  const u64 slot = trace->row != not_found ? trace->slot
                   : !written.empty()      ? written.back().slot
                   : last.empty()          ? 0
                                           : last.front().slot;
  show_cells_around(f, state.lower.camera, std::min(slot, p.lower->count() - 1));
  const auto rank = p.upper_is_sorted ? p.upper->cell_of_slot(main_region, slot) : std::nullopt;
  if (rank) show_cells_around(f, state.upper.camera, *rank);
  f.moving = true;
}

}  // namespace pivotscope::viz
