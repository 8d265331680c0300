#include "viz/models/shown_scene.hpp"

#include <algorithm>
#include <cmath>

#include "viz/models/scene_study.hpp"

namespace pivotscope::viz {
namespace {

constexpr double least_box = 1.5;  // pixels: of many a smaller one is a point
constexpr double beside = 12;      // pixels around the picture from where triangles reach into it

// What is in view, level by level.
class scene_walk {
 public:
  scene_walk(scene_study& study, const orbit_camera& camera, const scene_slice& slice)
      : study_(study), camera_(camera), map_(camera.map()), slice_(slice) {}

  shown_scene triangles(std::size_t most) {
    few_ = study_.has_all() && study_.tree().triangles <= most;
    around_ = beside;
    std::vector<u64> now;
    look_through(0, 0, now);
    u32 level = 0;
    for (; level < levels(); ++level) {
      const std::size_t points = points_.size();
      std::vector<u64> next;
      const bool is_kept = study_.ask_for(level + 1, below(level, now));
      for (const u64 cell : now) {
        if (!is_kept || next.size() + points_.size() > most) break;
        if (!look_through(level + 1, cell * study_.wide(), next)) points_.push_back({level, cell});
      }
      if (!is_kept || next.size() + points_.size() > most) {
        points_.resize(points);
        break;
      }
      now = std::move(next);
    }
    for (const u64 cell : now) points_.push_back({level, cell});
    shown_scene shown;
    shown.all = std::ranges::all_of(points_, [&](const point& p) { return p.level == levels(); });
    shown.triangles = triangles_of_points();
    return shown;
  }

  shown_boxes boxes(u32 level) {
    using extent = shown_boxes::extent;
    few_ = true, around_ = 0;
    std::vector<u64> now;
    bool all = look_through(0, 0, now);
    for (u32 above = 0; above < level; ++above) {
      if (!study_.ask_for(above + 1, below(above, now))) return {.list = {}, .has = extent::too_much_to_read};
      std::vector<u64> next;
      for (const u64 cell : now) all = look_through(above + 1, cell * study_.wide(), next) && all;
      if (next.size() > shown_boxes::most_counted) return {.list = {}, .has = extent::too_many, .many = above + 1};
      now = std::move(next);
    }
    shown_boxes shown{.list = {}, .has = all ? extent::all : extent::at_hand};
    for (const u64 cell : now) shown.list.push_back(study_.tree().first[level] + cell);
    return shown;
  }

 private:
  // A triangle, or a box of which one triangle is shown.
  struct point {
    u32 level;
    u64 cell;
  };

  u32 levels() const { return study_.triangles_level(); }

  // Returns the groups below boxes of a level.
  std::vector<u64> below(u32 level, const std::vector<u64>& boxes) const {
    std::vector<u64> groups;
    groups.reserve(boxes.size());
    for (const u64 cell : boxes)
      if (cell * study_.wide() < study_.tree().cells(level + 1)) groups.push_back(cell * study_.wide());
    return groups;
  }

  // Adds those cells of a group that are in view; boxes smaller than a pixel or two become points. False: the group is
  // not at hand.
  bool look_through(u32 level, u64 first, std::vector<u64>& to) {
    const u64 cells = study_.tree().cells(level);
    if (first >= cells) return true;
    const scene_study::cells at = study_.group(level, first);
    const u64 count = std::min<u64>(study_.wide(), cells - first);
    for (u64 i = 0; i < count && at.any(); ++i) {
      if (at.boxes)
        look_at_box(level, first + i, at.boxes[i], to);
      else if (is_seen(at.triangles[i]))
        to.push_back(first + i);
    }
    return at.any();
  }
  void look_at_box(u32 level, u64 cell, const pivotscope::box& stored, std::vector<u64>& to) {
    if (stored.is_empty()) return;
    const grid_box box = study_.scene().scene().in_grid(stored);
    if (!slice_.meets(box)) return;
    scene_place middle, half;
    for (std::size_t a = 0; a < 3; ++a)
      middle[a] = (box.low[a] + box.high[a]) / 2, half[a] = (box.high[a] - box.low[a]) / 2;
    double x = 0, y = 0;
    for (std::size_t a = 0; a < 3; ++a) x += std::abs(map_.x[a]) * half[a], y += std::abs(map_.y[a]) * half[a];
    const picture_point at = map_.of(middle);
    if (!is_in_view(at, x, y) || is_passed_by(at, half)) return;
    // In a small box that only reaches into the slice, what is in the slice has to be looked for.
    if (few_ || 2 * x >= least_box || 2 * y >= least_box || !slice_.holds(box))
      to.push_back(cell);
    else
      points_.push_back({level, cell});
  }
  bool is_in_view(const picture_point& at, double x, double y) const {
    return at.x + x > -around_ && at.x - x < camera_.width() + around_ && at.y + y > -around_ &&
           at.y - y < camera_.height() + around_;
  }
  // A long box at an angle has corners on both sides of the picture, and may pass it by all the same: then a line along one
  // of its edges parts them (two convex shapes that do not touch are parted by a line along an edge of either).
  bool is_passed_by(const picture_point& at, const scene_place& half) const {
    const double w = camera_.width() / 2 + around_, h = camera_.height() / 2 + around_;
    const double x = at.x - camera_.width() / 2, y = at.y - camera_.height() / 2;
    for (std::size_t edge = 0; edge < 3; ++edge) {
      const double nx = -map_.y[edge], ny = map_.x[edge];  // across the edge
      double reach = std::abs(nx) * w + std::abs(ny) * h;
      for (std::size_t a = 0; a < 3; ++a) reach += std::abs(nx * map_.x[a] + ny * map_.y[a]) * half[a];
      if (std::abs(nx * x + ny * y) > reach) return true;
    }
    return false;
  }
  grid_point place_of(const triangle_cell& t) const { return study_.scene().scene().place_of(t); }
  picture_point picture_of(const grid_point& at) const {
    return map_.of({static_cast<double>(at.x), static_cast<double>(at.y), static_cast<double>(at.z)});
  }
  bool is_in_slice(const triangle_cell& t) const {
    if (t.is_hole()) return false;
    const grid_point at = place_of(t);
    return slice_.has(at.y, at.z);
  }
  bool is_seen(const triangle_cell& t) const { return is_in_slice(t) && is_in_view(picture_of(place_of(t)), 0, 0); }

  // The first triangle below a point that the slice has, of those at hand.
  std::optional<scene_study::placed_triangle> first_below(const point& p) const {
    const auto first = study_.first_below(p.level, p.cell);
    if (first && is_in_slice(first->triangle)) return first;
    if (p.level == levels()) return std::nullopt;
    const u64 from = p.cell * study_.wide(), cells = study_.tree().cells(p.level + 1);
    if (from >= cells) return std::nullopt;
    const scene_study::cells at = study_.group(p.level + 1, from);
    const u64 count = std::min<u64>(study_.wide(), cells - from);
    for (u64 i = 0; i < count && at.any(); ++i) {
      if (at.boxes && (at.boxes[i].is_empty() || !slice_.meets(study_.scene().scene().in_grid(at.boxes[i])))) continue;
      if (const auto found = first_below({p.level + 1, from + i})) return found;
    }
    return std::nullopt;
  }

  std::vector<shown_triangle> triangles_of_points() const {
    struct placed {
      scene_study::placed_triangle of;
      picture_point at;
    };
    std::vector<placed> list;
    list.reserve(points_.size());
    for (const point& p : points_)
      if (const auto one = first_below(p)) list.push_back({*one, picture_of(place_of(one->triangle))});
    std::ranges::sort(list, {}, [](const placed& p) { return p.at.nearness; });
    std::vector<shown_triangle> shown;
    shown.reserve(list.size());
    for (const auto& [of, at] : list)
      shown.push_back({of.cell, study_.scene().look_at(of.cell, of.triangle, {}), at, of.triangle});
    return shown;
  }

  scene_study& study_;
  const orbit_camera& camera_;
  picture_map map_;
  scene_slice slice_;
  std::vector<point> points_;
  bool few_ = false;   // all that is in view is looked at, however small it is
  double around_ = 0;  // pixels around the picture that are in view, too
};

}  // namespace

shown_scene show_scene(scene_study& study, const orbit_camera& camera, const scene_slice& slice, std::size_t most) {
  study.begin_look();
  return scene_walk(study, camera, slice).triangles(most);
}

shown_boxes show_boxes(scene_study& study, const orbit_camera& camera, const scene_slice& slice, u32 level) {
  return scene_walk(study, camera, slice).boxes(level);
}

bool tell_triangles(const scene_study& study, const region_reader& read, shown_scene& shown) {
  bool all_at_hand = true;
  for (shown_triangle& t : shown.triangles) {
    t.what = study.scene().look_at(t.cell, t.stored, read);
    all_at_hand = all_at_hand && (!t.what.key || study.model().value_of(*t.what.key, read).has_value());
  }
  return all_at_hand;
}

const shown_triangle* pick(const shown_scene& shown, double x, double y, double within) {
  constexpr double alike = 1.5;  // pixels
  const shown_triangle* best = nullptr;
  double nearest = within;
  for (const shown_triangle& t : shown.triangles) {
    const double away = std::hypot(t.at.x - x, t.at.y - y);
    if (away > within) continue;
    if (best && away > nearest + alike) continue;
    if (best && away > nearest - alike && t.at.nearness < best->at.nearness) continue;
    best = &t, nearest = std::min(nearest, away);
  }
  return best;
}

}  // namespace pivotscope::viz
