#include "viz/cells/old_array_row.hpp"

#include <utility>

namespace pivotscope::viz {
namespace {

class old_array final : public cell_row {
 public:
  old_array(std::shared_ptr<const index_model> model, std::shared_ptr<const batch_merge> merge)
      : model_(std::move(model)), merge_(std::move(merge)) {}

  u64 count() const override { return merge_->before(); }
  cell_place at(u64 cell) const override {
    const path_step step = merge_->at_entry(cell);
    return step.makes_slot() ? place_of(*model_, {main_region, step.slot()}) : cell_place{};
  }
  bool there(u64 cell) const override { return merge_->at_entry(cell).makes_slot(); }
  // Of the slots that these cells were merged into, in constant time: inserts between them count as well.
  void count_levels(u64 first, u64 end, u64* out) const override {
    model_->count_levels(main_region, slots_before(first), slots_before(end), out);
  }
  bool in_memory() const override { return false; }
  double stride() const override { return 0; }
  std::span<const cell_field> fields() const override { return {}; }
  bool left_ascends() const override { return true; }
  std::optional<u64> cell_of_slot(region_id array, u64 slot) const override {
    return array == main_region ? cell_of_rank(slot) : std::nullopt;
  }
  std::optional<u64> cell_of_rank(u64 rank) const override {
    if (rank >= merge_->after()) return std::nullopt;
    const path_step step = merge_->at_slot(rank);
    return step.part == path_part::keep ? std::optional(step.entries) : std::nullopt;
  }

 private:
  u64 slots_before(u64 cell) const { return cell < merge_->before() ? merge_->at_entry(cell).slot() : merge_->after(); }

  std::shared_ptr<const index_model> model_;
  std::shared_ptr<const batch_merge> merge_;
};

}  // namespace

std::unique_ptr<cell_row> old_array_row(std::shared_ptr<const index_model> model,
                                        std::shared_ptr<const batch_merge> merge) {
  return std::make_unique<old_array>(std::move(model), std::move(merge));
}

}  // namespace pivotscope::viz
