#include "core/families/gph/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace pivotscope {

key_place gph_cell_choices::place(u64 key) const {
  return config_.keys == key_width::u32 ? place_of(static_cast<u32>(key), table_) : place_of(key, table_);
}

std::optional<std::vector<u64>> gph_cell_choices::live_keys(u32 bucket, const region_reader& read) const {
  std::vector<cell_value> values(config_.bucket);
  if (!model_.values_of({main_region, u64{bucket} * config_.bucket, config_.bucket}, read, values)) return std::nullopt;
  std::vector<u64> keys;
  for (const cell_value& value : values)
    if (value.key && value.row && is_live_row(*value.row)) keys.push_back(*value.key);
  return keys;
}

std::optional<gph_cell_choices> gph_cell_choices::of(const gph_config& config, const gph_view& table,
                                                     const index_model& model, u64 key, const region_reader& read) {
  if (!is_perfect(config)) return std::nullopt;
  gph_cell_choices of(config, table, model);
  of.key_ = key, of.cell_ = of.place(key).cell;
  std::byte bytes[4]{};
  const u32 size = config.bits / 8;
  if (!read(gph_region::cells, u64{of.cell_} * size, std::span(bytes).first(size))) return std::nullopt;
  std::memcpy(&of.value_, bytes, 4);
  const cell_buckets now = cell_buckets::of(of.cell_, parts_of(of.value_, config).mapping, config.virtuals, table);
  for (u32 p = 0; p < config.virtuals; ++p) {
    if (now.first(p) != p) continue;
    const auto keys = of.live_keys(now.at[p], read);
    if (!keys) return std::nullopt;
    for (const u64 other : *keys)
      if (of.place(other).cell == of.cell_) of.keys_.push_back(other);
  }
  of.comes_ = std::ranges::find(of.keys_, key) == of.keys_.end();
  if (of.comes_) of.keys_.push_back(key);
  return of;
}

std::optional<u32> gph_cell_choices::others_in(u32 bucket, const region_reader& read) const {
  const auto keys = live_keys(bucket, read);
  if (!keys) return std::nullopt;
  return static_cast<u32>(std::ranges::count_if(*keys, [&](u64 key) { return place(key).cell != cell_; }));
}

place_counts gph_cell_choices::wanted_of(u32 mapping) const {
  place_counts wanted;
  for (const u64 key : keys_) wanted.add(virtual_of(place(key).own, mapping, config_.virtuals));
  return wanted;
}

std::optional<value_choices> gph_cell_choices::all(const region_reader& read) const {
  const u32 virtuals = config_.virtuals;
  value_choices list;
  list.cell = fmt::format("cell {}", cell_);
  list.keys = comes_ ? fmt::format("its {} keys, and {}, which is not there", keys_.size() - 1, key_)
                     : fmt::format("its {} keys", keys_.size());
  list.row = "offset", list.column = "mapping";
  list.rows = virtuals, list.columns = columns(), list.all_columns = mappings(config_);
  list.kinds.assign(u64{list.rows} * list.columns, value_choices::fits);
  list.left_over.assign(list.kinds.size(), 0);
  const cell_says now = parts_of(value_, config_);
  list.now = now.mapping < list.columns ? list.square(now.offset, now.mapping) : list.rows * list.columns;
  for (u32 mapping = 0; mapping < list.columns; ++mapping) {
    const place_counts wanted = wanted_of(mapping);
    const cell_buckets buckets = cell_buckets::of(cell_, mapping, virtuals, table_);
    const bool is_last = mapping == spilled_mapping(config_);
    const bool crowded = !wanted.fit({place_counts::all(virtuals, config_.bucket)}, virtuals);
    place_counts rooms;
    for (u32 p = 0; p < virtuals; ++p) {
      if (buckets.first(p) != p) continue;  // what two places share, the first one gives
      const auto others = others_in(buckets.at[p], read);
      if (!others) return std::nullopt;
      rooms.add(p, config_.bucket - *others);
    }
    for (u32 offset = 0; offset < virtuals; ++offset) {
      place_counts come;
      const place_counts moved = wanted.moved_by(offset, virtuals);
      for (u32 p = 0; p < virtuals; ++p) come.add(buckets.first(p), moved.of(p));
      u32 over = 0;
      for (u32 p = 0; p < virtuals; ++p) over += come.of(p) > rooms.of(p) ? come.of(p) - rooms.of(p) : 0;
      const u32 square = list.square(offset, mapping);
      list.left_over[square] = static_cast<u8>(std::min(over, 255u));
      list.kinds[square] = is_last                         ? value_choices::last_resort
                           : crowded                       ? value_choices::crowded
                           : !buckets.all_differ(virtuals) ? value_choices::twice
                           : over > 0                      ? value_choices::no_room
                                                           : value_choices::fits;
    }
  }
  return list;
}

std::vector<choice_place> gph_cell_choices::places_of(u32 square, const region_reader& read) const {
  const u32 virtuals = config_.virtuals, mapping = square % columns(), offset = square / columns();
  const place_counts moved = wanted_of(mapping).moved_by(offset, virtuals);
  const cell_buckets buckets = cell_buckets::of(cell_, mapping, virtuals, table_);
  std::vector<choice_place> list;
  for (u32 p = 0; p < virtuals; ++p) {
    const auto others = others_in(buckets.at[p], read);
    if (!others) return {};
    list.push_back({.bucket = buckets.at[p],
                    .others = *others,
                    .keys = moved.of(p),
                    .slots = config_.bucket,
                    .words = fmt::format("virtual bucket {}", (p + virtuals - offset) % virtuals)});
  }
  return list;
}

}  // namespace pivotscope
