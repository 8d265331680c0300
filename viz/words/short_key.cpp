#include "viz/words/short_key.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace pivotscope::viz {
namespace {

constexpr std::string_view ellipsis = "\u2026";

// How many digits it is from the lowest one up to the highest in which two numbers differ.
u32 differing_digits(u64 least, u64 greatest) {
  u32 differ = 0;
  for (u32 i = 1; least != 0 || greatest != 0; ++i, least /= 10, greatest /= 10)
    if (least % 10 != greatest % 10) differ = i;
  return differ;
}

// What there is to choose from, the best first. `digits`: of the greatest key. `differ`: no two keys differ above so many.
std::vector<key_form> forms(u32 digits, u32 differ, u32 chars) {
  std::vector<key_form> list;
  const u32 kept = chars - 1;  // beside one ellipsis
  list.push_back({.chars = chars, .head = kept});
  // From the first digit in which two keys differ: an ellipsis before it, and one behind.
  if (chars > 2)
    for (u32 top = std::min(differ, digits - 1); top > chars - 2; --top)
      list.push_back({.chars = chars, .from = top - (chars - 2), .run = chars - 2});
  list.push_back({.chars = chars, .run = kept});
  for (u32 head = kept - 1; head > 0; --head) list.push_back({.chars = chars, .head = head, .run = kept - head});
  return list;
}

}  // namespace

u32 digits_of(u64 number) {
  u32 digits = 1;
  for (; number >= 10; number /= 10) ++digits;
  return digits;
}

std::string key_form::write(u64 key) const {
  std::string digits = std::to_string(key);
  const auto length = static_cast<u32>(digits.size());
  if (length <= chars) return digits;
  if (chars < least_key_chars) return {};
  if (from >= length) return digits.substr(0, chars - 1).append(ellipsis);  // it has none of the digits of the run
  std::string words = digits.substr(0, head);
  if (run == 0) return words.append(ellipsis);
  const u32 begin = std::max(head, length - std::min(length, from + run)), end = length - from;
  if (begin > head) words += ellipsis;
  words += digits.substr(begin, end - begin);
  if (from > 0) words += ellipsis;
  return words;
}

key_form form_of(std::span<const u64> keys, u32 chars) {
  std::vector<u64> each;  // that has to be shortened
  for (const u64 key : keys)
    if (digits_of(key) > chars) each.push_back(key);
  const key_form whole{.chars = chars, .head = chars > 0 ? chars - 1 : 0};
  if (each.empty()) return whole;
  std::sort(each.begin(), each.end());
  each.erase(std::unique(each.begin(), each.end()), each.end());
  if (chars < least_key_chars) {
    key_form none = whole;
    none.distinct = each.size() < 2;
    return none;
  }
  key_form best = whole;
  std::size_t least_alike = ~std::size_t{0};
  std::vector<std::string> words;
  for (key_form form : forms(digits_of(each.back()), differing_digits(each.front(), each.back()), chars)) {
    words.clear();
    for (const u64 key : each) words.push_back(form.write(key));
    std::sort(words.begin(), words.end());
    form.distinct = std::adjacent_find(words.begin(), words.end()) == words.end();
    if (form.distinct) return form;
    std::size_t alike = 0;
    for (std::size_t i = 1; i < keys.size(); ++i)
      alike += keys[i] != keys[i - 1] && form.write(keys[i]) == form.write(keys[i - 1]) ? 1 : 0;
    if (alike < least_alike) least_alike = alike, best = form;
  }
  return best;
}

}  // namespace pivotscope::viz
