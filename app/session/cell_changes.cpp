#include "app/session/cell_changes.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "core/common/answers.hpp"
#include "core/index/family.hpp"

namespace pivotscope {
namespace {

constexpr u64 most_bytes = 32ull << 20;  // of a state
constexpr std::size_t most_moves = 512;

// The main region's cells, with those that lie beside them.
class cells_of {
 public:
  explicit cells_of(const stored_index& index) : model_(model_of(index)) {
    for (std::size_t i = 0; i < model_->regions().size(); ++i) {
      const region_info& info = model_->regions()[i];
      const auto id = static_cast<region_id>(i);
      if ((id != main_region && info.beside != main_region) || info.cells == 0) continue;
      columns_.push_back({&info, {}});
      if (info.cells * info.cell_bytes > most_bytes) return;
      columns_.back().bytes.resize(info.cells * info.cell_bytes);
      if (!index.read(id, 0, columns_.back().bytes)) return;
    }
    there_ = !columns_.empty();
  }

  bool there() const { return there_; }
  u64 count() const { return columns_.front().info->cells; }
  std::size_t columns() const { return columns_.size(); }
  bool same(const cells_of& other, u64 cell) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const u32 bytes = columns_[i].info->cell_bytes;
      if (std::memcmp(columns_[i].bytes.data() + cell * bytes, other.columns_[i].bytes.data() + cell * bytes, bytes) !=
          0)
        return false;
    }
    return true;
  }
  // Key and row id; false: there is none, or it was erased.
  bool entry(u64 cell, std::pair<u64, u64>& out) const {
    out.second = not_found;
    const bool read = field(field_kind::row_id, cell, out.second) && field(field_kind::key, cell, out.first);
    return read && is_live_row(static_cast<u32>(out.second));
  }

 private:
  struct column {
    const region_info* info;
    std::vector<std::byte> bytes;
  };

  bool field(field_kind kind, u64 cell, u64& out) const {
    for (const column& c : columns_) {
      const cell_field* const field = c.info->field(kind);
      if (!field) continue;
      out = 0;
      std::memcpy(&out, c.bytes.data() + cell * c.info->cell_bytes + field->offset, field->bytes);
      return true;
    }
    return false;
  }

  std::shared_ptr<const index_model> model_;
  std::vector<column> columns_;
  bool there_ = false;
};

}  // namespace

std::shared_ptr<const viz::cell_changes> changes_between(const stored_index& before, const stored_index& now) {
  const cells_of old(before), fresh(now);
  if (!old.there() || !fresh.there() || old.columns() != fresh.columns()) return nullptr;
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
