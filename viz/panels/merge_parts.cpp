#include "viz/panels/merge_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "viz/models/merge_rows.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"
#include "viz/words/short_key.hpp"

namespace pivotscope::viz {
namespace {

constexpr u64 listed = 9;  // steps
constexpr float row_height = 20;

// What a row says, column by column.
enum column : std::size_t { of_step, of_slot, of_entry, of_write, of_row, of_new, columns };
constexpr std::array<const char*, columns> heads = {"step", "old array", "", "batch", "", "new slot"};
struct path_row {
  path_step at;
  std::optional<u64> key = {};  // nothing: it is on its way
  std::array<std::string, columns> words = {};

  bool of_batch() const { return at.part == path_part::erase || at.part == path_part::insert; }
  std::size_t key_column() const { return of_batch() ? of_write : of_entry; }
  void write_key(const std::string& digits) {
    words[key_column()] = (at.part == path_part::erase ? "-" : at.part == path_part::insert ? "+" : "") + digits;
  }
};

path_row row_of(const frame& f, const batch_merge& merge, u64 step) {
  path_row row{merge.at_step(step)};
  const path_step& at = row.at;
  row.key = merge.key_of(at);
  if (!row.key)  // the new array holds what was kept
    if (const auto content = f.read(main_region, at.slot())) row.key = content->key;
  row.write_key(row.key ? std::to_string(*row.key) : "...");
  row.words[of_step] = grouped(step);
  if (!row.of_batch()) row.words[of_slot] = grouped(at.entries);
  if (at.part == path_part::insert) row.words[of_row] = fmt::format("row {}", merge.write(at.writes).row);
  row.words[of_new] = at.part == path_part::drop    ? "dropped"
                      : at.part == path_part::erase ? "none"
                                                    : grouped(at.slot());
  return row;
}

// Where columns begin, from the left of the table, and how wide they are.
struct table_places {
  std::array<float, columns> left = {}, width = {};
};

ImFont* font_of(std::size_t column) {
  return column == of_entry || column == of_write ? fonts().mono_bold : fonts().mono;
}
float size_of(std::size_t column) { return column == of_entry || column == of_write ? type::small : type::tiny; }

// Keys that have no room are written by the digits that differ.
void shorten(std::vector<path_row>& rows, const table_places& places) {
  const float letter = text_width(font_of(of_entry), size_of(of_entry), "0");
  float room = 1e9f;
  std::vector<u64> keys;
  for (const path_row& row : rows) {
    if (!row.key) continue;
    keys.push_back(*row.key);
    room = std::min(room, places.width[row.key_column()] - (row.of_batch() ? letter : 0));
  }
  const key_form form = form_of(keys, static_cast<u32>(std::max(0.0f, room + 0.5f) / letter));
  for (path_row& row : rows)
    if (row.key) row.write_key(form.write(*row.key));
}

constexpr std::array<float, columns> before_column = {8, 14, 8, 16, 8, 16};

// As wide as what stands in each column; returns the whole width.
float measure(const std::vector<path_row>& rows, table_places& places) {
  float all = px(8);
  for (std::size_t c = 0; c < columns; ++c) {
    places.width[c] = c == of_slot ? 0 : text_width(fonts().words, type::tiny, heads[c]);
    for (const path_row& row : rows)
      places.width[c] = std::max(places.width[c], text_width(font_of(c), size_of(c), row.words[c]));
    all += px(before_column[c]) + places.width[c];
  }
  return all;
}

// Where there is not enough room, row ids are left out, then keys give way; where there is more, the parts of the table
// stand apart.
table_places places_of(std::vector<path_row>& rows, float room) {
  table_places places;
  float all = measure(rows, places);
  if (all > room) {
    for (path_row& row : rows) row.words[of_row].clear();
    all = measure(rows, places);
  }
  if (all > room) {
    const float keys = std::max(0.0f, places.width[of_entry] + places.width[of_write] - (all - room));
    const float sign = text_width(font_of(of_write), size_of(of_write), "+");
    places.width[of_entry] = std::min(places.width[of_entry], (keys - sign) / 2);
    places.width[of_write] = std::min(places.width[of_write], keys - places.width[of_entry]);
    places.width[of_entry] = keys - places.width[of_write];
    shorten(rows, places);
  }
  const float spare = std::min(std::max(0.0f, room - all) / 3, px(24));
  float x = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    places.left[c] = x + px(before_column[c]) + (c == of_slot || c == of_write || c == of_new ? spare : 0);
    x = places.left[c] + places.width[c];
  }
  return places;
}

void draw_heads(const table_places& places, float right) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (std::size_t c = 0; c < columns; ++c)
    draw_text(draw, fonts().words, type::tiny, {corner.x + places.left[c], corner.y + px(2)}, theme().text_dim,
              heads[c]);
  const float y = corner.y + px(row_height) - 0.5f;
  draw.AddLine({corner.x, y}, {right, y}, theme().line);
  ImGui::Dummy({right - corner.x, px(row_height)});
}

void draw_row(frame& f, const batch_merge& merge, const path_row& row, const table_places& places, float right,
              bool now) {
  const theme_tokens& t = theme();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float height = px(row_height);
  const path_step& at = row.at;
  ImGui::PushID(static_cast<int>(at.step));
  const bool clicked = ImGui::InvisibleButton("path step", {right - corner.x, height});
  ImGui::PopID();
  if (clicked && at.makes_slot()) {
    f.view.transport.playing = false;
    go_to_place(f, {0, at.slot()});
  }
  const bool hovered = ImGui::IsItemHovered();
  hover_card(fmt::format("Step {}", row.words[of_step]), step_words(merge, at),
             now || !at.makes_slot() ? "" : "A click goes to its slot.");
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (now || hovered)
    draw.AddRectFilled(corner, {right, corner.y + height}, hovered && !now ? t.hovered : t.raised, px(3));
  if (now)
    draw.AddRectFilled({corner.x, corner.y + px(3)}, {corner.x + px(3), corner.y + height - px(3)}, t.text, px(1.5f));
  for (std::size_t c = 0; c < columns; ++c) {
    const std::string words = elided(font_of(c), size_of(c), row.words[c], places.width[c]);
    const bool number = c == of_step || c == of_slot || (c == of_new && at.makes_slot());
    const bool faint = c == of_step || c == of_slot || c == of_row || (c == of_new && !at.makes_slot());
    const float width = text_width(font_of(c), size_of(c), words);
    const float x = corner.x + places.left[c] + (number && c != of_new ? places.width[c] - width : 0);
    const float y = corner.y + px(size_of(c) == type::tiny ? 4.0f : 3.0f);
    draw_text(draw, font_of(c), size_of(c), {x, y}, now ? t.text : faint ? t.text_dim : t.text, words);
    if (c == of_entry && at.part == path_part::drop)
      draw_struck(draw, {x + width / 2, corner.y + height / 2}, width, t.text);
  }
}

}  // namespace

void merge_sums(const merged_batch& merged) {
  const batch_merge& merge = *merged.merge;
  heading(fmt::format("Batch {}, merged", merged.batch),
          "The array in view was made by this batch: the old array and the sorted batch were merged into a new one.");
  fact("before",
       fmt::format("{} = {} kept + {} dropped", grouped(merge.before()), grouped(merge.kept()),
                   grouped(merge.dropped())),
       "Entries before the batch. Those of erased keys are dropped, all others are kept.");
  fact("batch",
       fmt::format("{} = {} inserts + {} erases", grouped(merge.writes()), grouped(merge.inserts()),
                   grouped(merge.erases())),
       "Writes of the batch. An erase of a key that is not there drops nothing; of several erases of a key the first "
       "one "
       "counts.");
  fact("after",
       fmt::format("{} = {} kept + {} inserted", grouped(merge.after()), grouped(merge.kept()),
                   grouped(merge.inserts())),
       "Entries after the batch.");
  ImGui::Spacing();
}

void merge_facts(const batch_merge& merge, u64 slot) {
  const path_step at = merge.at_slot(slot);
  fact("comes from", source_words(merge, at),
       at.part == path_part::insert ? step_words(merge, at)
                                    : "The slot of the old array that this entry was copied from.");
  fact("tile",
       fmt::format("{}, step {} of its {}", grouped(at.step / merge.tile()), grouped(at.step % merge.tile()),
                   grouped(merge.tile())),
       "The path is cut into tiles of so many steps, which are merged at the same time.");
}

void merge_path_rows(frame& f, const batch_merge& merge) {
  heading("The merge path",
          "The entries of the old array and the writes of the sorted batch in one order: of a key its erases (-), then "
          "its entries, then its inserts (+). An erase makes no slot, nor does what it drops.");
  const u64 now = merge.at_slot(f.view.build.at.slot).step, count = std::min(listed, merge.steps());
  const u64 first = first_listed(now, count, merge.steps());
  std::vector<path_row> rows;
  for (u64 step = first; step < first + count; ++step) rows.push_back(row_of(f, merge, step));
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float right = corner.x + ImGui::GetContentRegionAvail().x;
  const table_places places = places_of(rows, right - corner.x);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  draw_heads(places, right);
  for (const path_row& row : rows) draw_row(f, merge, row, places, right, row.at.step == now);
  ImGui::PopStyleVar();
  spot("merge path", {corner, ImGui::GetItemRectMax()});
}

}  // namespace pivotscope::viz
