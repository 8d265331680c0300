#include "core/machine/interleaved/schedule.hpp"

#include <fmt/format.h>

#include <charconv>

namespace pivotscope {
namespace {

bool read(std::string_view digits, u32& number) {
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return fault == std::errc() && end == digits.data() + digits.size();
}

}  // namespace

std::string to_text(const schedule& s) {
  std::string text;
  for (const turn& t : s.turns) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", t.task);
    if (t.accesses != turn::to_the_end) text += fmt::format(":{}", t.accesses);
  }
  if (s.stores == store_order::late) text += text.empty() ? "late" : " late";
  return text;
}

outcome<schedule> schedule_from_text(std::string_view line, std::optional<std::size_t> column) {
  schedule s;
  const char* const begin = line.data();
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size() < line.size() ? word.size() + 1 : line.size());
    if (word.empty()) continue;
    if (word == "late") {
      s.stores = store_order::late;
      continue;
    }
    const std::size_t colon = word.find(':');
    turn t;
    const bool counted = colon != word.npos;
    if (!read(word.substr(0, colon), t.task) || (counted && !read(word.substr(colon + 1), t.accesses)) ||
        (counted && t.accesses == turn::to_the_end))
      return problem{fmt::format(
          "{}\"{}\" is no part of a schedule: \"1:3\" lets task 1 do three accesses, \"1\" all that it has "
          "left, \"late\" "
          "shows stores to others as late as may be",
          column ? fmt::format("column {}: ", *column + static_cast<std::size_t>(word.data() - begin)) : "", word)};
    s.turns.push_back(t);
  }
  return s;
}

}  // namespace pivotscope
