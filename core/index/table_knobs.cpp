#include "core/index/table_knobs.hpp"

#include <fmt/format.h>

#include <bit>

#include "core/index/check.hpp"
#include "core/index/row_cells.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {
namespace {

constexpr u32 most_lanes = 32;
constexpr u32 bytes_a_load = 16;  // of scratch

u32 near_power(u32 value, u32 least, u32 most) { return std::clamp(std::bit_floor(std::max(value, 1u)), least, most); }

}  // namespace

std::string explain_layout(std::string_view value) {
  return value == "aos" ? "A key beside its row id: 32-bit keys change with their row id in one compare-and-swap."
                        : "All keys in one array, all row ids in another: a load brings twice as many keys, and a hit "
                          "takes one more.";
}

std::string room_text(u32 room) { return count_text(room); }

std::optional<u32> parse_room(std::string_view text) {
  const outcome<u64> room = parse_count(text, "room", 0, table_most_keys);
  if (!room) return std::nullopt;
  return static_cast<u32>(*room);
}

std::optional<std::string> check_room(u32 room) {
  if (room <= table_most_keys) return std::nullopt;
  return fmt::format("room={} is more than 2^31 keys, which a table has at most", room);
}

std::optional<u32> parse_scratch(std::string_view text) {
  const bool kib = text.ends_with("KiB");
  const auto value = parse_u32(kib ? text.substr(0, text.size() - 3) : text);
  if (!value || (kib && *value > greatest_scratch / 1024)) return std::nullopt;
  return kib ? *value * 1024 : *value;
}
std::optional<std::string> check_scratch(u32 bytes) {
  if (bytes <= greatest_scratch && bytes % bytes_a_load == 0) return std::nullopt;
  return fmt::format("scratch={} is not a multiple of {} bytes up to {}", scratch_text(bytes), bytes_a_load,
                     scratch_text(greatest_scratch));
}
u32 accept_scratch(u32 bytes) { return std::min(bytes, greatest_scratch) / bytes_a_load * bytes_a_load; }

std::optional<std::string> check_node(const node_knob& knob, u32 cells, u32 lanes) {
  if (lanes < 1 || lanes > most_lanes || !std::has_single_bit(lanes))
    return fmt::format("lanes={} is no power of two from 1 to {}", lanes, most_lanes);
  if (cells < knob.least || cells > knob.most || !std::has_single_bit(cells))
    return fmt::format("{}={} is no power of two from {} to {}", knob.name, cells, knob.least, knob.most);
  if (cells < lanes)
    return fmt::format("{}={} has fewer cells than there are lanes: lanes={}, and every lane needs one", knob.name,
                       cells, lanes);
  if (cells / lanes > most_cells_a_lane)
    return fmt::format("{}={} is more than {} cells for each of lanes={}", knob.name, cells, most_cells_a_lane, lanes);
  return std::nullopt;
}

void accept_node(const node_knob& knob, u32& cells, u32& lanes, std::string_view keep) {
  lanes = near_power(lanes, 1, most_lanes);
  cells = near_power(cells, knob.least, knob.most);
  if (keep == knob.name) {
    lanes = std::clamp(lanes, fewest_lanes(cells), std::min(most_lanes, cells));
  } else {
    cells = std::clamp(cells, lanes, std::min(knob.most, lanes * most_cells_a_lane));
  }
}

}  // namespace pivotscope
