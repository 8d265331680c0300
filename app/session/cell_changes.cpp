#include "app/session/cell_changes.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "core/common/answers.hpp"
#include "core/index/index_reader.hpp"

namespace pivotscope {
namespace {

constexpr u64 most_bytes = 32ull << 20;  // of a state
constexpr std::size_t most_moves = 512;

// What the main region's cells hold.
class cells_of {
 public:
  explicit cells_of(const stored_index& index) {
    const std::shared_ptr<const index_model> model = model_of(index);
    for (const region_info& info : model->regions()) shape_.push_back(info.cells == 0 ? 0 : info.cell_bytes);
    const region_info& main = model->region(main_region);
    if (main.cells == 0 || main.bytes() > most_bytes) return;
    index_reader reader(index);
    values_.resize(main.cells);
    there_ = model->values_of({main_region, 0, main.cells}, std::ref(reader), values_);
  }

  bool there() const { return there_; }
  bool like(const cells_of& other) const { return shape_ == other.shape_; }
  u64 count() const { return values_.size(); }
  bool same(const cells_of& other, u64 cell) const { return values_[cell] == other.values_[cell]; }
  // Key and row id; false: there is none, or it was erased.
  bool entry(u64 cell, std::pair<u64, u64>& out) const {
    const cell_value& value = values_[cell];
    out = {value.key.value_or(0), value.row.value_or(not_found)};
    return value.key && is_live_row(static_cast<u32>(out.second));
  }

 private:
  std::vector<u32> shape_;  // bytes of the cells of each region
  std::vector<cell_value> values_;
  bool there_ = false;
};

}  // namespace

std::shared_ptr<const viz::cell_changes> changes_between(const stored_index& before, const stored_index& now) {
  const cells_of old(before), fresh(now);
  if (!old.there() || !fresh.there() || !old.like(fresh)) return nullptr;
  auto changes = std::make_shared<viz::cell_changes>();
  std::map<std::pair<u64, u64>, u64> left;  // entries of changed cells, and where they were
  std::pair<u64, u64> entry;
  const u64 both = std::min(old.count(), fresh.count());
  for (u64 cell = 0; cell < fresh.count(); ++cell) {
    if (cell < both ? old.same(fresh, cell) : !fresh.entry(cell, entry)) continue;
    changes->cells.push_back(cell);
    if (cell < both && old.entry(cell, entry) && left.size() < most_moves) left[entry] = cell;
  }
  for (u64 cell = both; cell < old.count() && left.size() < most_moves; ++cell)
    if (old.entry(cell, entry)) left[entry] = cell;
  for (const u64 cell : changes->cells) {
    if (!fresh.entry(cell, entry)) continue;
    if (const auto was = left.find(entry); was != left.end() && was->second != cell)
      changes->moved.emplace_back(was->second, cell);
  }
  return changes;
}

}  // namespace pivotscope
