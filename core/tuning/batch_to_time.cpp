#include "core/tuning/batch_to_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/index/family.hpp"

namespace pivotscope {
namespace {

constexpr u64 least_enough = 1ull << 16, most_enough = 1ull << 20, least_ranges = 1ull << 10;
// A GPU has thousands of lookups on the way at once, and a larger cache.
constexpr u64 times_on_a_gpu = 16;
// Fewer than enough by this tell nothing.
constexpr u64 margin = 16;
// Entries of a range that take as long as a lookup's way down.
constexpr u64 entries_a_lookup = 4;
// Keys that a search from end to end may compare in a batch that nobody asked for: a third of a second on a processor.
constexpr u64 most_compared = 1ull << 30;

u64 lookups_in(const batch_extent& of) {
  return of.kind == operation::range ? std::max<u64>(1, of.range_entries / entries_a_lookup) : 1;
}

u64 enough_lookups(const batch_extent& of) {
  const u64 keys = std::bit_ceil(std::clamp(of.keys, least_enough, most_enough));
  return of.on == machine_kind::cuda ? keys * times_on_a_gpu : keys;
}

}  // namespace

batch_extent extent_of(const workload& load, machine_kind on) {
  return {load.keys, operation_of(load), batch_size(load), load.ranges != 0 ? load.range_hits : 0, on};
}

u64 enough_to_time(const batch_extent& of) {
  const u64 lookups = enough_lookups(of), each = lookups_in(of);
  return each == 1 ? lookups : std::max(least_ranges, std::bit_floor(lookups / each));
}

u64 least_to_time(const batch_extent& of) {
  return std::max<u64>(1, std::bit_floor(enough_lookups(of) / margin / lookups_in(of)));
}

u64 usual_batch(const workload& load, const index_config& config, machine_kind on) {
  if (load.keys <= most_keys_to_look_at) return lookups_to_look_at;
  const u64 enough = enough_to_time(extent_of(load, on));
  if (load.keys <= family_of(config).sensible_keys(config)) return enough;
  return std::clamp(std::bit_floor(most_compared / load.keys), lookups_to_look_at, enough);
}

std::string too_few_to_time(const batch_extent& of) {
  const u64 least = least_to_time(of);
  if (of.operations == 0 || of.operations >= least) return "";
  const bool one = of.operations == 1;
  return fmt::format(
      "{} {} over {} key{} {} too few to time: a run is over before a clock can tell, and finds in the caches what the "
      "run before it read. From {} on they tell",
      count_text(of.operations), one ? info_of(of.kind).one : operation_noun(of.kind), count_text(of.keys),
      of.keys == 1 ? "" : "s", one ? "is" : "are", count_text(least));
}

}  // namespace pivotscope
