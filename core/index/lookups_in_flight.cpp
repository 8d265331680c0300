#include "core/index/lookups_in_flight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace pivotscope {

namespace {

std::string explain(std::string_view value) {
  return value == "1" ? "A group of lanes serves one lookup after another."
                      : fmt::format("The loads of {} lookups are on the way at once, for more registers.", value);
}

}  // namespace

axis in_flight_axis(std::string (*get)(const index_config&), bool (*set)(index_config&, std::string_view)) {
  return {"flight",
          "Lookups in flight",
          "Lookups of a thread that a GPU serves in step: a power of two that divides all of a thread's.",
          {"1", "2", "4", "8"},
          std::pair{1u, most_lookups_in_flight},
          get,
          set,
          explain};
}

std::optional<std::string> check_in_flight(u32 flight, u32 per_thread) {
  if (flight < 1 || flight > most_lookups_in_flight || !std::has_single_bit(flight))
    return fmt::format("flight={} is not 1, 2, 4 or {}", flight, most_lookups_in_flight);
  if (per_thread % flight != 0)
    return fmt::format("flight={} needs a multiple of it as per_thread: so many lookups of a thread are served in step",
                       flight);
  return std::nullopt;
}

void accept_in_flight(u32& flight, u32& per_thread, std::string_view keep) {
  flight = std::bit_floor(std::clamp(flight, 1u, most_lookups_in_flight));
  if (keep == "flight") {
    per_thread = ceil_div(per_thread, flight) * flight;
  } else {
    while (per_thread % flight != 0) flight /= 2;
  }
}

std::optional<std::string> check_group_in_flight(u32 flight, u32 lanes) {
  if (flight * lanes <= wave_lookups) return std::nullopt;
  return fmt::format(
      "flight={} with lanes={} is {} lookups in step, and a GPU serves at most {} so: take flight={} or lanes={}",
      flight, lanes, flight * lanes, wave_lookups, wave_lookups / lanes, wave_lookups / flight);
}

void accept_group_in_flight(u32& flight, u32& lanes, std::string_view keep) {
  if (flight * lanes <= wave_lookups) return;
  u32& given_up = keep == "flight" ? lanes : flight;
  const u32 kept = keep == "flight" ? flight : lanes;
  given_up = wave_lookups / kept;
}

}  // namespace pivotscope
