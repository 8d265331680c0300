// How large a batch must be for its time to tell something of an index, and how large it is until the user says.
//
// A run of few lookups ends sooner than a clock and the start of threads or a kernel allow to tell; and run after run
// it reads the same few cache lines, so that it times the caches and not the index.
#pragma once

#include <string>

#include "core/config/index_config.hpp"
#include "core/config/machine_kind.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// Up to so many keys are there to be looked at, and so is their batch: each of its lookups has a place on the screen.
inline constexpr u64 most_keys_to_look_at = 64;
inline constexpr u64 lookups_to_look_at = 64;

// What the time of a batch depends on, beside the index.
struct batch_extent {
  u64 keys = 0;
  operation kind = operation::find;
  u64 operations = 0;
  u64 range_entries = 0;  // of ranges: of each, on average
  machine_kind on = machine_kind::cpu;
};
batch_extent extent_of(const workload& load, machine_kind on);

// Operations that time an index over so many keys well: as many lookups as there are keys, at least 2^16 and at most
// 2^20, each rounded up to a power of two; on a GPU 16 times as many. Ranges are fewer the longer they are.
u64 enough_to_time(const batch_extent& of);
// Fewer tell nothing: a sixteenth of them.
u64 least_to_time(const batch_extent& of);

// How many operations of its kind the batch has until the user says: enough_to_time(), but lookups_to_look_at where the
// keys are to be looked at, and fewer of an index that is searched from end to end.
u64 usual_batch(const workload& load, const index_config& config, machine_kind on);

// "64 lookups over 2^20 keys are too few to time: ..., from 2^16 on they tell"; empty: they are enough, or none.
std::string too_few_to_time(const batch_extent& of);

}  // namespace pivotscope
