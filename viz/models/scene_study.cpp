#include "viz/models/scene_study.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/index/index_reader.hpp"

namespace pivotscope::viz {
namespace {

constexpr u64 cells_at_once = u64{1} << 14;

}  // namespace

scene_study::scene_study(std::shared_ptr<const built_index> index, std::shared_ptr<const index_model> model)
    : index_(std::move(index)), model_(std::move(model)), scene_(with_scene(*model_)) {
  const bounding_tree& all = tree();
  box_levels_ = all.levels;
  if (all.triangles > most_triangles)
    while (box_levels_ > 1 && all.count[box_levels_ - 1] > most_sampled) --box_levels_;
  for (u32 level = box_levels_; all.triangles > most_triangles && level <= all.levels; ++level) stride_ *= wide();
  boxes_wanted_ = box_levels_ == 0 ? 0 : u64{all.first[box_levels_ - 1]} + all.count[box_levels_ - 1];
  triangles_wanted_ = ceil_div<u64>(all.triangles, stride_);
}

bool scene_study::read_boxes() {
  const u64 first = boxes_.size(), count = std::min(cells_at_once, boxes_wanted_ - first);
  boxes_.resize(first + count);
  const std::span<pivotscope::box> part(boxes_.data() + first, count);
  return index_->read(scene_->scene().regions().boxes, first * box_bytes, std::as_writable_bytes(part)).ok();
}

bool scene_study::read_triangles_on() {
  const region_id region = scene_->scene().regions().triangles;
  const u64 first = triangles_.size();
  const u64 count = std::min(has_all() ? cells_at_once : 64, triangles_wanted_ - first);
  triangles_.resize(first + count);
  const std::span<triangle_cell> part(triangles_.data() + first, count);
  if (has_all()) return index_->read(region, first * sizeof(triangle_cell), std::as_writable_bytes(part)).ok();
  for (u64 i = 0; i < count; ++i)
    if (!index_->read(region, (first + i) * stride_ * sizeof(triangle_cell),
                      std::as_writable_bytes(part.subspan(i, 1))))
      return false;
  return true;
}

bool scene_study::go_on(double seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!failed_ && !complete()) {
    failed_ = !(boxes_.size() < boxes_wanted_ ? read_boxes() : read_triangles_on());
    if (std::chrono::steady_clock::now() >= until) break;
  }
  return !failed_ && !complete();
}

std::optional<grid_box> scene_study::bounds(u64 box) const {
  if (box >= boxes_.size() || boxes_[box].is_empty()) return std::nullopt;
  return scene_->scene().in_grid(boxes_[box]);
}

const triangle_cell* scene_study::triangle(u64 cell) const {
  const u64 at = cell / stride_;
  return cell % stride_ == 0 && at < triangles_.size() && !triangles_[at].is_hole() ? &triangles_[at] : nullptr;
}

std::optional<scene_frame> scene_study::frame() const {
  const bounding_tree& all = tree();
  std::optional<grid_box> whole;
  const auto take = [&](const grid_box& part) {
    if (!whole) whole = part;
    for (std::size_t a = 0; a < box_axes; ++a)
      whole->low[a] = std::min(whole->low[a], part.low[a]), whole->high[a] = std::max(whole->high[a], part.high[a]);
  };
  if (all.levels > 0) {
    if (boxes_.size() < all.count[0]) return std::nullopt;
    for (u64 box = 0; box < all.count[0]; ++box)
      if (const auto part = bounds(box)) take(*part);
  } else {
    if (triangles_.size() < triangles_wanted_) return std::nullopt;
    const half_units half = half_units::of(scene_->scene().grid());
    for (const triangle_cell& t : triangles_)
      if (!t.is_hole()) take(scene_->scene().in_grid(box_of(t, half)));
  }
  if (!whole) return std::nullopt;
  // Keys and rays are anywhere in their rows, though all triangles may be at the rows' ends.
  whole->low[0] = std::min(whole->low[0], -0.5);
  whole->high[0] = std::max(whole->high[0], scene_->scene().grid().x_max() + 0.5);
  return scene_frame(whole->low, whole->high);
}

std::optional<int> scene_study::plane_from(int z) const {
  std::optional<int> next, last;
  for (const triangle_cell& t : triangles_) {
    if (t.is_hole()) continue;
    const int at = scene_->scene().place_of(t).z;
    last = std::max(last.value_or(at), at);
    if (at >= z) next = std::min(next.value_or(at), at);
  }
  return next ? next : last;
}

std::optional<int> scene_study::row_from(int z, int y) const {
  std::optional<int> next, last;
  for (const triangle_cell& t : triangles_) {
    if (t.is_hole()) continue;
    const grid_point at = scene_->scene().place_of(t);
    if (at.z != z) continue;
    last = std::max(last.value_or(at.y), at.y);
    if (at.y >= y) next = std::min(next.value_or(at.y), at.y);
  }
  return next ? next : last;
}

namespace {

constexpr double least_box = 1.5;  // pixels: of many a smaller one is a point
constexpr double beside = 12;      // pixels around the picture from where triangles reach into it

// What is in view, level by level.
class scene_walk {
 public:
  scene_walk(const scene_study& study, const orbit_camera& camera, const scene_slice& slice)
      : study_(study), camera_(camera), map_(camera.map()), slice_(slice) {}

  shown_scene walk(std::size_t most) {
    few_ = study_.read_triangles() <= most;
    std::vector<u32> now;
    u32 level = 0;
    add_seen(now, level, 0, cells(0));
    while (level < levels()) {
      std::vector<u32> next;
      const std::size_t points = points_.size();
      for (const u32 cell : now) {
        const auto [first, end] = below(level, cell);
        add_seen(next, level + 1, first, end);
        if (next.size() + points_.size() > most) break;
      }
      if (next.size() + points_.size() > most) {
        points_.resize(points);
        all_ = false;
        break;
      }
      now = std::move(next);
      ++level;
    }
    if (level == levels() && !study_.has_all()) all_ = false;
    for (const u32 cell : now) points_.push_back({level, cell});
    shown_scene shown;
    shown.all = all_;
    const std::vector<placed> in_order = triangles_of_points();
    shown.triangles.reserve(in_order.size());
    for (const placed& p : in_order)
      shown.triangles.push_back({p.cell, study_.scene().look_at(p.cell, *study_.triangle(p.cell), {}), p.at});
    return shown;
  }

 private:
  // A triangle, or a box of which one triangle is shown.
  struct point {
    u32 level, cell;
  };
  struct placed {
    u64 cell;
    picture_point at;
  };

  // Levels of boxes that are read; behind the last come the triangles that are read.
  u32 levels() const { return study_.box_levels(); }
  u64 cells(u32 level) const {
    return level < levels() ? study_.tree().count[level] : ceil_div<u64>(study_.tree().triangles, study_.stride());
  }

  // Returns what of the next level is below a box. Of a sample one triangle of each of the last boxes is read.
  std::pair<u64, u64> below(u32 level, u64 cell) const {
    const bool is_sample = level + 1 == levels() && !study_.has_all();
    const u64 each = is_sample ? 1 : study_.wide(), first = cell * each;
    return {first, std::min<u64>(first + each, cells(level + 1))};
  }

  // Adds those of [first, end) of a level that are in view; boxes smaller than a pixel or two become points.
  void add_seen(std::vector<u32>& to, u32 level, u64 first, u64 end) {
    for (u64 cell = first; cell < end; ++cell) {
      const auto number = static_cast<u32>(cell);
      if (level == levels()) {
        if (is_seen(number)) to.push_back(number);
        continue;
      }
      const auto box = study_.bounds(study_.tree().first[level] + cell);
      if (!box || !slice_.meets(*box)) continue;
      scene_place middle, half;
      for (std::size_t a = 0; a < 3; ++a)
        middle[a] = (box->low[a] + box->high[a]) / 2, half[a] = (box->high[a] - box->low[a]) / 2;
      const picture_point at = map_.of(middle);
      double x = 0, y = 0;
      for (std::size_t a = 0; a < 3; ++a) x += std::abs(map_.x[a]) * half[a], y += std::abs(map_.y[a]) * half[a];
      if (!is_in_view(at, x, y)) continue;
      if (few_ || 2 * x >= least_box || 2 * y >= least_box)
        to.push_back(number);
      else
        points_.push_back({level, number}), all_ = false;
    }
  }
  bool is_in_view(const picture_point& at, double x, double y) const {
    return at.x + x > -beside && at.x - x < camera_.width() + beside && at.y + y > -beside &&
           at.y - y < camera_.height() + beside;
  }
  bool is_seen(u32 read) const {
    const triangle_cell* t = study_.triangle(read * study_.stride());
    if (!t) return false;
    const grid_point at = study_.scene().scene().place_of(*t);
    return slice_.has(at.y, at.z) && is_in_view(picture_of(at), 0, 0);
  }
  picture_point picture_of(const grid_point& at) const {
    return map_.of({static_cast<double>(at.x), static_cast<double>(at.y), static_cast<double>(at.z)});
  }

  // The first triangle below a point that the slice has.
  std::optional<u32> first_below(const point& p) const {
    if (slice_.of == scene_slice::kind::all) {
      u64 cell = p.cell;
      for (u32 level = p.level; level < levels(); ++level) cell = below(level, cell).first;
      return static_cast<u32>(cell);
    }
    if (p.level == levels()) return is_in_slice(p.cell) ? std::optional(p.cell) : std::nullopt;
    const auto [first, end] = below(p.level, p.cell);
    for (u64 cell = first; cell < end; ++cell) {
      if (p.level + 1 < levels()) {
        const auto box = study_.bounds(study_.tree().first[p.level + 1] + cell);
        if (!box || !slice_.meets(*box)) continue;
      }
      if (const auto found = first_below({p.level + 1, static_cast<u32>(cell)})) return found;
    }
    return std::nullopt;
  }
  bool is_in_slice(u32 read) const {
    const triangle_cell* t = study_.triangle(read * study_.stride());
    if (!t) return false;
    const grid_point at = study_.scene().scene().place_of(*t);
    return slice_.has(at.y, at.z);
  }

  std::vector<placed> triangles_of_points() const {
    std::vector<placed> list;
    list.reserve(points_.size());
    for (const point& p : points_) {
      const auto read = first_below(p);
      if (!read) continue;
      const u64 cell = *read * study_.stride();
      if (const triangle_cell* t = study_.triangle(cell))
        list.push_back({cell, picture_of(study_.scene().scene().place_of(*t))});
    }
    std::ranges::sort(list, {}, [](const placed& p) { return p.at.nearness; });
    return list;
  }

  const scene_study& study_;
  const orbit_camera& camera_;
  picture_map map_;
  scene_slice slice_;
  std::vector<point> points_;
  bool few_ = false;  // all triangles can be shown
  bool all_ = true;
};

}  // namespace

shown_scene show_scene(const scene_study& study, const orbit_camera& camera, const scene_slice& slice,
                       std::size_t most) {
  return scene_walk(study, camera, slice).walk(most);
}

bool tell_triangles(const scene_study& study, const region_reader& read, shown_scene& shown) {
  bool all_at_hand = true;
  for (shown_triangle& t : shown.triangles) {
    t.what = study.scene().look_at(t.cell, *study.triangle(t.cell), read);
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
