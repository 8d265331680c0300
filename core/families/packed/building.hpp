// The build of `packed` on some machine: which passes run, and how much room what they come to takes.
#pragma once

#include "core/families/packed/directory.hpp"
#include "core/index/executor.hpp"

namespace pivotscope {

// Passes in the order of packed's device code.
std::span<const build_pass> packed_passes();

// An index's sizes before anything is built: no nodes yet, and no leaf escaped.
// `key_bits`: of a key, where it is not the config's; tests have keys of 8 and 16 bits, of which they ask all.
packed_view fresh_packed_view(const packed_config& config, u64 keys, std::pair<u64, u64> key_range);
packed_view fresh_packed_view(const packed_config& config, u64 keys, std::pair<u64, u64> key_range, u32 key_bits);

outcome<state_bytes> build_packed(executor& on, const packed_config& config);
outcome<state_bytes> build_packed(executor& on, const packed_config& config, u32 key_bits);

}  // namespace pivotscope
