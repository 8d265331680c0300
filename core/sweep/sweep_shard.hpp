// A part of a sweep for one of several computers: together they have every row once.
#pragma once

#include <string_view>

#include "core/sweep/sweep.hpp"

namespace pivotscope {

struct sweep_shard {
  u32 number = 1, of = 1;  // from 1
};
inline constexpr u32 most_shards = 10'000;

// "3/16". Problem: in words.
outcome<sweep_shard> parse_shard(std::string_view text);

// Rows that lean on each other stay together, and so do neighbours, which are often over the same keys; shards take
// about as long each. One may have no row where there are few.
sweep shard_of(const sweep& whole, const sweep_shard& shard, u32 scale);

// What a row costs, roughly: its keys are made, its batch is run by each config so many rounds.
double weight_of(const sweep_row& row, u32 rounds);

}  // namespace pivotscope
