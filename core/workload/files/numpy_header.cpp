#include "core/workload/files/numpy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <vector>

#include "core/workload/files/number_lines.hpp"

namespace pivotscope {
namespace {

// A type as NumPy writes it: '<u8' is little-endian, unsigned, of 8 bytes.
struct numpy_type {
  char order = 0, kind = 0;
  u32 bytes = 0;
  std::string name;  // as NumPy calls it: uint64
};

numpy_type type_of(std::string_view descr) {
  numpy_type type;
  type.name = excerpt(descr);
  if (descr.size() < 3) return type;
  type.order = descr[0], type.kind = descr[1];
  const std::string_view size = descr.substr(2);
  u32 bytes = 0;
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), bytes);
  if (error != std::errc{} || end != size.data() + size.size() || bytes > 1 << 16) return type;
  type.bytes = bytes;
  constexpr std::pair<char, const char*> names[] = {{'u', "uint"}, {'i', "int"}, {'f', "float"}, {'c', "complex"}};
  for (const auto& [kind, noun] : names)
    if (kind == type.kind) type.name = fmt::format("{}{}", noun, 8 * bytes);
  if (type.kind == 'b') type.name = "bool";
  return type;
}

// What stands behind "'key':" in the header, from its first character that is no blank.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == header.npos) return {};
  const std::string_view rest = header.substr(at + key.size() + 3);
  return rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
}

// "(1000,)": the lengths of the dimensions.
std::optional<std::vector<u64>> shape_in(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  std::vector<u64> lengths;
  while (true) {
    text.remove_prefix(1);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.starts_with(')')) return lengths;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), lengths.emplace_back());
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with(')')) return lengths;
    if (!text.starts_with(',')) return std::nullopt;
  }
}

}  // namespace

outcome<binary_numbers> read_numpy_header(std::string_view name, u64 size, std::span<const char> first) {
  const problem broken{
      fmt::format("{} begins as a NumPy file, but its header cannot be read; numpy.save writes it", name)};
  constexpr std::size_t version_at = 6, length_at = 8;
  if (first.size() < length_at + 4) return broken;
  const bool is_short = first[version_at] == 1;
  u32 length = 0;
  std::memcpy(&length, first.data() + length_at, is_short ? 2 : 4);
  const u64 begin = length_at + (is_short ? 2 : 4), offset = begin + length;
  if (offset > first.size()) return broken;
  const std::string_view header(first.data() + begin, length);

  const std::string_view descr = value_of(header, "descr");
  const std::optional<std::vector<u64>> shape = shape_in(value_of(header, "shape"));
  if (descr.empty() || !shape) return broken;
  if (!descr.starts_with('\''))
    return problem{
        fmt::format("{} is a NumPy file of records: keys are unsigned integers; save the field that they are", name)};
  const numpy_type type = type_of(descr.substr(1, descr.substr(1).find('\'')));
  const bool integers = (type.kind == 'u' || type.kind == 'i') && (type.bytes == 4 || type.bytes == 8);
  if (!integers)
    return problem{
        fmt::format("{} is a NumPy file of {}: keys are unsigned integers; make them uint32 or uint64 and "
                    "save that",
                    name, type.name)};
  if (type.order == '>')
    return problem{fmt::format("{} is a NumPy file of big-endian {}; save it little-endian: array.astype('<{}{}')",
                               name, type.name, type.kind, type.bytes)};
  if (shape->size() != 1)
    return problem{
        fmt::format("{} is a NumPy file of {} dimensions, and keys have one; save array.ravel() or one "
                    "column",
                    name, shape->size())};
  const u64 count = shape->front(), bytes = size - offset;
  if (bytes % type.bytes != 0 || bytes / type.bytes != count)
    return problem{fmt::format("{} is a NumPy file of {} {}, and {} bytes follow its header: it is not whole", name,
                               count, type.name, bytes)};
  return binary_numbers{binary_layout::numpy, count, offset, type.bytes, type.kind == 'i'};
}

}  // namespace pivotscope
