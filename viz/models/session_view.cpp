#include "viz/models/session_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/index/cell_state.hpp"
#include "core/sweep/sweep_folder.hpp"
#include "viz/models/reads.hpp"

namespace pivotscope::viz {

bool sweep_result::measures(const pivotscope::sweep& other, u32 other_scale, machine_kind on) const {
  if (!of || kind != on || scale != other_scale) return false;
  return head_of(*of, scale, {}).rows == head_of(other, scale, {}).rows;
}

void written_pages::show(std::shared_ptr<const index_model> model, const lookup_trace* trace, u32 step) {
  model_ = std::move(model);
  trace_ = trace && trace->write ? trace : nullptr;
  step_ = step;
  pages_.clear();
}

const std::vector<std::byte>* written_pages::page(region_id array, u64 number) {
  const std::vector<std::byte>* bytes = under_.page(array, number);
  if (!bytes || !trace_) return bytes;
  const auto known = pages_.find({array, number});
  if (known != pages_.end()) return &known->second;
  std::vector<std::byte> written = *bytes;
  if (!write_over(*model_, *trace_, step_, array, number * page_bytes, written)) return bytes;
  return &(pages_[{array, number}] = std::move(written));
}

bool read_into(const built_index& index, slot_source& source, region_id array, u64 offset, std::span<std::byte> out) {
  if (offset + out.size() > index.bytes(array)) return false;
  bool whole = true;
  for (u64 done = 0; done < out.size();) {
    const u64 number = (offset + done) / slot_source::page_bytes, within = (offset + done) % slot_source::page_bytes;
    const std::vector<std::byte>* page = source.page(array, number);
    const u64 here = std::min(out.size() - done, slot_source::page_bytes - within);
    if (!page || page->size() < within + here)
      whole = false;
    else
      std::memcpy(out.data() + done, page->data() + within, here);
    done += here;
  }
  return whole;
}

std::vector<std::byte> read_bytes(const built_index& index, slot_source& source, region_id array, u64 offset,
                                  u64 count) {
  std::vector<std::byte> out(offset + count > index.bytes(array) ? 0 : count);
  return read_into(index, source, array, offset, out) ? out : std::vector<std::byte>{};
}

region_reader reader_of(const built_index& index, slot_source& source) {
  return [&index, &source](region_id array, u64 offset, std::span<std::byte> out) {
    return read_into(index, source, array, offset, out);
  };
}

std::optional<slot_content> read_slot(const index_model& model, const built_index& index, slot_source& source,
                                      region_id array, u64 slot) {
  if (!model.region(array).has(field_kind::key)) return std::nullopt;
  const std::optional<cell_value> value = model.value_of({array, slot}, reader_of(index, source));
  return value && value->key ? std::optional(slot_content{*value->key, value->row}) : std::nullopt;
}

std::optional<u32> read_row(const index_model& model, const built_index& index, slot_source& source, cell_ref at) {
  const std::optional<cell_value> value = model.value_of(at, reader_of(index, source));
  return value ? value->row : std::nullopt;
}

std::string row_words(u32 row) {
  const cell_state state = state_of_row(row);
  return state == cell_state::live ? fmt::format("row {}", row) : state_name(state);
}

}  // namespace pivotscope::viz
