// Which operations a family's struct has. It leaves out what the family lacks, and family::lacks() says why.
#pragma once

#include "core/batch/ranges.hpp"
#include "core/simt/host.hpp"

namespace pivotscope {

template <class Family>
concept has_range = requires(dynamic_config<typename Family::config> config, host_lanes<no_recorder> lanes,
                             host_memory<no_recorder, direct_source> memory, index_view view, range_totals totals) {
  Family::range(config, lanes, memory, view, u32{}, u32{}, u64{}, totals);
};

template <class Family>
concept has_next_key = requires(dynamic_config<typename Family::config> config, host_lanes<no_recorder> lanes,
                                host_memory<no_recorder, direct_source> memory, index_view view) {
  Family::next_key(config, lanes, memory, view, u32{}, bool{});
};

// Insert and erase, and a find that works while others write.
template <class Family>
concept has_update = requires(dynamic_config<typename Family::config> config,
                              host_memory<no_recorder, shared_source> memory, build_view view) {
  Family::insert(config, memory, view, u32{}, u32{});
  Family::erase(config, memory, view, u32{});
  Family::find_now(config, memory, view, u32{});
};

}  // namespace pivotscope
