#include "core/workload/files/number_lines.hpp"

namespace pivotscope {

std::string excerpt(std::string_view bytes) {
  constexpr std::size_t longest = 40;
  std::string text;
  for (const char c : bytes.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte >= 0x20 && byte < 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return bytes.size() > longest ? text + "..." : text;
}

std::size_t lines_to_expect(std::string_view first_block, u64 size) {
  const auto lines = static_cast<double>(std::count(first_block.begin(), first_block.end(), '\n') + 1);
  const double expected = lines * static_cast<double>(size) / static_cast<double>(first_block.size() + 1);
  return static_cast<std::size_t>(std::min(expected * 1.02, 0x1p32)) + 1;
}

status line_reader::too_long(std::string_view line) const {
  return at_line(line_number_ + 1, fmt::format("'{}' has more than {} bytes and no end; {} is wanted", excerpt(line),
                                               block_bytes_, wanted_));
}

status line_reader::at_line(u64 number, std::string_view words) const {
  return problem{fmt::format("{}:{}: {}", source_.name(), number, words)};
}

}  // namespace pivotscope
