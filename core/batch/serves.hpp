// Which operations a family's struct has. It leaves out what the family lacks, and family::lacks() says why.
#pragma once

#include "core/batch/ranges.hpp"
#include "core/simt/host.hpp"

namespace pivotscope {

template <class Family>
concept has_range = requires(dynamic_config<typename Family::config> config, host_lanes<no_recorder> lanes,
                             host_memory<no_recorder, direct_source> memory, state_view view, range_totals totals) {
  Family::range(config, lanes, memory, view, u32{}, u32{}, u64{}, totals);
};

template <class Family>
concept has_next_key = requires(dynamic_config<typename Family::config> config, host_lanes<no_recorder> lanes,
                                host_memory<no_recorder, direct_source> memory, state_view view) {
  Family::next_key(config, lanes, memory, view, u32{}, bool{});
};

template <class Family>
concept has_insert = requires(dynamic_config<typename Family::config> config, host_lanes<no_recorder> lanes,
                              host_memory<no_recorder, shared_source> memory, state_view view) {
  Family::insert(config, lanes, memory, view, u32{}, u32{});
};

template <class Family>
concept has_erase = requires(dynamic_config<typename Family::config> config, host_lanes<no_recorder> lanes,
                             host_memory<no_recorder, shared_source> memory, state_view view) {
  Family::erase(config, lanes, memory, view, u32{});
};

// True if operations of a batch change the index in place, each by itself.
template <class Family>
inline constexpr bool has_writes = has_insert<Family> || has_erase<Family>;
// True if a batch changes the index as a whole, by passes (family::update()): its struct says `struct by_batch {};`.
template <class Family>
inline constexpr bool writes_by_batch = requires {
  typename Family::by_batch;
};

}  // namespace pivotscope
