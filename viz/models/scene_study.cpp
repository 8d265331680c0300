#include "viz/models/scene_study.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

#include "core/index/index_reader.hpp"

namespace pivotscope::viz {
namespace {

using clock = std::chrono::steady_clock;

constexpr u64 cells_at_once = u64{1} << 14;
constexpr u64 most_scattered = 16;                    // triangles: nearer ones are read with all between them
constexpr std::chrono::milliseconds longest_job{10};  // paths of lookups wait for the same thread

bool read_cells(const built_index& index, region_id region, u64 first, auto& out) {
  return index.read(region, first * sizeof(out[0]), std::as_writable_bytes(std::span(out))).ok();
}

}  // namespace

struct scene_study::inbox {
  std::mutex mutex;
  std::vector<std::pair<u64, part>> parts;
  bool ended = false, failed = false;
};

// Reads parts of a scene. It keeps the model, and of the index nothing.
class scene_study::part_reader {
 public:
  part_reader(std::shared_ptr<const index_model> model, const scene_model& scene)
      : model_(std::move(model)), scene_(scene) {}

  bool read(const built_index& index, u64 key, part& out) const {
    const auto level = static_cast<u32>(key >> 32);
    const bounding_tree& tree = scene_.tree();
    const scene_regions in = scene_.regions();
    const u64 first = (key & ~u32{0}) * part_cells, all = tree.cells(level), count = std::min(part_cells, all - first);
    if (level == tree.levels) {
      out.triangles.resize(count);
      return read_cells(index, in.triangles, first, out.triangles);
    }
    out.boxes.resize(count);
    return read_cells(index, in.boxes, tree.first[level] + first, out.boxes) &&
           read_first_below(index, level, first, count, out.triangles);
  }

 private:
  bool read_first_below(const built_index& index, u32 level, u64 first, u64 count,
                        std::vector<triangle_cell>& out) const {
    const region_id region = scene_.regions().triangles;
    u64 stride = 1;
    for (u32 below = level; below < scene_.tree().levels; ++below) stride *= scene_.wide();
    out.assign(count, hole_with(0));  // boxes that fill up their level have no triangle
    const u64 from = first * stride, end = std::min<u64>((first + count) * stride, scene_.tree().triangles);
    if (from >= end) return true;
    if (stride <= most_scattered) {
      std::vector<triangle_cell> run(end - from);
      if (!read_cells(index, region, from, run)) return false;
      for (u64 i = 0; i * stride < run.size(); ++i) out[i] = run[i * stride];
      return true;
    }
    for (u64 i = 0; from + i * stride < end; ++i) {
      const std::span one(out.data() + i, 1);
      if (!index.read(region, (from + i * stride) * sizeof(triangle_cell), std::as_writable_bytes(one))) return false;
    }
    return true;
  }

  std::shared_ptr<const index_model> model_;  // keeps `scene_`
  const scene_model& scene_;
};

scene_study::scene_study(const std::shared_ptr<const built_index>& index, std::shared_ptr<const index_model> model)
    : index_(index), model_(std::move(model)), scene_(with_scene(*model_)), inbox_(std::make_shared<inbox>()) {
  const bounding_tree& all = tree();
  first_levels_ = all.levels;
  if (all.triangles > most_triangles)
    while (first_levels_ > 1 && all.count[first_levels_ - 1] > most_sampled) --first_levels_;
  for (u32 level = first_levels_; all.triangles > most_triangles && level <= all.levels; ++level) stride_ *= wide();
  boxes_wanted_ = first_levels_ == 0 ? 0 : u64{all.first[first_levels_ - 1]} + all.count[first_levels_ - 1];
  triangles_wanted_ = ceil_div<u64>(all.triangles, stride_);
}

bool scene_study::read_boxes(const built_index& index) {
  const u64 first = boxes_.size(), count = std::min(cells_at_once, boxes_wanted_ - first);
  boxes_.resize(first + count);
  const std::span<pivotscope::box> part(boxes_.data() + first, count);
  return index.read(scene_->scene().regions().boxes, first * box_bytes, std::as_writable_bytes(part)).ok();
}

bool scene_study::read_triangles_on(const built_index& index) {
  const region_id region = scene_->scene().regions().triangles;
  const u64 first = triangles_.size();
  const u64 count = std::min(has_all() ? cells_at_once : 64, triangles_wanted_ - first);
  triangles_.resize(first + count);
  const std::span<triangle_cell> part(triangles_.data() + first, count);
  if (has_all()) return index.read(region, first * sizeof(triangle_cell), std::as_writable_bytes(part)).ok();
  for (u64 i = 0; i < count; ++i)
    if (!index.read(region, (first + i) * stride_ * sizeof(triangle_cell), std::as_writable_bytes(part.subspan(i, 1))))
      return false;
  return true;
}

bool scene_study::go_on(double seconds) {
  const auto until = clock::now() + std::chrono::duration<double>(seconds);
  const std::shared_ptr<const built_index> index = index_.lock();
  if (!index) return false;
  while (!failed_ && !complete()) {
    failed_ = !(boxes_.size() < boxes_wanted_ ? read_boxes(*index) : read_triangles_on(*index));
    ++changes_;
    if (clock::now() >= until) break;
  }
  return !failed_ && !complete();
}

// --- What is at hand ---

scene_study::cells scene_study::group(u32 level, u64 first) const {
  const u64 end = first + std::min<u64>(wide(), tree().cells(level) - first);
  if (level < first_levels_) {
    const u64 before = tree().first[level];
    return {before + end <= boxes_.size() ? boxes_.data() + before + first : nullptr, nullptr};
  }
  if (has_all()) return {nullptr, end <= triangles_.size() ? triangles_.data() + first : nullptr};
  const auto found = parts_.find(part_key(level, first / part_cells));
  if (found == parts_.end()) return {};
  const u64 within = first % part_cells;
  const part& of = found->second;
  return {of.boxes.empty() ? nullptr : of.boxes.data() + within, of.triangles.data() + within};
}

std::optional<scene_study::placed_triangle> scene_study::first_below(u32 level, u64 cell) const {
  const u64 first = cell / wide() * wide();
  u64 below = cell;
  for (u32 l = level; l < triangles_level(); ++l) below *= wide();
  const triangle_cell* found = nullptr;
  if (level < first_levels_ || has_all()) {
    if (below / stride_ < triangles_.size()) found = &triangles_[below / stride_];
  } else if (const cells at = group(level, first); at.triangles) {
    found = at.triangles + (cell - first);
  }
  return found && !found->is_hole() ? std::optional(placed_triangle{below, *found}) : std::nullopt;
}

std::optional<grid_box> scene_study::bounds(u64 box) const {
  if (box >= tree().boxes()) return std::nullopt;
  const u32 level = scene_->scene().box_level(box);
  const u64 cell = box - tree().first[level], first = cell / wide() * wide();
  const cells at = group(level, first);
  if (!at.boxes) return std::nullopt;
  const pivotscope::box& found = at.boxes[cell - first];
  return found.is_empty() ? std::nullopt : std::optional(scene_->scene().in_grid(found));
}

const triangle_cell* scene_study::triangle(u64 cell) const {
  const triangle_cell* found = nullptr;
  if (cell % stride_ == 0 && cell / stride_ < triangles_.size()) {
    found = &triangles_[cell / stride_];
  } else if (!has_all() && cell < tree().triangles) {
    const u64 first = cell / wide() * wide();
    if (const cells at = group(triangles_level(), first); at.triangles) found = at.triangles + (cell - first);
  }
  return found && !found->is_hole() ? found : nullptr;
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

template <class See>
void scene_study::each_triangle(See&& see) const {
  const auto each = [&](const std::vector<triangle_cell>& list) {
    for (const triangle_cell& t : list)
      if (!t.is_hole()) see(scene_->scene().place_of(t));
  };
  each(triangles_);
  for (const auto& [key, part] : parts_) each(part.triangles);
}

std::optional<int> scene_study::plane_from(int z) const {
  std::optional<int> next, last;
  each_triangle([&](const grid_point& at) {
    last = std::max(last.value_or(at.z), at.z);
    if (at.z >= z) next = std::min(next.value_or(at.z), at.z);
  });
  return next ? next : last;
}

std::optional<int> scene_study::row_from(int z, int y) const {
  std::optional<int> next, last;
  each_triangle([&](const grid_point& at) {
    if (at.z != z) return;
    last = std::max(last.value_or(at.y), at.y);
    if (at.y >= y) next = std::min(next.value_or(at.y), at.y);
  });
  return next ? next : last;
}

// --- What is looked at ---

void scene_study::begin_look() {
  ++look_;
  asked_ = 0;
  wanted_.clear();
}

bool scene_study::is_asked_for(u64 key) const {
  const auto found = parts_.find(key);
  return found == parts_.end() ? wanted_.contains(key) : found->second.looked_at == look_;
}

bool scene_study::ask_for(u32 level, const std::vector<u64>& groups) {
  if (is_read_at_first(level)) return true;
  std::vector<u64> more;  // keys of parts that this look has not asked for yet
  std::optional<u64> before;
  for (const u64 first : groups) {
    if (first >= tree().cells(level)) break;
    const u64 key = part_key(level, first / part_cells);
    if (std::exchange(before, key) != key && !is_asked_for(key)) more.push_back(key);
  }
  if (asked_ + more.size() > most_parts) return false;
  asked_ += more.size();
  for (const u64 key : more) {
    if (const auto found = parts_.find(key); found != parts_.end())
      found->second.looked_at = look_;
    else
      wanted_.insert(key);
  }
  return true;
}

void scene_study::read_asked(const do_later& later) {
  if (under_way_ || wanted_.empty() || failed_) return;
  under_way_ = true;
  later([from = index_, wanted = std::exchange(wanted_, {}), into = std::weak_ptr(inbox_),
         by = part_reader(model_, scene_->scene())] {
    const std::shared_ptr<inbox> asks = into.lock();
    const std::shared_ptr<const built_index> index = from.lock();
    if (!asks || !index) return;  // nobody waits for it any more
    const auto until = clock::now() + longest_job;
    std::vector<std::pair<u64, part>> read;
    bool failed = false;
    for (const u64 key : wanted) {
      part one;
      failed = !by.read(*index, key, one);
      if (failed) break;
      read.emplace_back(key, std::move(one));
      if (clock::now() >= until) break;
    }
    const std::lock_guard lock(asks->mutex);
    asks->parts = std::move(read), asks->failed = failed, asks->ended = true;
  });
}

void scene_study::take_read() {
  {
    const std::lock_guard lock(inbox_->mutex);
    if (!std::exchange(inbox_->ended, false)) return;
    under_way_ = false;
    failed_ = failed_ || inbox_->failed;
    for (auto& [key, one] : inbox_->parts) {
      one.looked_at = look_;
      parts_.insert_or_assign(key, std::move(one));
    }
    inbox_->parts.clear();
  }
  ++changes_;
  let_go_of_parts();
}

// The parts that were not looked at for the longest time go first.
void scene_study::let_go_of_parts() {
  if (parts_.size() <= most_parts) return;
  std::vector<std::pair<u64, u64>> by_look;
  for (const auto& [key, one] : parts_) by_look.emplace_back(one.looked_at, key);
  std::ranges::sort(by_look);
  for (std::size_t i = 0; parts_.size() > most_parts; ++i) parts_.erase(by_look[i].second);
}

u64 scene_study::kept_triangles() const {
  u64 all = triangles_.size();
  for (const auto& [key, one] : parts_) all += one.triangles.size();
  return all;
}

}  // namespace pivotscope::viz
