#include "core/common/json_words.hpp"

#include <fmt/format.h>

#include <string_view>

namespace pivotscope {
namespace {

// Of "[json.exception.out_of_range.403] key 'rows' not found"; empty where the library words it otherwise.
std::string_view missing_name(std::string_view words) {
  constexpr std::string_view begin = "key '", end = "' not found";
  const std::size_t first = words.find(begin), last = words.rfind(end);
  if (first == words.npos || last == words.npos || last < first + begin.size()) return {};
  return words.substr(first + begin.size(), last - first - begin.size());
}

}  // namespace

std::string json_words(const nlohmann::json::exception& fault) {
  constexpr int no_such_key = 403;
  if (const auto* unread = dynamic_cast<const nlohmann::json::parse_error*>(&fault))
    return fmt::format("it is no JSON from byte {} on", unread->byte);
  if (fault.id != no_such_key) return "a field is of another kind than it should be";
  const std::string_view name = missing_name(fault.what());
  return name.empty() ? "a field is missing" : fmt::format("the field '{}' is missing", name);
}

}  // namespace pivotscope
