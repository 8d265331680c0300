#include "core/verify/interleaved_case.hpp"

#include <fmt/format.h>

#include "core/workload/question_text.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {
namespace {

std::string shape() {
  return "a line to replay is keys=5,3 before=-5 ops=+5,?5 schedule=0:3 1; operations are " + listed_signs();
}

template <class Item, class F>
std::string listed(const std::vector<Item>& items, F&& text) {
  std::string list;
  for (const Item& item : items) list += (list.empty() ? "" : ",") + text(item);
  return list;
}

// f(word) for what stands between commas, as long as it says fine.
template <class F>
status each_item(std::string_view list, F&& f) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (status s = f(list.substr(0, comma)); !s) return s;
    if (comma == list.npos) break;
    list.remove_prefix(comma + 1);
    if (list.empty()) return f(list);
  }
  return fine();
}

outcome<question> operation_from(std::string_view word, u64 greatest) {
  const auto key = [&](std::string_view digits) { return parse_count(digits, "a key", 0, greatest); };
  if (const auto taken = take_sign(word)) {
    const outcome<u64> number = key(taken->second);
    if (!number) return number.error();
    return question{taken->first, *number};
  }
  const std::size_t dots = word.find("..");
  if (dots == word.npos) return problem{fmt::format("\"{}\" is no operation: {}", word, shape())};
  const outcome<u64> low = key(word.substr(0, dots));
  if (!low) return low.error();
  const outcome<u64> high = key(word.substr(dots + 2));
  if (!high) return high.error();
  return question{operation::range, *low, *high};
}

}  // namespace

std::string to_text(const interleaved_case& c) {
  const auto words = [](const std::vector<question>& list) {
    return listed(list, [](const question& o) { return to_list_item(o); });
  };
  std::string text = "keys=" + listed(c.keys, [](u64 key) { return std::to_string(key); });
  if (!c.before.empty()) text += " before=" + words(c.before);
  return text + " ops=" + words(c.operations) + " schedule=" + to_text(c.order);
}

outcome<interleaved_case> interleaved_case_from_text(std::string_view line, key_width width) {
  const u64 greatest = width == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
  interleaved_case c;
  const auto at = [&](std::string_view part, const problem& why) {
    return problem{fmt::format("column {}: {}", part.data() - line.data() + 1, why.words)};
  };
  const auto operations = [&](std::string_view list, std::vector<question>& to) {
    return each_item(list, [&](std::string_view word) -> status {
      outcome<question> operation = operation_from(word, greatest);
      if (!operation) return at(word, operation.error());
      to.push_back(*operation);
      return fine();
    });
  };
  for (std::string_view rest = line; !rest.empty();) {
    if (rest.starts_with(' ')) {
      rest.remove_prefix(1);
      continue;
    }
    if (rest.starts_with("schedule=")) {
      outcome<schedule> order =
          schedule_from_text(rest.substr(9), static_cast<std::size_t>(rest.data() - line.data()) + 10);
      if (!order) return order.error();
      c.order = std::move(*order);
      break;
    }
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(word.size());
    status read = fine();
    if (word.starts_with("keys=")) {
      read = each_item(word.substr(5), [&](std::string_view digits) -> status {
        const outcome<u64> key = parse_count(digits, "keys", 0, greatest);
        if (!key) return at(digits, key.error());
        c.keys.push_back(*key);
        return fine();
      });
    } else if (word.starts_with("before=")) {
      read = operations(word.substr(7), c.before);
    } else if (word.starts_with("ops=")) {
      read = operations(word.substr(4), c.operations);
    } else {
      read = at(word, {fmt::format("\"{}\" is no part of it: {}", word, shape())});
    }
    if (!read) return read.error();
  }
  if (c.operations.empty()) return problem{fmt::format("there are no operations: {}", shape())};
  for (const turn& t : c.order.turns) {
    if (t.task >= c.operations.size())
      return problem{
          fmt::format("the schedule has operation {}, and there are {}, from 0 on", t.task, c.operations.size())};
  }
  return c;
}

}  // namespace pivotscope
