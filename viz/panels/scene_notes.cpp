#include "viz/panels/scene_notes.hpp"

#include <fmt/format.h>

#include "core/workload/question_text.hpp"
#include "viz/models/scene_study.hpp"
#include "viz/panels/scene_picture.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

std::string triangles_note(const scene_state& state, const scene_study& study) {
  const u64 shown = state.shown.triangles.size(), all = study.tree().triangles;
  const bool whole = state.camera.shows_all() && state.slice.of == scene_slice::kind::all;
  if (state.shown.all && whole)
    return shown == 1 ? "The only triangle is shown" : fmt::format("All {} triangles are shown", grouped(shown));
  if (state.shown.all && shown == 0) return fmt::format("None of {} triangles is in view", grouped(all));
  const char* const why = state.shown.all      ? ": all that are in view"
                          : study.is_reading() ? ": one of each box, others are being read"
                                               : ": one of each box, zoom in for more";
  return fmt::format("{} of {} triangles{}", grouped(shown), grouped(all), why);
}

// Returns how many boxes of a level are in view, as far as it is known; else why it is not.
std::string count_words(const shown_boxes& seen, u32 level, u64 boxes) {
  const std::string most = grouped(shown_boxes::most_counted);
  switch (seen.has) {
    case shown_boxes::extent::all:
      return fmt::format("{} of {} boxes are in view", grouped(seen.list.size()), grouped(boxes));
    case shown_boxes::extent::at_hand:
      return fmt::format("at least {} of {} boxes are in view, others are being read", grouped(seen.list.size()),
                         grouped(boxes));
    case shown_boxes::extent::too_many:
      if (seen.many == level) return fmt::format("more than {} of {} boxes are in view", most, grouped(boxes));
      return fmt::format("not counted, as more than {} boxes of level {} are in view", most, seen.many);
    case shown_boxes::extent::too_much_to_read:
      break;
  }
  return "not counted, as too much would have to be read";
}

std::string boxes_note(const scene_state& state, const scene_study& study, const scene_lookup* lookup, u32 level) {
  const shown_boxes& seen = state.level;
  const u64 boxes = study.tree().cells_that_hold(level, study.wide());
  std::string words = fmt::format("Level {}: {}", level, count_words(seen, level, boxes));
  if (!seen.counted() || seen.list.size() > most_drawn_boxes)
    words += lookup ? ", drawn are those that the lookup looked at" : ", zoom in to see them";
  return words;
}

// The greatest key that the grid has a place for.
u64 last_key_of(const key_grid& grid) {
  const u32 bits = grid.x_bits + grid.y_bits + grid.z_bits;
  return bits == 0 ? 0 : ~u64{0} >> (64 - bits);
}

}  // namespace

std::vector<std::string> scene_notes(const frame& f, const scene_study& study, const scene_lookup* lookup) {
  const scene_state& state = f.view.scene;
  const key_grid& grid = study.scene().scene().grid();
  std::vector<std::string> notes = {triangles_note(state, study)};
  if (state.boxes && state.shown_of.boxes)
    notes.push_back(boxes_note(state, study, lookup, *state.shown_of.boxes));  // or of one that is pointed at
  if (lookup && !place_in_grid(grid, searched_key(*f.trace())))
    notes.push_back(fmt::format("{} has no place here: the scene's grid ends at {}", to_text(question_of(*f.trace())),
                                last_key_of(grid)));
  return notes;
}

}  // namespace pivotscope::viz
