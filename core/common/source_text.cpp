#include "core/common/source_text.hpp"

#include <algorithm>

namespace pivotscope {

std::optional<std::string_view> source_text(std::string_view name) {
  const std::span<const embedded_file> files = embedded_headers();
  const auto found = std::ranges::lower_bound(files, name, {}, &embedded_file::name);
  if (found == files.end() || found->name != name) return std::nullopt;
  return found->text;
}

std::string_view line_of(std::string_view text, unsigned line) {
  for (; line > 1; --line) {
    const std::size_t end = text.find('\n');
    if (end == text.npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

std::string_view included_as(std::string_view path) {
  const std::size_t at = path.rfind("/core/");
  return at == path.npos ? path : path.substr(at + 1);
}

}  // namespace pivotscope
