#include "viz/panels/scene_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/workload/question_text.hpp"
#include "viz/models/build_model.hpp"
#include "viz/models/scene_study.hpp"
#include "viz/panels/scene_lines.hpp"
#include "viz/panels/tree_path.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

constexpr std::size_t most_labelled = 80, most_moves = 40, most_rows = 48, most_planes = 12, most_filled = 24;
constexpr float least_glyph = 2, greatest_glyph = 15;

std::string number_words(int place) { return place < 0 ? fmt::format("{}", place) : grouped(static_cast<u64>(place)); }
scene_place place_of(const grid_point& p) {
  return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
}

// In a triangle: a dot, it was moved; a plus, it is one more.
void draw_sign(ImDrawList& to, ImVec2 m, float half, triangle_kind kind, ImU32 ink) {
  if (half < px(4.5f)) return;
  if (kind == triangle_kind::moved) to.AddCircleFilled(m, half * 0.24f, ink);
  if (kind != triangle_kind::extra) return;
  const float arm = half * 0.32f, thick = px(1.5f);
  to.AddLine({m.x - arm, m.y}, {m.x + arm, m.y}, ink, thick);
  to.AddLine({m.x, m.y - arm}, {m.x, m.y + arm}, ink, thick);
}

class scene_painter {
 public:
  explicit scene_painter(const scene_picture& p)
      : p_(p), lines_(*ImGui::GetWindowDrawList(), p.state.camera, p.area), draw_(*ImGui::GetWindowDrawList()) {
    const orbit_camera& camera = p.state.camera;
    double least = 1e300;  // the smallest unit of an axis that has several places
    for (int a = 0; a < 3; ++a)
      if (frame_().high()[static_cast<std::size_t>(a)] - frame_().low()[static_cast<std::size_t>(a)] > 1)
        least = std::min(least, camera.frame().unit(a));
    const auto count = static_cast<double>(std::max<std::size_t>(shown().size(), 1));
    const double room = std::sqrt(static_cast<double>(p.area.width() * p.area.height()) / count);
    const double small = std::clamp(room * 0.2, static_cast<double>(px(least_glyph)), static_cast<double>(px(7)));
    const double own = least < 1e300 ? 0.45 * least * camera.scale() : small;
    glyph_ = static_cast<float>(std::clamp(own, small, static_cast<double>(px(greatest_glyph))));
  }

  void paint() {
    draw_.PushClipRect(p_.area.low, p_.area.high, true);
    draw_frame();
    draw_rows_and_planes();
    draw_boxes_of_level();
    draw_triangles();
    if (p_.lookup) {
      draw_boxes_of_step();
      draw_rays();
      draw_sought_key();
    }
    draw_pointed_things();
    for (std::size_t axis = 0; axis < 3; ++axis) draw_axis(axis);
    draw_labels();
    draw_.PopClipRect();
  }

 private:
  const scene_frame& frame_() const { return p_.state.camera.frame(); }
  const std::vector<shown_triangle>& shown() const { return p_.state.shown.triangles; }
  const scene_slice& slice() const { return p_.state.slice; }
  ImVec2 at(const picture_point& point) const {
    return {p_.area.low.x + static_cast<float>(point.x), p_.area.low.y + static_cast<float>(point.y)};
  }
  ImVec2 at(const scene_place& place) const { return at(p_.state.camera.project(place)); }

  ImVec2 at_middle() const {
    const scene_place &low = frame_().low(), &high = frame_().high();
    return at(scene_place{(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2});
  }

  // --- What holds the scene ---
  void draw_frame() { lines_.wire({frame_().low(), frame_().high()}, theme().line, px(1)); }

  // Of the frame's four edges along an axis the lowest one, or of those along y the leftmost: nothing is drawn there.
  void draw_axis(std::size_t axis) {
    const scene_place &low = frame_().low(), &high = frame_().high();
    if (high[axis] - low[axis] <= 1) return;
    scene_place from = low, to = high;
    double best = -1e300;
    for (unsigned corner = 0; corner < 4; ++corner) {
      scene_place a = low, b = low;
      const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
      if ((corner & 1) != 0) a[u] = high[u];
      if ((corner & 2) != 0) a[v] = high[v];
      b = a, b[axis] = high[axis];
      const ImVec2 first = at(a), last = at(b);
      const double rank = axis == 1 ? -(first.x + last.x) : first.y + last.y;
      if (rank > best) best = rank, from = a, to = b;
    }
    const ImVec2 first = at(from), last = at(to), middle = at_middle();
    const ImVec2 half{(first.x + last.x) / 2, (first.y + last.y) / 2};
    const float away = std::max(std::hypot(half.x - middle.x, half.y - middle.y), 1.0f);
    const ImVec2 out{(half.x - middle.x) / away * px(12), (half.y - middle.y) / away * px(12)};
    lines_.line(from, to, theme().text_faint, px(1.25f));
    const std::string names[] = {"x", "y", "z"};
    text(fonts().words_bold, type::small, {half.x + out.x, half.y + out.y}, theme().text_dim, names[axis]);
    text(fonts().mono, type::tiny, {first.x + out.x, first.y + out.y}, theme().text_dim,
         number_words(static_cast<int>(std::lround(low[axis] + 0.5))));
    text(fonts().mono, type::tiny, {last.x + out.x, last.y + out.y}, theme().text_dim,
         number_words(static_cast<int>(std::lround(high[axis] - 0.5))));
  }

  // Fine lines along the rows that have triangles, and outlines of their planes, where there are few.
  void draw_rows_and_planes() {
    if (!p_.state.shown.all || shown().size() > most_told_triangles) return;
    std::set<std::pair<int, int>> rows;
    std::set<int> planes;
    for (const shown_triangle& t : shown()) {
      const grid_point& place = t.what.at;
      if (t.what.kind != triangle_kind::plane_marker) rows.insert({place.z, place.y});
      planes.insert(place.z);
    }
    const scene_place &low = frame_().low(), &high = frame_().high();
    const ImU32 ink = mix(theme().panel, theme().text_faint, 0.55f);
    if (rows.size() <= most_rows)
      for (const auto& [z, y] : rows)
        lines_.line({low[0], static_cast<double>(y), static_cast<double>(z)},
                    {high[0], static_cast<double>(y), static_cast<double>(z)}, ink, px(1));
    if (planes.size() < 2 || planes.size() > most_planes) return;
    for (const int plane : planes) {
      const double z = plane;
      lines_.wire({{low[0], low[1], z}, {high[0], high[1], z}}, with_alpha(ink, 0.7f), px(1));
      lines_.fill({{low[0], low[1], z}, {high[0], high[1], z}}, with_alpha(theme().text_faint, 0.05f));
    }
  }

  // --- Boxes ---
  bool is_in_view(const grid_box& bounds) const {
    const box at = lines_.extent(bounds);
    return slice().meets(bounds) && at.high.x > p_.area.low.x && at.low.x < p_.area.high.x &&
           at.high.y > p_.area.low.y && at.low.y < p_.area.high.y;
  }

  std::optional<grid_box> bounds(u64 box) const { return bounds_of(p_.f, p_.study, box); }

  void draw_boxes_of_level() {
    const std::optional<u32> level = p_.state.shown_of.boxes;
    if (!level) return;
    const std::vector<u64> list = drawn_boxes(p_.state, p_.study, p_.lookup);
    const ImU32 ink = level_colour(*level, p_.f.model()->levels());
    const ImU32 seen = contrast(ink, theme().panel) < 2 ? mix(ink, theme().text, 0.35f) : ink;
    for (const u64 number : list)
      if (const auto of = bounds(number); of && is_in_view(*of)) {
        if (list.size() <= most_filled) lines_.fill(*of, with_alpha(seen, 0.05f));
        lines_.wire(*of, with_alpha(seen, 0.75f), px(1.25f));
      }
  }

  // The boxes that lead to what the step looks at; then those that it looks at: those that the ray meets stand out.
  void draw_boxes_of_step() {
    const auto draw = [&](u64 number, ImU32 ink, float thick, float fill) {
      const auto of = bounds(number);
      if (!of || !is_in_view(*of)) return;
      if (fill > 0) lines_.fill(*of, with_alpha(ink, fill));
      lines_.wire(*of, ink, thick);
    };
    for (const u64 number : p_.lookup->within) draw(number, with_alpha(theme().text_dim, 0.6f), px(1), 0);
    for (const met_box& met : p_.lookup->met)
      if (!met.entered) draw_missed(met.box);
    for (const met_box& met : p_.lookup->met)
      if (met.entered) draw(met.box, theme().text, px(2.25f), 0.08f);
  }
  void draw_missed(u64 number) {
    const auto of = bounds(number);
    if (of && is_in_view(*of)) lines_.broken_wire(*of, theme().text_faint, px(1));
  }

  // --- Triangles ---
  // Where a triangle's corners are in the picture: of one size for all, turned as the scene is.
  std::array<ImVec2, 3> corners(const picture_point& middle, float half) const {
    const orbit_camera& camera = p_.state.camera;
    const picture_point origin = camera.place_of({0, 0, 0});
    std::array<ImVec2, 3> out;
    for (u32 i = 0; i < 3; ++i) {
      scene_place away;
      for (u32 a = 0; a < 3; ++a)
        away[a] = static_cast<double>(corner_of(i, a)) * static_cast<double>(half) / camera.scale();
      const picture_point p = camera.place_of(away);
      out[i] = at(picture_point{middle.x + p.x - origin.x, middle.y + p.y - origin.y, 0});
    }
    return out;
  }
  ImU32 faded(ImU32 colour, double nearness) const {
    const double share = std::clamp(0.5 - nearness / 1.6, 0.0, 1.0);
    return mix(colour, theme().panel, static_cast<float>(0.45 * share));
  }
  built built_yet(u64 cell) const {
    const frame& f = p_.f;
    return f.pass()
               ? built_of(f.view.build.passes, f.view.build.at, {p_.study.scene().scene().regions().triangles, cell})
               : built::yes;
  }

  void draw_triangles() {
    const bool moves = shown().size() <= most_moves;
    for (const shown_triangle& t : shown()) {
      const ImU32 colour = faded(colour_of(p_.study, t.cell, t.what), t.at.nearness);
      const ImVec2 middle = at(t.at);
      const built state = built_yet(t.cell);
      if (glyph_ < px(3)) {
        const float half = px(1.25f);
        draw_.AddRectFilled({middle.x - half, middle.y - half}, {middle.x + half, middle.y + half},
                            state == built::not_yet ? with_alpha(colour, 0.3f) : colour);
        continue;
      }
      if (moves && state != built::not_yet) draw_move(t.what);
      const std::array<ImVec2, 3> c = corners(t.at, glyph_);
      const bool marks = !t.what.bucket && t.what.kind != triangle_kind::key;
      if (marks || t.what.flipped || state == built::not_yet) {
        draw_.AddTriangleFilled(c[0], c[1], c[2], with_alpha(theme().panel, 0.75f));
        if (!marks) draw_.AddTriangleFilled(c[0], c[1], c[2], with_alpha(colour, 0.25f));
        draw_.AddTriangle(c[0], c[1], c[2], marks ? theme().edge : colour, px(glyph_ < px(5) ? 1.25f : 2.0f));
      } else {
        draw_.AddTriangleFilled(c[0], c[1], c[2], colour);
      }
      draw_sign(draw_, middle, glyph_, t.what.kind, t.what.flipped ? colour : theme().panel);
      if (state == built::now) draw_.AddCircle(middle, glyph_ + px(4), theme().text, 0, px(3));
    }
  }

  // From the place of its key to where a triangle was moved.
  void draw_move(const scene_triangle& t) {
    if (!t.from) return;
    const ImVec2 from = at(place_of(*t.from));
    lines_.broken_line(place_of(*t.from), place_of(t.at), theme().text_faint, px(1));
    draw_.AddCircleFilled(from, px(3), theme().panel);
    draw_.AddCircle(from, px(3), theme().text_faint, 0, px(1.25f));
  }

  // --- The lookup ---
  // Where a ray ends in the picture: where it hits, or behind the scene's end.
  scene_place end_of(const scene_ray& ray) const {
    scene_place end = ray.to;
    const std::size_t a = ray.axis;
    if (ray.is_endless) end[a] = std::max(frame_().high()[a], ray.from[a]) + beyond(a);
    return end;
  }
  double beyond(std::size_t axis) const { return (frame_().high()[axis] - frame_().low()[axis]) * 0.05; }

  // How far a ray that is under way has looked: up to the box that it entered last.
  double looked_to(const scene_ray& ray) const {
    const std::vector<met_box>& met = p_.lookup->met;
    double to = ray.from[ray.axis];
    const auto in = std::ranges::find_if(met, &met_box::entered);
    std::optional<u64> box;
    if (in != met.end())
      box = in->box;
    else if (!p_.lookup->within.empty())
      box = p_.lookup->within.back();
    if (const auto of = box ? bounds(*box) : std::nullopt) to = std::max(to, of->low[ray.axis]);
    return to;
  }

  void draw_rays() {
    const scene_lookup& lookup = *p_.lookup;
    const u32 step = p_.f.view.transport.step;
    for (std::size_t i = 0; i < lookup.rays.size(); ++i)
      if (i != lookup.now) draw_ray(i, lookup.rays[i], false, true);
    if (lookup.now) {
      const scene_ray& ray = lookup.rays[*lookup.now];
      draw_ray(*lookup.now, ray, true, ray.is_beam || step + 1 == ray.end_step);
    }
    for (const u64 cell : lookup.hits) draw_hit(cell, lookup.now && lookup.rays[*lookup.now].hit == cell);
  }

  void draw_ray(std::size_t number, const scene_ray& ray, bool is_now, bool is_over) {
    const ImU32 ink = is_now ? theme().accent : theme().text_dim;
    const float thick = px(is_now ? 2.75f : 1.5f);
    if (ray.is_beam) {
      lines_.fill({ray.from, ray.to}, with_alpha(ink, is_now ? 0.16f : 0.06f));
      lines_.wire({ray.from, ray.to}, ink, thick);
    } else {
      scene_place end = end_of(ray), reached = end;
      if (!is_over) reached[ray.axis] = std::min(end[ray.axis], looked_to(ray));
      lines_.line(ray.from, reached, ink, thick);
      if (!is_over) lines_.broken_line(reached, end, ink, px(1.25f));
      const bool vain = is_over && ray.is_endless;
      vain ? draw_cross(at(end), ink, thick) : draw_head(at(ray.from), at(end), ink);
    }
    const ImVec2 from = at(ray.from);
    draw_.AddCircleFilled(from, px(is_now ? 4.0f : 3.0f), ink);
    const ImVec2 end = at(end_of(ray));
    wanted_.push_back({from,
                       {(from.x + end.x) / 2, (from.y + end.y) / 2},
                       fmt::format("{} {}", ray.is_beam ? "beam" : "ray", number + 1),
                       ink});
  }
  void draw_cross(ImVec2 m, ImU32 ink, float thick) {
    const float arm = px(4.5f);
    draw_.AddLine({m.x - arm, m.y - arm}, {m.x + arm, m.y + arm}, ink, thick);
    draw_.AddLine({m.x - arm, m.y + arm}, {m.x + arm, m.y - arm}, ink, thick);
  }
  void draw_head(ImVec2 from, ImVec2 to, ImU32 ink) {
    const float long_ = std::hypot(to.x - from.x, to.y - from.y);
    if (long_ < px(10)) return;
    const ImVec2 d{(to.x - from.x) / long_, (to.y - from.y) / long_};
    const float l = px(9), w = px(4.5f), back = px(1);
    const ImVec2 tip{to.x - d.x * back, to.y - d.y * back}, foot{tip.x - d.x * l, tip.y - d.y * l};
    draw_.AddTriangleFilled(tip, {foot.x - d.y * w, foot.y + d.x * w}, {foot.x + d.y * w, foot.y - d.x * w}, ink);
  }
  void draw_hit(u64 cell, bool is_now) {
    const auto triangle = read_triangle(p_.f, p_.study, cell);
    if (!triangle || !slice().has(triangle->at.y, triangle->at.z)) return;
    const ImVec2 middle = at(place_of(triangle->at));
    if (shown().size() > most_moves) draw_move(*triangle);
    draw_.AddCircle(middle, std::max(glyph_, px(5)) + px(4), theme().text, 0, px(is_now ? 3.0f : 1.25f));
    // Where triangles are keys a hit is the answer.
    if (p_.study.scene().scene().regions().triangles == main_region && !p_.f.trace()->range)
      draw_star(draw_, {middle.x + glyph_ + px(9), middle.y - glyph_ - px(6)}, true, px(13));
  }

  void draw_sought_key() {
    const lookup_trace& trace = *p_.f.trace();
    const auto own = place_in_grid(p_.study.scene().scene().grid(), searched_key(trace));
    if (!own) return;  // a note says so
    const ImVec2 tip = at(place_of(*own));
    if (tip.x < p_.area.low.x || tip.x > p_.area.high.x || tip.y < p_.area.low.y || tip.y > p_.area.high.y) return;
    draw_.AddCircleFilled(tip, px(3.5f), theme().accent);
    const box pill =
        draw_caret(draw_, {tip.x, tip.y - px(6)}, to_text(question_of(trace)), p_.area.low.x, p_.area.high.x);
    taken_.push_back(pill);
  }

  // --- What the mouse is over, here or in another view ---
  void draw_pointed_things() {
    const pointing& pointed = p_.f.view.pointed;
    const scene_model& scene = p_.study.scene().scene();
    std::optional<cell_ref> cell = pointed.cell;
    const index_ranks* ranks = p_.f.model()->ranks();
    if (!cell && pointed.rank && ranks && *pointed.rank < ranks->count()) cell = ranks->cell(*pointed.rank);
    if (!cell) return;
    if (cell->region == scene.regions().boxes) {
      if (const auto of = bounds(cell->cell)) lines_.wire(*of, theme().text_dim, px(2.5f));
      return;
    }
    if (cell->region == scene.regions().triangles) {
      if (const auto t = read_triangle(p_.f, p_.study, cell->cell)) draw_pointed_at(at(place_of(t->at)), glyph_);
      return;
    }
    if (cell->region != main_region) return;
    const auto content = p_.f.read(cell->region, cell->cell);
    if (const auto own = content ? place_in_grid(scene.grid(), content->key) : std::nullopt)
      draw_pointed_at(at(place_of(*own)), px(3));
    const auto bucket = p_.study.scene().bucket_of_cell(cell->cell);
    for (const shown_triangle& t : shown())
      if (bucket && t.what.bucket == bucket) draw_pointed_at(at(t.at), glyph_);
  }
  void draw_pointed_at(ImVec2 m, float half) {
    const float r = half + px(3);
    draw_pointed(draw_, {{m.x - r, m.y - r}, {m.x + r, m.y + r}});
  }

  // --- Words ---
  // Of rays first, the last one before the others, then of triangles, each where it lies over nothing.
  void draw_labels() {
    for (auto l = wanted_.rbegin(); l != wanted_.rend(); ++l)
      if (!place_label(l->at, px(5), l->words, l->ink, fonts().words_medium, true))
        place_label(l->or_at, px(3), l->words, l->ink, fonts().words_medium, false);
    if (shown().size() > most_labelled || glyph_ < px(shown().size() > most_labelled / 4 ? 8.0f : 4.0f)) return;
    for (auto t = shown().rbegin(); t != shown().rend(); ++t) {
      const scene_triangle& what = t->what;
      if (what.kind == triangle_kind::key) continue;
      std::string words = what.bucket ? grouped(*what.bucket) : what.kind == triangle_kind::row_marker ? "R" : "P";
      if (what.kind == triangle_kind::extra) words.insert(0, 1, '+');
      place_label(at(t->at), glyph_, words, theme().text_dim, fonts().mono, false);
    }
  }
  // A ray's name stands before it, the number of a triangle's bucket behind it; else where there is room.
  bool place_label(ImVec2 m, float away, const std::string& words, ImU32 ink, ImFont* font, bool before) {
    const float width = text_width(font, type::tiny, words), height = px(12), d = away + px(3);
    const ImVec2 left{m.x - d - width, m.y - height / 2}, right{m.x + d, m.y + px(1)};
    const ImVec2 corners[] = {before ? left : right,
                              {m.x - d - width, m.y - height - px(1)},
                              {m.x + d, m.y - height - px(1)},
                              {m.x - d - width, m.y + px(1)},
                              {m.x + d, m.y + px(1)},
                              {m.x - width / 2, m.y + d},
                              {m.x - width / 2, m.y - d - height}};
    for (const ImVec2& corner : corners) {
      const box room{{corner.x - px(2), corner.y}, {corner.x + width + px(2), corner.y + height}};
      if (!is_free(room)) continue;
      taken_.push_back(room);
      draw_.AddRectFilled(room.low, room.high, with_alpha(theme().panel, 0.85f), px(2));
      draw_text(draw_, font, type::tiny, {corner.x, corner.y - px(1)}, ink, words);
      return true;
    }
    return false;
  }
  // Centred, or as near to that as the picture's sides allow; nothing where it has no room.
  void text(ImFont* font, float size, ImVec2 middle, ImU32 ink, const std::string& words) {
    const float half = text_width(font, size, words) / 2 + px(2), height = px(size) + px(2);
    middle.x = std::max(std::min(middle.x, p_.area.high.x - half), p_.area.low.x + half);
    const box room{{middle.x - half, middle.y - height / 2}, {middle.x + half, middle.y + height / 2}};
    if (!is_free(room)) return;
    taken_.push_back(room);
    draw_.AddRectFilled(room.low, room.high, with_alpha(theme().panel, 0.7f), px(2));
    draw_text_centred(draw_, font, size, middle, ink, words);
  }
  bool is_free(const box& room) const {
    if (room.low.x < p_.area.low.x || room.high.x > p_.area.high.x || room.low.y < p_.area.low.y ||
        room.high.y > p_.area.high.y)
      return false;
    return std::ranges::none_of(taken_, [&](const box& other) {
      return room.low.x < other.high.x && other.low.x < room.high.x && room.low.y < other.high.y &&
             other.low.y < room.high.y;
    });
  }

  struct label {
    ImVec2 at, or_at;  // where it begins; where that is crowded, its middle
    std::string words;
    ImU32 ink;
  };

  const scene_picture& p_;
  scene_lines lines_;
  ImDrawList& draw_;
  float glyph_ = 0;  // pixels from a triangle's centre to its box
  std::vector<box> taken_;
  std::vector<label> wanted_;
};

}  // namespace

void draw_scene(const scene_picture& p) { scene_painter(p).paint(); }

void draw_triangle_sample(ImDrawList& to, ImVec2 m, float half, triangle_kind kind, bool flipped, ImU32 colour) {
  const ImVec2 a{m.x + half, m.y + half}, b{m.x, m.y - half}, c{m.x - half, m.y + half};
  const bool marks = kind == triangle_kind::row_marker || kind == triangle_kind::plane_marker;
  if (marks || flipped) {
    if (!marks) to.AddTriangleFilled(a, b, c, with_alpha(colour, 0.25f));
    to.AddTriangle(a, b, c, marks ? theme().edge : colour, px(1.5f));
  } else {
    to.AddTriangleFilled(a, b, c, colour);
  }
  draw_sign(to, {m.x, m.y + half * 0.35f}, half, kind, theme().panel);
}

ImU32 colour_of(const scene_study& study, u64 cell, const scene_triangle& triangle) {
  const bool by_bucket = study.scene().buckets() > 0;
  if (by_bucket && !triangle.bucket) return theme().edge;
  const u64 all = by_bucket ? study.scene().buckets() : study.tree().triangles;
  const u64 place = by_bucket ? *triangle.bucket : cell;
  constexpr u64 shades = 256;
  if (all <= shades) return level_colour(static_cast<u32>(place), static_cast<u32>(std::max<u64>(all, 2)));
  return level_colour(static_cast<u32>(place * (shades - 1) / (all - 1)), shades);
}

std::optional<scene_triangle> read_triangle(frame& f, const scene_study& study, u64 cell) {
  const region_reader read = reader_of(*f.session.index, f.slots);
  const auto triangle = study.scene().scene().triangle(cell, read);
  if (!triangle || triangle->is_hole()) return std::nullopt;
  return study.scene().look_at(cell, *triangle, read);
}

std::optional<grid_box> bounds_of(const frame& f, const scene_study& study, u64 number) {
  if (const auto known = study.bounds(number)) return known;
  const scene_model& scene = study.scene().scene();
  pivotscope::box stored;
  if (number >= scene.tree().boxes() ||
      !read_into(*f.session.index, f.slots, scene.regions().boxes, number * box_bytes,
                 std::as_writable_bytes(std::span(&stored, 1))) ||
      stored.is_empty())
    return std::nullopt;
  return scene.in_grid(stored);
}

std::vector<u64> drawn_boxes(const scene_state& state, const scene_study& study, const scene_lookup* lookup) {
  if (state.level.counted() && state.level.list.size() <= most_drawn_boxes) return state.level.list;
  std::vector<u64> list;
  if (!lookup || !state.shown_of.boxes) return list;
  for (const auto* part : {&lookup->before, &lookup->met})
    for (const met_box& met : *part)
      if (study.scene().scene().box_level(met.box) == *state.shown_of.boxes) list.push_back(met.box);
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

}  // namespace pivotscope::viz
