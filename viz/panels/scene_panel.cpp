// Scene: the triangles of an index whose lookups are rays, in space: the boxes over them, and the rays of the lookup in
// view. It is turned, moved and cut by a plane.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/index/family.hpp"
#include "viz/models/scene_study.hpp"
#include "viz/panels/panels.hpp"
#include "viz/panels/scene_notes.hpp"
#include "viz/panels/scene_picture.hpp"
#include "viz/panels/tree_path.hpp"
#include "viz/parts/empty_view.hpp"
#include "viz/parts/marks.hpp"
#include "viz/parts/spotlight.hpp"
#include "viz/parts/timeline.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"
#include "viz/words/sentence_numbers.hpp"

namespace pivotscope::viz {
namespace {

constexpr float pick_within = 12, levels_column = 132, least_for_column = 420, least_for_words = 300;

// The methods whose lookups are rays.
const std::vector<const family*>& families_of_rays() {
  static const std::vector<const family*> all = [] {
    std::vector<const family*> list;
    for (const family* one : families())
      if (with_scene(*model_of(one->standard(), 1))) list.push_back(one);
    return list;
  }();
  return all;
}

void offer_scenes(frame& f) {
  caption(
      "Lookups of this index send no rays, so it has no scene. In others each key, or each bucket of keys, is a "
      "triangle in space, and a lookup sees which of them a ray hits.");
  for (const family* one : families_of_rays()) {
    index_config wanted = one->standard();
    wanted.keys = f.session.choice.config.keys;
    const std::string name = one->methods().front().name;
    if (button(name.c_str(), "Take " + name)) f.act.choose_config(wanted);
    hover_card(name, std::string(one->sentence()));
    ImGui::SameLine(0, px(4));
  }
  ImGui::NewLine();
}

scene_study& study_scene(frame& f) {
  constexpr double frame_share = 0.006;  // seconds of a frame that may go into it
  scene_state& state = f.view.scene;
  if (state.of.lock() != f.model()) state.of = f.model(), state.slice = {};
  if (!state.study || !state.study->is_of(f.session.index)) {
    state.study = std::make_shared<scene_study>(f.session.index, f.model());
    state.studied_at = -1;
    forget_picture(state);
    if (state.boxes && *state.boxes >= state.study->triangles_level()) state.boxes.reset();
  }
  if (state.studied_at != f.now && state.study->go_on(frame_share)) f.moving = true;
  state.studied_at = f.now;
  return *state.study;
}

// --- Slices ---

// Returns the place that a slice begins with: of the key looked for, else the first one.
grid_point first_slice(const frame& f, const scene_study& study) {
  if (!f.trace() || !path_is_of_index(f)) return {};
  return place_in_grid(study.scene().scene().grid(), searched_key(*f.trace())).value_or(grid_point{});
}

void take_slice(frame& f, const scene_study& study, scene_slice::kind kind) {
  scene_slice& slice = f.view.scene.slice;
  if (slice.of == scene_slice::kind::all) {
    const grid_point at = first_slice(f, study);
    slice.z = at.z, slice.y = at.y;
  }
  slice.of = kind;
  slice.z = study.plane_from(slice.z).value_or(slice.z);
  slice.y = study.row_from(slice.z, slice.y).value_or(slice.y);
}

// A slider over the places of an axis; it comes to rest where triangles are.
bool place_slider(const char* id, const char* name, int& value, double low, double high) {
  ImGui::SameLine(0, px(6));
  ImGui::SetNextItemWidth(std::clamp(ImGui::GetContentRegionAvail().x - px(40), px(60), px(190)));
  const int first = static_cast<int>(std::lround(low + 0.5)), last = static_cast<int>(std::lround(high - 0.5));
  const std::string format = fmt::format("{} = %d", name);
  return ImGui::SliderInt(id, &value, first, last, format.c_str(), ImGuiSliderFlags_AlwaysClamp);
}

std::string scale_words(const key_grid& grid) {
  const auto apart = [](u32 scale) {
    return scale == 0 ? std::string("as near as neighbours") : fmt::format("2^{} apart", scale);
  };
  std::string words = fmt::format("x has {} bits of a key, y {}, z {}.", grid.x_bits, grid.y_bits, grid.z_bits);
  const bool rows = grid.y_bits > 0, planes = grid.z_bits > 0;
  if (rows) words += " Rows are " + apart(grid.y_scale);
  if (planes) words += (rows ? ", planes are " : " Planes are ") + apart(grid.z_scale);
  return rows || planes ? words + "." : words;
}

void slice_controls(frame& f, const scene_study& study) {
  scene_state& state = f.view.scene;
  const scene_frame& frame = state.camera.frame();
  const bool several_planes = frame.high()[2] - frame.low()[2] > 1;
  const std::string whole = "All of the scene. " + scale_words(study.scene().scene().grid());
  struct choice {
    scene_slice::kind kind;
    const char *words, *meaning;
  };
  const choice all[] = {
      {scene_slice::kind::all, "all", whole.c_str()},
      {scene_slice::kind::plane, "one plane", "The triangles of one z, and the boxes that reach there."},
      {scene_slice::kind::row, "one row", "The triangles of one y and z: keys that differ in x alone."}};
  bool first = true;
  for (const choice& one : all) {
    if (one.kind == scene_slice::kind::plane && !several_planes) continue;
    flow_chip(one.words, first);
    first = false;
    if (chip(one.words, one.words, state.slice.of == one.kind ? chip_look::chosen : chip_look::plain))
      take_slice(f, study, one.kind);
    spot(one.words);
    hover_card(capitalised(one.words), one.meaning);
  }
  if (state.slice.of == scene_slice::kind::plane) {
    if (place_slider("##plane", "z", state.slice.z, frame.low()[2], frame.high()[2]))
      take_slice(f, study, state.slice.of);
    hover_card("The plane", "Slide it through the scene. It comes to rest at the next plane that has a triangle.");
  } else if (state.slice.of == scene_slice::kind::row) {
    if (place_slider("##row", "y", state.slice.y, frame.low()[1], frame.high()[1]))
      take_slice(f, study, state.slice.of);
    hover_card(
        "The row",
        several_planes
            ? fmt::format("A row of the plane z = {}. It comes to rest at the next that has a triangle.", state.slice.z)
            : "It comes to rest at the next row that has a triangle.");
  }
  ImGui::SameLine(0, px(8));
  if (icon_button("fit", icon::fit, "Show all of it from the usual side (a double click does)", true, 24))
    state.fit = true;
}

// --- What the marks mean ---

void legend(frame& f) {
  struct sample {
    triangle_kind kind;
    bool flipped;
    ImU32 colour;
    std::string words;
  };
  std::vector<sample> list;
  bool flipped = false;
  std::array<bool, triangle_kinds> kinds{};
  for (const shown_triangle& t : f.view.scene.shown.triangles)
    kinds[static_cast<std::size_t>(t.what.kind)] = true, flipped |= t.what.flipped;
  const ImU32 colour = level_colour(5, 8);
  for (std::size_t k = 0; k < triangle_kinds; ++k)
    if (kinds[k])
      list.push_back({static_cast<triangle_kind>(k), false, colour, name_of(static_cast<triangle_kind>(k))});
  if (flipped) list.push_back({triangle_kind::representative, true, colour, "flipped"});
  if (list.empty()) return;
  const auto width_of = [](const sample& one) { return text_width(fonts().words, type::small, one.words) + px(18); };
  float all = 0;
  for (const sample& one : list) all += width_of(one) + px(12);
  // Behind the controls, or in a line of its own.
  ImGui::SameLine(0, px(18));
  if (ImGui::GetContentRegionAvail().x < all) ImGui::NewLine();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  bool first = true;
  for (const sample& one : list) {
    const float width = width_of(one);
    if (!first) {
      ImGui::SameLine(0, px(12));
      if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
    }
    first = false;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(one.words.c_str());
    ImGui::InvisibleButton("kind", {width, px(24)});
    ImGui::PopID();
    draw_triangle_sample(draw, {at.x + px(6), at.y + px(12)}, px(5.5f), one.kind, one.flipped, one.colour);
    draw_text(draw, fonts().words, type::small, {at.x + px(16), at.y + px(4)}, theme().text_dim, one.words);
    hover_card(capitalised(one.words),
               one.flipped
                   ? "Turned around: a ray along y sees its back, and knows that no other triangle is in its row."
                   : meaning_of(one.kind));
  }
}

// --- Boxes by level ---

// Where the rows of the levels are: the first one's corner, and what they share.
struct level_rows {
  box area;
  float title = 0, height = 0;  // of the heading, of a row
  u64 most = 1;                 // boxes of a level that were looked at
  float number = 0;             // room for the numbers behind the bars; 0: there are none

  box at(u32 level) const {
    const float y = area.low.y + title + height * static_cast<float>(level);
    return {{area.low.x, y}, {area.high.x, y + height - px(1)}};
  }
  bool has_words() const { return height >= px(13); }
};

// Draws a level's name, and a bar: what was looked at, and over it what was met.
void draw_level(const level_rows& rows, u32 level, bool triangles, const level_looks& looks, ImU32 colour) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const box row = rows.at(level);
  const float name = rows.has_words() ? px(20) : px(2), y = row.middle().y, half = std::min(rows.height * 0.25f, px(4));
  if (rows.has_words() && triangles)
    draw_triangle_sample(draw, {row.low.x + px(9), y}, px(3.5f), triangle_kind::key, false, theme().text_dim);
  else if (rows.has_words())
    draw_text_centred(draw, fonts().mono, type::tiny, {row.low.x + px(9), y}, theme().text_dim, std::to_string(level));
  if (looks.looked == 0) return;
  const float from = row.low.x + name, end = row.high.x - (rows.number > 0 ? rows.number + px(10) : px(4));
  const auto bar = [&](u64 count, ImU32 ink) {
    const float share = static_cast<float>(count) / static_cast<float>(rows.most);
    draw.AddRectFilled({from, y - half}, {std::max(from + (end - from) * share, from + px(2)), y + half}, ink, px(2));
  };
  bar(looks.looked, mix(theme().panel, theme().text_faint, 0.45f));
  if (looks.entered > 0)
    bar(looks.entered, contrast(colour, theme().panel) < 1.6 ? mix(colour, theme().text, 0.3f) : colour);
  if (rows.number == 0) return;
  const std::string words = fmt::format("{}/{}", looks.entered, looks.looked);
  const float width = text_width(fonts().mono, type::tiny, words);
  draw_text(draw, fonts().mono, type::tiny, {row.high.x - px(4) - width, y - px(7)}, theme().text, words);
}

// A click shows a level's boxes or hides them; a drag along the levels shows one after another.
void choose_level(frame& f, const scene_study& study, const level_rows& rows, u32 level) {
  scene_state& state = f.view.scene;
  const box row = rows.at(level);
  const bool triangles = level == study.triangles_level(), may = !triangles;
  ImGui::SetCursorScreenPos(row.low);
  const std::string id = triangles ? "triangles" : fmt::format("level {}", level);
  if (ImGui::InvisibleButton(id.c_str(), {row.width(), rows.height}) && may && !state.dragged)
    state.boxes = state.boxes == level ? std::nullopt : std::optional(level);
  if (ImGui::IsItemActivated()) state.dragged = false;
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, px(3)) && study.triangles_level() > 0) {
    const float over = (ImGui::GetIO().MousePos.y - rows.at(0).low.y) / rows.height;
    state.boxes = static_cast<u32>(std::clamp(over, 0.0f, static_cast<float>(study.triangles_level() - 1)));
    state.dragged = true;
  }
  const bool hovered = ImGui::IsItemHovered() && may, shown = state.boxes == level;
  if (hovered) f.view.points_next.level = level;
  if (shown || hovered)
    ImGui::GetWindowDrawList()->AddRectFilled(row.low, row.high, shown ? theme().pressed : theme().hovered, px(3));
}

// For each level how many boxes the rays looked at, and how many they met.
void levels_bars(frame& f, const scene_study& study, const scene_lookup* lookup, const box& area) {
  const u32 levels = study.triangles_level();
  level_rows rows{.area = area, .title = px(20)};
  rows.height = std::clamp((area.height() - rows.title) / static_cast<float>(levels + 1), px(9), px(21));
  draw_text_in(*ImGui::GetWindowDrawList(), fonts().words_medium, type::small, {area.low.x, area.low.y}, area.width(),
               theme().text_dim, "boxes by level");
  ImGui::SetCursorScreenPos(area.low);
  ImGui::InvisibleButton("boxes by level", {area.width(), rows.title});
  hover_card(
      "Boxes by level",
      "Level 0 is the root. Faint: how many boxes of a level the rays have looked at, up to this step. Full: how "
      "many they met. Click a level, or drag along them, to see its boxes.");
  spot("boxes by level", area);
  if (lookup)
    for (const level_looks& one : lookup->levels) rows.most = std::max(rows.most, one.looked);
  if (lookup && rows.has_words())
    rows.number = text_width(fonts().mono, type::tiny, fmt::format("{}/{}", rows.most, rows.most));
  for (u32 level = 0; level <= levels && rows.at(level).high.y <= area.high.y; ++level) {
    choose_level(f, study, rows, level);
    const bool last = level == levels;
    const level_looks looks = lookup ? lookup->levels[level] : level_looks{};
    draw_level(rows, level, last, looks, level_colour(level, f.model()->levels()));
    const u64 all = study.tree().cells_that_hold(level, study.wide());
    const char* const click = f.view.scene.boxes == level ? "Click to hide them." : "Click to see them.";
    hover_card(last ? "Triangles" : fmt::format("Boxes of level {}", level),
               fmt::format("{} in all. The rays looked at {} up to this step, and {} {}.", grouped(all),
                           grouped(looks.looked), last ? "hit" : "met", grouped(looks.entered)),
               !last ? click : "");
  }
}

// --- The mouse ---

std::string triangle_words(const frame& f, const scene_triangle& t) {
  std::string words = meaning_of(t.kind);
  if (t.from) words += fmt::format(" Its key is at {}.", with_grouped_numbers(place_words(*t.from)));
  if (t.flipped) words += " Flipped: rays along y see its back, as it is alone in its row.";
  if (t.bucket) words += fmt::format("\nBucket {}.", grouped(*t.bucket));
  if (t.key) {
    const auto content = f.read(t.key->region, t.key->cell);
    if (content && t.bucket) words += fmt::format(" Its last key is {}.", content->key);
    if (content && !t.bucket) words += fmt::format("\nKey {}.", content->key);
  }
  return words;
}

void handle_mouse(frame& f, const scene_study& study, const box& area) {
  scene_state& state = f.view.scene;
  ImGui::SetCursorScreenPos(area.low);
  ImGui::InvisibleButton("scene", {area.width(), area.height()},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  spot("scene");
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
  const ImGuiIO& io = ImGui::GetIO();
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  const double x = io.MousePos.x - area.low.x, y = io.MousePos.y - area.low.y;
  if (hovered && io.MouseWheel != 0) state.camera.zoom_at(x, y, std::pow(1.25, io.MouseWheel));
  if (ImGui::IsItemActivated()) state.dragged = false;
  if (active && ImGui::IsMouseDragging(ImGuiMouseButton_Middle, px(3))) {
    state.camera.pan(io.MouseDelta.x, io.MouseDelta.y);
    state.dragged = true;
  } else if (active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, px(3))) {
    io.KeyShift ? state.camera.pan(io.MouseDelta.x, io.MouseDelta.y)
                : state.camera.orbit(io.MouseDelta.x, io.MouseDelta.y);
    state.dragged = true;
  }
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) state.fit = true;
  const shown_triangle* over =
      hovered && !active ? pick(state.shown, x, y, static_cast<double>(px(pick_within))) : nullptr;
  const bool clicked =
      ImGui::IsItemDeactivated() && hovered && !state.dragged && io.MouseReleased[ImGuiMouseButton_Left];
  const region_id region = study.scene().scene().regions().triangles;
  const auto cell = over ? std::optional(cell_ref{region, over->cell}) : std::nullopt;
  cell_menu(f, cell);
  if (!over) return;
  point_at(f.view.points_next, f.seen_at(*cell));
  const auto triangle = read_triangle(f, study, over->cell);
  if (!triangle) return;
  hover_card(fmt::format("Triangle {} at {}", grouped(over->cell), with_grouped_numbers(place_words(triangle->at))),
             triangle_words(f, *triangle),
             triangle->key ? "Click to look for its key, right-click for more." : "Right-click for more.");
  if (!clicked || !triangle->key) return;
  f.act.choose_key_at(triangle->key->region, triangle->key->cell);
}

void take_shown(frame& f, scene_state& state) {
  scene_study& study = *state.study;
  study.take_read();
  std::optional<u32> level = f.view.pointed.level ? f.view.pointed.level : state.boxes;
  if (level && *level >= study.triangles_level()) level.reset();
  const scene_state::shown_for wanted{study.changes(), state.camera, state.slice, level};
  if (!(state.shown_of == wanted)) {
    state.shown = show_scene(study, state.camera, state.slice);
    state.level = level ? show_boxes(study, state.camera, state.slice, *level) : shown_boxes{};
    state.shown_of = wanted;
    state.told = state.shown.triangles.size() > most_told_triangles;
    study.read_asked([&](const std::function<void()>& job) { f.slots.later(job); });
  }
  if (study.is_reading()) f.moving = true;
  if (!state.told) state.told = tell_triangles(study, reader_of(*f.session.index, f.slots), state.shown);
}

}  // namespace

void scene_panel(frame& f) {
  if (!f.session.index || !has_cells(*f.model())) return wait_or_explain(f, "its scene");
  const index_scene* const scene = with_scene(*f.model());
  if (!scene) {
    f.view.scene.study.reset();
    return offer_scenes(f);
  }
  scene_study& study = study_scene(f);
  if (study.failed()) return caption("The index could not be read.");
  const std::optional<scene_frame> whole = study.frame();
  if (!whole) return caption(study.complete() ? "All keys were erased: the scene is empty." : "Reading the scene...");
  scene_state& state = f.view.scene;
  if (ImGui::GetContentRegionAvail().y >= px(least_for_words))
    one_line(fonts().words, type::small, theme().text_dim, scale_words(scene->scene().grid()));
  slice_controls(f, study);
  legend(f);
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const bool column = room.x >= px(least_for_column) && scene->scene().tree().levels > 0;
  const float beside = column ? px(levels_column) : 0;
  const scene_lookup* lookup = nullptr;
  if (f.trace() && path_is_of_index(f))
    lookup = &state.lookup.at(f.model(), f.view.transport.path, *f.trace(), f.view.transport.step,
                              reader_of(*f.session.index, f.slots));
  const bool is_placed = !lookup || place_in_grid(scene->scene().grid(), searched_key(*f.trace()));
  const float line = px(17);  // of a note below the picture
  const float notes = line * static_cast<float>(1 + (state.boxes ? 1 : 0) + (is_placed ? 0 : 1));
  const box area{at, {at.x + std::max(room.x - beside, px(60)), at.y + std::max(room.y - notes - px(2), px(80))}};
  state.camera.set_picture(area.width(), area.height(), px(room.y < px(least_for_words) ? 22.0f : 28.0f), *whole);
  if (std::exchange(state.fit, false)) state.camera.fit();
  handle_mouse(f, study, area);
  take_shown(f, state);
  draw_scene({f, study, state, area, lookup});
  ImVec2 below{area.low.x + px(4), area.high.y};
  for (const std::string& note : scene_notes(f, study, lookup)) {
    draw_text_in(*ImGui::GetWindowDrawList(), fonts().words, type::small, below, room.x - px(8), theme().text_dim,
                 note);
    below.y += line;
  }
  if (column) levels_bars(f, study, lookup, {{area.high.x + px(10), at.y}, {at.x + room.x, area.high.y}});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({room.x, area.height() + notes});
}

}  // namespace pivotscope::viz
