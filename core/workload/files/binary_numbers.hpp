// Files of numbers that are not text: what they hold, told by their size and their first bytes.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/common/outcome.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

enum class binary_layout : u8 {
  sosd,          // a 64-bit count, then values
  sosd_lookups,  // a 64-bit count, then a key and a sum of row ids each, both of 64 bits
  numpy,         // NumPy's header, then values
};

struct binary_numbers {
  binary_layout layout = binary_layout::sosd;
  u64 count = 0;
  u64 offset = 8;       // of the first value in the file
  u32 value_bytes = 8;  // of a value, or of a key and its sum
  bool has_sign = false;
};

// As many first bytes as are looked at.
inline constexpr std::size_t told_bytes = 4096;

// What the file `name` of `size` bytes holds that begins with `first`. Nothing: it is text. A problem says what else it
// is, and what to do: a file of another kind, numbers without a count or with one that does not fit, big-endian,
// floating point. `wanted` is the width that is taken where a file does not say it.
outcome<std::optional<binary_numbers>> tell_binary(std::string_view name, u64 size, std::span<const char> first,
                                                   key_width wanted);

// No text has such bytes: zeros, other control characters, or many that are no UTF-8. Behind a first line of digits
// only zeros count: it is text with a bad line.
bool looks_binary(std::span<const char> first);

}  // namespace pivotscope
