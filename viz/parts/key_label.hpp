// Keys as text in cells: as large as they have room for, else shortened (viz/words/short_key.hpp). Every view that has
// keys in cells draws them by this.
#pragma once

#include <imgui.h>

#include <span>
#include <string>

#include "viz/parts/marks.hpp"
#include "viz/theme/cell_sizes.hpp"
#include "viz/words/short_key.hpp"

namespace pivotscope::viz {

struct frame;

// Of cells that stand side by side and have the same room.
class key_labels {
 public:
  key_labels() = default;  // of cells without room
  // `room`: pixels of each cell. `largest`: of the type sizes, what looks right in such a cell. `height`: where keys
  // are not told apart by what has room beside each other, digits stand one below the other in so many pixels.
  key_labels(std::span<const u64> keys, float room, float largest = 14, float height = 0);

  // Nothing is drawn where two characters have no room, and one in so low a cell.
  bool any() const { return size_ > 0; }
  // Are all keys written whole, in one line?
  bool whole() const { return whole_ && !stacked_; }
  u32 chars() const { return any() ? form_.chars : 0; }  // of each, at most
  std::string of(u64 key) const { return any() ? form_.write(key) : std::string(); }
  // Centred; `struck`: its entry was erased. False: it has no room in `at`, which is narrower than what the labels were
  // made for.
  bool draw(ImDrawList& to, const box& at, float y, ImU32 ink, u64 key, bool struck = false) const;

 private:
  bool draw_stacked(ImDrawList& to, const box& at, float y, ImU32 ink, const std::string& words, bool struck) const;

  key_form form_;
  float size_ = 0;
  bool whole_ = false, stacked_ = false;
};

// How wide a cell is that has room for any key of the index in view, and in a picture of few small keys looks right.
float cell_for_keys(const frame& f, float usual);

// The key looked for, in full: a pill in its own colour, with the caret before it. Takes its place in the line, or the
// next one where it has no room in this; nothing where no key is chosen.
void question_pill(const frame& f, bool same_line);

}  // namespace pivotscope::viz
