#include "viz/cells/cells.hpp"

#include <utility>

namespace pivotscope::viz {
namespace {

class by_rank final : public cell_row {
 public:
  explicit by_rank(std::shared_ptr<const index_model> model) : model_(std::move(model)), ranks_(*model_->ranks()) {}

  u64 count() const override { return ranks_.count(); }
  cell_place at(u64 cell) const override { return place_of(*model_, ranks_.cell(cell)); }
  void count_levels(u64 first, u64 end, u64* out) const override { ranks_.count_levels(first, end, out); }
  bool in_memory() const override { return false; }
  double stride() const override { return 0; }
  std::span<const cell_field> fields() const override { return {}; }
  bool left_ascends() const override { return true; }
  std::optional<u64> cell_of_slot(region_id array, u64 slot) const override {
    const u64 rank = model_->describe(array, slot).rank;
    return rank == no_rank ? std::nullopt : std::optional(rank);
  }
  std::optional<u64> cell_of_rank(u64 rank) const override {
    return rank < ranks_.count() ? std::optional(rank) : std::nullopt;
  }

 private:
  std::shared_ptr<const index_model> model_;
  const index_ranks& ranks_;
};

class by_slot final : public cell_row {
 public:
  by_slot(std::shared_ptr<const index_model> model, region_id region)
      : model_(std::move(model)), id_(region), region_(model_->region(region)) {}

  u64 count() const override { return region_.cells; }
  cell_place at(u64 cell) const override { return place_of(*model_, {id_, cell}); }
  void count_levels(u64 first, u64 end, u64* out) const override { model_->count_levels(id_, first, end, out); }
  bool in_memory() const override { return true; }
  double stride() const override { return static_cast<double>(region_.cell_bytes) / region_.cells_a_pack; }
  std::span<const cell_field> fields() const override { return region_.fields; }
  const region_info* in_bits() const override { return region_.bits.empty() ? nullptr : &region_; }
  bool left_ascends() const override {
    return model_->ranks() ? model_->ranks()->ascend_along(id_) : id_ == main_region;
  }
  std::optional<u64> cell_of_slot(region_id array, u64 slot) const override {
    return array == id_ && slot < region_.cells ? std::optional(slot) : std::nullopt;
  }
  std::optional<u64> cell_of_rank(u64 rank) const override {
    return model_->ranks() ? model_->ranks()->cell_in(id_, rank) : std::nullopt;
  }

 private:
  std::shared_ptr<const index_model> model_;
  region_id id_;
  const region_info& region_;
};

}  // namespace

cell_place place_of(const index_model& model, cell_ref at) {
  const cell_info info = model.describe(at.region, at.cell);
  const bool by_slot = !model.ranks() && at.region == main_region && !info.empty;
  const cell_state state = info.empty ? cell_state::empty : cell_state::live;
  return {at.region, at.cell, state, info.rank, info.level, by_slot ? at.cell : info.rank};
}

bool holds_key(const index_model& model, const cell_place& place) {
  return place.has_key() && model.region(place.array).has(field_kind::key);
}

bool has_cells(const index_model& model) {
  return model.keys() > 0 || (model.cells_tell() && model.region(main_region).cells > 0);
}

std::unique_ptr<cell_row> sorted_row(std::shared_ptr<const index_model> model) {
  return std::make_unique<by_rank>(std::move(model));
}
std::unique_ptr<cell_row> region_row(std::shared_ptr<const index_model> model, region_id region) {
  return std::make_unique<by_slot>(std::move(model), region);
}

}  // namespace pivotscope::viz
