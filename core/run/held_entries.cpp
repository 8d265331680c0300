#include "core/run/held_entries.hpp"

#include <algorithm>
#include <cstring>

#include "core/index/model.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

// One field of a region's cells, some cells at a time.
class field_reader {
 public:
  field_reader(const stored_index& index, region_id region, const region_info& info, const cell_field& field)
      : index_(&index), region_(region), cell_bytes_(info.cell_bytes), field_(field) {}

  status read(u64 first, u64 count) {
    bytes_.resize(count * cell_bytes_);
    return index_->read(region_, first * cell_bytes_, bytes_);
  }
  u64 operator[](u64 i) const {
    u64 value = 0;  // little-endian, as every machine here
    std::memcpy(&value, bytes_.data() + i * cell_bytes_ + field_.offset, std::min<std::size_t>(field_.bytes, 8));
    return value;
  }

 private:
  const stored_index* index_;
  region_id region_;
  u32 cell_bytes_;
  cell_field field_;
  std::vector<std::byte> bytes_;
};

// The region whose cells have the field: the main one, or one that lies beside it.
std::optional<field_reader> reader_of(const stored_index& index, const index_model& model, field_kind kind) {
  for (std::size_t i = 0; i < model.regions().size(); ++i) {
    const region_id id{static_cast<u8>(i)};
    const region_info& info = model.region(id);
    const cell_field* const field = info.field(kind);
    if (field != nullptr && (id == main_region || info.beside == main_region))
      return field_reader(index, id, info, *field);
  }
  return std::nullopt;
}

}  // namespace

outcome<std::vector<held_entry>> held_entries(const stored_index& index, const job_control& control) {
  constexpr u64 at_once = 1 << 16;
  const std::shared_ptr<const index_model> model = model_of(index);
  std::optional<field_reader> keys = reader_of(index, *model, field_kind::key),
                              rows = reader_of(index, *model, field_kind::row_id);
  PIVOTSCOPE_EXPECT(keys && rows);                     // every family's cells say where their key and their row id are
  const u64 cells = model->region(main_region).cells;  // of a region that has room for more, those in use
  if (status enough = check_host_memory(cells * sizeof(held_entry), "an index's entries"); !enough)
    return enough.error();
  std::vector<held_entry> held;
  for (u64 first = 0; first < cells; first += at_once) {
    if (control.cancelled()) return job_control::cancelled_problem();
    control.progress("reading the index", static_cast<double>(first) / static_cast<double>(cells));
    const u64 count = std::min(at_once, cells - first);
    if (status read = keys->read(first, count); !read) return read.error();
    if (status read = rows->read(first, count); !read) return read.error();
    for (u64 i = 0; i < count; ++i)
      if (const u32 row = static_cast<u32>((*rows)[i]); is_live_row(row)) held.push_back({(*keys)[i], row});
  }
  return held;
}

}  // namespace pivotscope
