#include "viz/cells.hpp"

#include <algorithm>

#include "core/index/ordered/mapping.hpp"

namespace pivotscope::viz {
namespace {

class row_of_index : public cell_row {
 public:
  explicit row_of_index(const built_index& index) : config_(index.config()), shape_(index.shape()) {}

 protected:
  index_config config_;
  index_shape shape_;
};

class by_rank final : public row_of_index {
 public:
  using row_of_index::row_of_index;
  u64 count() const override { return shape_.keys; }
  cell_place at(u64 cell) const override {
    const u64 slot = entry_slot(config_, shape_, cell);
    return {ordered_region::entries, slot, cell, entry_level(config_, shape_, slot)};
  }
  void count_levels(u64 first, u64 end, u64* out) const override {
    if (config_.order != order_kind::eytzinger) {
      pivotscope::count_levels(config_, shape_, ordered_region::entries, first, end, out);
      return;
    }
    std::fill(out, out + max_levels, 0);
    for (u32 level = 0; level < shape_.levels; ++level) {
      out[level] =
          ranks_on_level_below(config_, shape_, level, end) - ranks_on_level_below(config_, shape_, level, first);
    }
  }
  bool in_memory() const override { return false; }
  u64 stride() const override { return 0; }
  std::optional<u64> cell_of_slot(region_id array, u64 slot) const override {
    const u64 rank =
        array == ordered_region::pivots ? pivot_rank(config_, shape_, slot) : entry_rank(config_, shape_, slot);
    return rank == no_rank ? std::nullopt : std::optional(rank);
  }
  std::optional<u64> cell_of_rank(u64 rank) const override {
    return rank < shape_.keys ? std::optional(rank) : std::nullopt;
  }
};

class entries final : public row_of_index {
 public:
  using row_of_index::row_of_index;
  u64 count() const override { return shape_.entry_slots; }
  cell_place at(u64 cell) const override {
    return {ordered_region::entries, cell, entry_rank(config_, shape_, cell), entry_level(config_, shape_, cell)};
  }
  void count_levels(u64 first, u64 end, u64* out) const override {
    pivotscope::count_levels(config_, shape_, ordered_region::entries, first, end, out);
  }
  bool in_memory() const override { return true; }
  u64 stride() const override { return entry_bytes(config_); }
  std::optional<u64> cell_of_slot(region_id array, u64 slot) const override {
    return array == ordered_region::entries && slot < shape_.entry_slots ? std::optional(slot) : std::nullopt;
  }
  std::optional<u64> cell_of_rank(u64 rank) const override {
    return rank < shape_.keys ? std::optional(entry_slot(config_, shape_, rank)) : std::nullopt;
  }
};

class pivots final : public row_of_index {
 public:
  using row_of_index::row_of_index;
  u64 count() const override { return shape_.pivot_slots; }
  cell_place at(u64 cell) const override {
    return {ordered_region::pivots, cell, pivot_rank(config_, shape_, cell), pivot_level(config_, shape_, cell)};
  }
  void count_levels(u64 first, u64 end, u64* out) const override {
    pivotscope::count_levels(config_, shape_, ordered_region::pivots, first, end, out);
  }
  bool in_memory() const override { return true; }
  u64 stride() const override { return key_bytes(config_); }
  std::optional<u64> cell_of_slot(region_id array, u64 slot) const override {
    return array == ordered_region::pivots && slot < shape_.pivot_slots ? std::optional(slot) : std::nullopt;
  }
  // The pivot with this very rank, when there is one: the key is in one level only.
  std::optional<u64> cell_of_rank(u64 rank) const override {
    for (u32 level = 0; level + 1 < shape_.levels; ++level) {
      const u64 first = shape_.level_first[level], end = shape_.level_first[level + 1];
      u64 low = first, high = end;  // empty slots come last and count as greater than any rank
      while (low < high) {
        const u64 middle = low + (high - low) / 2;
        if (pivot_rank(config_, shape_, middle) < rank)
          low = middle + 1;
        else
          high = middle;
      }
      if (low < end && pivot_rank(config_, shape_, low) == rank) return low;
    }
    return std::nullopt;
  }
};

}  // namespace

u64 ranks_on_level_below(const index_config& config, const index_shape& shape, u32 level, u64 rank) {
  const level_run run = level_slots(config, shape, level);
  if (run.count == 0 || rank == 0) return 0;
  if (rank >= shape.keys) return run.count;
  // Ranks are spread over a level almost evenly: start where the proportion says and double the step until past it.
  const auto below = [&](u64 i) { return entry_rank(config, shape, run.first + i) < rank; };
  const auto guess =
      static_cast<u64>(static_cast<double>(run.count) * static_cast<double>(rank) / static_cast<double>(shape.keys));
  u64 low = 0, high = run.count;  // the answer is in [low, high]
  u64 at = std::min(guess, run.count - 1);
  if (below(at)) {
    low = at + 1;
    for (u64 step = 1; low + step < run.count; step *= 2) {
      if (!below(low + step)) {
        high = low + step;
        break;
      }
      low += step + 1;
    }
  } else {
    high = at;
    for (u64 step = 1; high >= step; step *= 2) {
      if (below(high - step)) {
        low = high - step + 1;
        break;
      }
      high -= step;
    }
  }
  low = std::min(low, high);
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    if (below(middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::unique_ptr<cell_row> sorted_row(const built_index& index) { return std::make_unique<by_rank>(index); }
std::unique_ptr<cell_row> entries_row(const built_index& index) { return std::make_unique<entries>(index); }
std::unique_ptr<cell_row> pivots_row(const built_index& index) { return std::make_unique<pivots>(index); }

}  // namespace pivotscope::viz
