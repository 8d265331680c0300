// What a method's name alone stands for, as a user types it: of the families that are not the papers' own, a config
// that goes with the number of keys, their width and the machine's cache. It is resolved once, where it is read: what
// is printed, kept and compared is a config's whole line.
#pragma once

#include <span>

#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

// For machines that do not say how large their last-level cache is: the least of the papers' chips had more.
inline constexpr u64 assumed_cache = 32ull << 20;

// Bytes of its last-level cache, or those assumed.
u64 cache_of(const machine_info& on);

// May a block of threads have 226 KiB of scratch? By the compute capability: of 9.0, 8.0 and the data centre's 10.x it
// may; of the others 64 to 100 KiB.
bool has_large_scratch(const machine_info& on);

index_config config_for(const typed_config& typed, u64 keys, const machine_info& on);

// On a machine that was found, or could still be: what is not known of it is assumed.
index_config config_for(const typed_config& typed, u64 keys, machine_kind on, std::span<const machine_report> found);

// For words before the keys are known: "PACKED", or the config's line.
std::string words_of(const typed_config& typed);

}  // namespace pivotscope
