// How many buckets there are for so many keys, and how many slabs their pool needs.
#pragma once

#include "core/families/buckets/config.hpp"

namespace pivotscope {

// Returns the number of buckets that the config has for so many keys; at least 1.
u32 buckets_for(const buckets_config& config, u64 keys);

// Returns how many slabs beyond their first ones so many buckets are expected to have, if so many keys with hashes of
// their own are shared out to them: a bucket has k keys with a chance of m^k e^-m / k!, where m is the mean.
double slabs_expected(const buckets_config& config, u32 buckets, u64 keys);

// Returns how many such slabs these buckets have at most, unless chance is against it by six times its standard deviation
// and more. Whatever the keys are: a chain has a next slab only if it has filled one, so keys / entries of a slab do.
u64 slabs_likely(const buckets_config& config, u32 buckets, u64 keys);
u64 slabs_at_most(const buckets_config& config, u64 keys);

}  // namespace pivotscope
