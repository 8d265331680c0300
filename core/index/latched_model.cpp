#include "core/index/latched_model.hpp"

#include <fmt/format.h>

#include "core/index/cell_state.hpp"

namespace pivotscope {

std::optional<latch_in_word> claim_in(const index_model& model, region_id region, u64 byte, u64 bytes) {
  const region_info& info = model.region(region);
  if (region != main_region && info.beside != main_region) return std::nullopt;
  const u64 cell = info.cell_at(byte);
  const auto row = place_of_row(model, {main_region, cell});
  if (!row || row->region != region || row->byte_offset < byte || row->byte_offset + sizeof(u32) > byte + bytes)
    return std::nullopt;
  const u64 shift = 8 * (row->byte_offset - byte);
  return latch_in_word{.at = {main_region, cell},
                       .bits = u64{0xFFFFFFFF} << shift,
                       .name = fmt::format("entry {}", cell),
                       .value = u64{claimed_row} << shift,
                       .is_claim = true};
}

}  // namespace pivotscope
