#include "core/families/gph/planned_table.hpp"

#include <algorithm>

namespace pivotscope {

planned_table::planned_table(const gph_config& config, u32 buckets)
    : config_(config),
      view_(gph_table(config, buckets, 0)),
      slots_((u64{view_.buckets} + view_.spill) * config.bucket, nothing),
      values_(view_.cells, 0) {}

bool planned_table::has(u64 key) const { return std::ranges::find(all_, key) != all_.end(); }

std::vector<u64> planned_table::of_cell(u32 cell) const {
  std::vector<u64> own;
  std::ranges::copy_if(all_, std::back_inserter(own), [&](u64 key) { return place(key).cell == cell; });
  return own;
}

u32 planned_table::most_spilled() const {
  const u32 all = view_.spill * config_.bucket;
  return all - all / 8;
}

u32 planned_table::empty_slot(u32 bucket) const {
  const auto first = slots_.begin() + static_cast<std::ptrdiff_t>(u64{bucket} * config_.bucket);
  return static_cast<u32>(std::find(first, first + config_.bucket, nothing) - first);
}

void planned_table::put_into_spill(u64 key) {
  u32 bucket = spill(key);
  while (is_full(bucket)) bucket = bucket + 1 < view_.buckets + view_.spill ? bucket + 1 : view_.buckets;
  put(bucket, key);
}

way_in planned_table::insert(u64 key) {
  const u32 cell = place(key).cell;
  way_in way = way_in::its_bucket;
  if (!is_full(home(key))) {
    put(home(key), key);
  } else if (some_spilled(value(cell), config_)) {
    way = spilled_ < most_spilled() ? way_in::to_spill : way_in::refused;
    if (way == way_in::to_spill) put_into_spill(key), ++spilled_;
  } else {
    way = refine(key, cell);
  }
  if (way != way_in::refused) all_.push_back(key);
  return way;
}

way_in planned_table::refine(u64 key, u32 cell) {
  const u32 virtuals = config_.virtuals, last = spilled_mapping(config_);
  const u32 mapping = parts_of(value(cell), config_).mapping;
  const cell_buckets now = cell_buckets::of(cell, mapping, virtuals, view_);
  std::vector<own_key> own;
  for (u32 p = 0; p < virtuals; ++p) {
    for (u32 i = 0; now.first(p) == p && i < config_.bucket; ++i) {
      const u32 slot = now.at[p] * config_.bucket + i;
      if (slots_[slot] != nothing && place(slots_[slot]).cell == cell) own.push_back({slots_[slot], slot});
    }
  }
  own.push_back({key, comes});
  for (u32 tried = 0; tried < last; ++tried) {
    const u32 to = (mapping + tried) % last;
    const cell_buckets buckets = cell_buckets::of(cell, to, virtuals, view_);
    if (!buckets.all_differ(virtuals)) continue;
    const std::vector<u32> rooms = rooms_of(cell, buckets);
    for (u32 offset = 0; offset < virtuals; ++offset) {
      if (!std::ranges::equal(wanted_of(own, to, offset), rooms, std::ranges::less_equal{})) continue;
      move(cell, own, to, offset);
      return tried == 0 ? way_in::by_offset : way_in::by_mapping;
    }
  }
  // The last mapping, with the offset by which fewest find no room.
  const std::vector<u32> rooms = rooms_of(cell, cell_buckets::of(cell, last, virtuals, view_));
  u32 best = 0, least_over = ~0u;
  for (u32 offset = 0; offset < virtuals; ++offset) {
    const std::vector<u32> wanted = wanted_of(own, last, offset);
    u32 over = 0;
    for (u32 p = 0; p < virtuals; ++p) over += wanted[p] > rooms[p] ? wanted[p] - rooms[p] : 0;
    if (over < least_over) least_over = over, best = offset;
  }
  return move(cell, own, last, best) ? way_in::by_last_mapping : way_in::refused;
}

std::vector<u32> planned_table::wanted_of(const std::vector<own_key>& own, u32 mapping, u32 offset) const {
  std::vector<u32> wanted(config_.virtuals);
  for (const own_key& one : own)
    ++wanted[(virtual_of(place(one.key).own, mapping, config_.virtuals) + offset) % config_.virtuals];
  return wanted;
}

std::vector<u32> planned_table::rooms_of(u32 cell, const cell_buckets& buckets) const {
  std::vector<u32> rooms(config_.virtuals);
  for (u32 p = 0; p < config_.virtuals; ++p)
    for (u32 i = 0; i < config_.bucket; ++i) {
      const u64 there = slots_[u64{buckets.at[p]} * config_.bucket + i];
      rooms[p] += there == nothing || place(there).cell == cell;
    }
  return rooms;
}

bool planned_table::move(u32 cell, const std::vector<own_key>& own, u32 mapping, u32 offset) {
  const bool is_last = mapping == spilled_mapping(config_);
  const planned_table before = is_last ? *this : planned_table(config_, 1);  // of other mappings all find room
  const cell_buckets buckets = cell_buckets::of(cell, mapping, config_.virtuals, view_);
  const auto to = [&](const own_key& one) {
    return buckets.at[(virtual_of(place(one.key).own, mapping, config_.virtuals) + offset) % config_.virtuals];
  };
  const auto stays = [&](const own_key& one) { return one.slot != comes && one.slot / config_.bucket == to(one); };
  for (const own_key& one : own)
    if (one.slot != comes && !stays(one)) slots_[one.slot] = nothing;
  values_[cell] = mapping * config_.virtuals + offset;
  for (const own_key& one : own) {
    if (stays(one)) continue;
    if (!is_full(to(one))) {
      put(to(one), one.key);
      continue;
    }
    if (spilled_ == most_spilled()) {
      *this = before;
      return false;
    }
    put_into_spill(one.key), ++spilled_;
  }
  return true;
}

}  // namespace pivotscope
