#include "core/families/ordered/mapping.hpp"

#include "core/families/ordered/dispatch.hpp"

namespace pivotscope {

index_shape make_shape(const ordered_config& config, u64 keys) {
  const dynamic_config dynamic{config};
  return with_order(dynamic, [&](auto order) { return order.shape(dynamic, keys); });
}
const index_shape& shape_of(const stored_index& index) { return index.state_as<ordered_view>().shape; }

u64 entry_rank(const ordered_config& config, const index_shape& shape, u64 slot) {
  const dynamic_config dynamic{config};
  return with_order(dynamic, [&](auto order) { return order.entry_source(dynamic, shape, slot); });
}
u64 pivot_rank(const ordered_config& config, const index_shape& shape, u64 slot) {
  const dynamic_config dynamic{config};
  return with_order(dynamic, [&](auto order) { return order.pivot_source(dynamic, shape, slot); });
}
u64 entry_slot(const ordered_config& config, const index_shape& shape, u64 rank) {
  const dynamic_config dynamic{config};
  return with_order(dynamic, [&](auto order) { return order.entry_slot(dynamic, shape, rank); });
}
u64 entry_turn(const ordered_config& config, const index_shape& shape, u64 slot) {
  const u64 rank = entry_rank(config, shape, slot);
  if (rank != no_rank) return rank;
  const dynamic_config dynamic{config};
  u64 i = shape.keys;  // few are empty
  while (with_order(dynamic, [&](auto order) { return order.entry_turn(dynamic, shape, i).slot; }) != slot) ++i;
  return i;
}
u64 pivot_slot(const ordered_config& config, const index_shape& shape, u64 rank) {
  const dynamic_config dynamic{config};
  return with_order(dynamic, [&](auto order) {
    if constexpr (decltype(order)::has_pivots)
      return rank + 1 < shape.keys ? decltype(order)::pivot_slot(dynamic, shape, static_cast<u32>(rank)) : no_slot;
    return no_slot;
  });
}
u64 empty_pivots(const ordered_config& config, const index_shape& shape) {
  return with_order(dynamic_config{config}, [&](auto order) {
    if constexpr (decltype(order)::has_pivots) return shape.pivot_slots - decltype(order)::filled_pivots(shape);
    return u64{0};
  });
}
u64 empty_pivot_turn(const ordered_config& config, const index_shape& shape, u64 slot) {
  const dynamic_config dynamic{config};
  return with_order(dynamic, [&](auto order) {
    u64 i = 0;
    if constexpr (decltype(order)::has_pivots)
      while (decltype(order)::empty_pivot(dynamic, shape, i) != slot) ++i;
    return i;
  });
}
u32 entry_level(const ordered_config& config, const index_shape& shape, u64 slot) {
  const dynamic_config dynamic{config};
  return with_order(dynamic, [&](auto order) { return order.entry_level(dynamic, shape, slot); });
}
u32 pivot_level(const ordered_config& config, const index_shape& shape, u64 slot) {
  const dynamic_config dynamic{config};
  return with_order(dynamic, [&](auto order) { return order.pivot_level(dynamic, shape, slot); });
}

pin_plan plan_pins(const ordered_config& config, const index_shape& shape) {
  const dynamic_config dynamic{config};
  if (config.pin == pin_kind::none) return {};
  return with_order(dynamic, [&](auto order) { return order.plan_pins(dynamic, shape); });
}
pinned_slot pin_source(const ordered_config& config, const index_shape& shape, const pin_plan& plan, u32 index) {
  const dynamic_config dynamic{config};
  return with_order(dynamic, [&](auto order) { return order.pin_source(dynamic, shape, plan, index); });
}

level_run level_slots(const ordered_config& config, const index_shape& shape, u32 level) {
  const dynamic_config dynamic{config};
  level_run run;
  run.contiguous = with_order(
      dynamic, [&](auto order) { return order.level_run(dynamic, shape, level, run.array, run.first, run.count); });
  return run;
}

void count_levels(const ordered_config& config, const index_shape& shape, region_id array, u64 first, u64 end,
                  u64* out) {
  const dynamic_config dynamic{config};
  with_order(dynamic, [&](auto order) {
    for (u32 level = 0; level < max_levels; ++level) {
      out[level] = level < shape.levels ? order.count_level(dynamic, shape, array, level, first, end) : 0;
    }
  });
}

}  // namespace pivotscope
