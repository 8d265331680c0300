// The header of a NumPy file (.npy, format 1 to 3): what lies behind it, and where.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/workload/files/binary_numbers.hpp"

namespace pivotscope {

inline constexpr std::string_view numpy_magic = "\x93NUMPY";

// Of a file of `size` bytes that begins with numpy_magic: one dimension of unsigned or signed integers of 32 or 64
// bits, little-endian. Anything else is a problem that names what it is.
outcome<binary_numbers> read_numpy_header(std::string_view name, u64 size, std::span<const char> first);

}  // namespace pivotscope
