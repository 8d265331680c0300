#include "core/families/ordered/ordered_model.hpp"

#include <algorithm>
#include <array>

#include "core/families/ordered/build_steps.hpp"
#include "core/families/ordered/mapping.hpp"
#include "core/families/ordered/pivot_levels.hpp"
#include "core/families/ordered/rank_counts.hpp"
#include "core/families/ordered/tree_nodes.hpp"

namespace pivotscope {
namespace {

static_assert(ordered_region::entries == main_region);

std::array<region_info, 3> regions_of(const ordered_config& config, const index_shape& shape) {
  const u32 key = key_bytes(config.keys), entry = entry_bytes(config);
  const bool soa = config.layout == entry_layout::soa;
  const cell_field key_field{"key", 0, key, field_kind::key};
  region_info entries{"entries", "entries", "entry", "entries", "", shape.entry_slots, entry, {key_field}, {}};
  region_info rows{"rows",     "row ids", "row id", "row ids", "", 0, 4, {{"row id", 0, 4, field_kind::row_id}},
                   main_region};
  region_info pivots{"pivots", "pivots", "pivot", "pivots", "", shape.pivot_slots, key, {key_field}, {}};
  if (soa) {
    entries.title = "keys";
    entries.meaning =
        "The array of keys, slot by slot, as it lies in memory. The row ids are in an array of their own.";
    rows.cells = shape.entry_slots;
  } else {
    entries.meaning = "The array of entries, slot by slot, as it lies in memory: a key, and its row id beside it.";
    entries.fields.push_back({"row id", key, 4, field_kind::row_id});
    if (entry > key + 4) entries.fields.push_back({"padding", key + 4, entry - key - 4, field_kind::padding});
  }
  rows.meaning = "The row ids, in the same order as the keys: read once, when the key is found.";
  pivots.meaning =
      "The pivot buffer: the keys that the search compares with, level by level. It lies in memory, before the "
      "entries.";
  return {entries, rows, pivots};
}

class ordered_model final : public index_model, public index_ranks {
 public:
  ordered_model(const ordered_config& config, u64 keys)
      : config_(config),
        shape_(make_shape(config, keys)),
        pins_(plan_pins(config, shape_)),
        regions_(regions_of(config, shape_)) {}

  u64 keys() const override { return shape_.keys; }
  u32 levels() const override { return shape_.levels; }
  std::span<const region_info> regions() const override { return regions_; }

  cell_info describe(region_id region, u64 cell) const override {
    if (cell >= regions_[static_cast<std::size_t>(region)].cells) return {};
    const bool pivot = region == ordered_region::pivots;
    const u64 rank = pivot ? pivot_rank(config_, shape_, cell) : entry_rank(config_, shape_, cell);
    return {rank == no_rank, rank, pivot ? pivot_level(config_, shape_, cell) : entry_level(config_, shape_, cell)};
  }
  void count_levels(region_id region, u64 first, u64 end, u64* out) const override {
    pivotscope::count_levels(config_, shape_, region, first, end, out);
  }
  std::optional<cell_run> level_run(u32 level) const override {
    const auto run = level_slots(config_, shape_, level);
    return run.contiguous ? std::optional(cell_run{run.array, run.first, run.count}) : std::nullopt;
  }

  u64 node_count() const override { return count_nodes(config_, shape_); }
  std::vector<tree_node> nodes() const override { return make_nodes(config_, shape_); }
  std::optional<stored_levels> optional_levels() const override { return pivot_levels_of(config_, shape_); }
  index_config keep_levels(index_config config, u32 kept) const override {
    const auto levels = optional_levels();
    return levels ? index_config(keep_pivot_levels(config, kept, levels->whole())) : config;
  }
  std::vector<missing_node> left_out() const override { return trimmed_nodes(config_, shape_); }

  std::optional<pinned_cells> pinned() const override {
    if (config_.pin == pin_kind::none) return std::nullopt;
    pinned_cells pinned{{}, pins_.whole, pins_.levels, key_bytes(config_.keys), config_.scratch};
    for (u32 i = 0; i < pins_.total; ++i) pinned.cells.push_back(pinned_cell(i));
    return pinned;
  }
  cell_ref pinned_cell(u32 i) const override {
    const pinned_slot from = pin_source(config_, shape_, pins_, i);
    return {from.array, from.slot};
  }
  lookup_lanes lanes() const override { return {config_.lanes, keys_per_lane(config_)}; }

  std::vector<pass_info> build_passes() const override { return passes_of(config_, shape_); }
  build_step step_of_build(u32 pass, u64 slot) const override {
    return pivotscope::step_of_build(config_, shape_, pass, slot);
  }

  const index_ranks* ranks() const override { return this; }
  u64 count() const override { return shape_.keys; }
  cell_ref cell(u64 rank) const override { return {ordered_region::entries, entry_slot(config_, shape_, rank)}; }
  std::optional<u64> cell_in(region_id region, u64 rank) const override {
    if (rank >= shape_.keys || regions_[static_cast<std::size_t>(region)].cells == 0) return std::nullopt;
    if (region != ordered_region::pivots) return entry_slot(config_, shape_, rank);
    const u64 slot = pivot_slot(config_, shape_, rank);
    return slot == no_slot ? std::nullopt : std::optional(slot);
  }
  void count_levels(u64 first, u64 end, u64* out) const override {
    if (ascend_along(ordered_region::entries)) return count_levels(ordered_region::entries, first, end, out);
    std::fill(out, out + max_levels, 0);
    for (u32 level = 0; level < shape_.levels; ++level) {
      out[level] =
          ranks_on_level_below(config_, shape_, level, end) - ranks_on_level_below(config_, shape_, level, first);
    }
  }
  bool ascend_along(region_id region) const override {
    return region != ordered_region::pivots && config_.order != order_kind::eytzinger;
  }

 private:
  ordered_config config_;
  index_shape shape_;
  pin_plan pins_;
  std::array<region_info, 3> regions_;
};

}  // namespace

std::shared_ptr<const index_model> make_ordered_model(const ordered_config& config, u64 keys) {
  return std::make_shared<const ordered_model>(config, keys);
}

}  // namespace pivotscope
