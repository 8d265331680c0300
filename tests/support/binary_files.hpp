// Files of numbers as other programs write them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "core/common/portable.hpp"

namespace pivotscope::testing {

template <class Value>
std::string bytes_of(const std::vector<Value>& values) {
  std::string bytes(values.size() * sizeof(Value), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Each value's bytes the other way round.
template <class Value>
std::string big_endian(const std::vector<Value>& values) {
  std::string bytes = bytes_of(values);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Value))
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + sizeof(Value)));
  return bytes;
}

inline std::string with_count(u64 count, std::string_view rest) {
  return bytes_of(std::vector<u64>{count}).append(rest);
}

// As numpy.save writes it, in format 1; `type` is '<u8' or the like, with its quotes.
inline std::string numpy_file(std::string_view type, std::string_view shape, std::string_view data) {
  std::string header = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': {}, }}", type, shape);
  constexpr std::size_t before = 10, unit = 64;
  header.resize((before + header.size() + 1 + unit - 1) / unit * unit - before - 1, ' ');
  header += '\n';
  std::string bytes = "\x93NUMPY\x01";
  bytes += '\0';
  bytes += static_cast<char>(header.size() % 256);
  bytes += static_cast<char>(header.size() / 256);
  return bytes.append(header).append(data);
}

}  // namespace pivotscope::testing
