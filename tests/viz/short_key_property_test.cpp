// Keys of any kind in any room: what is written is a part of the key, in no more than the room; and where digits of it can tell
// keys apart at all, these do.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "viz/words/short_key.hpp"

namespace pivotscope::viz {
namespace {

const std::string ellipsis = "\u2026";

std::size_t characters(const std::string& words) {
  return static_cast<std::size_t>(
      std::count_if(words.begin(), words.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// Is it the key with runs of digits left out, each for an ellipsis?
bool stands_for(const std::string& words, const std::string& key, std::size_t w = 0, std::size_t k = 0) {
  if (w == words.size()) return k == key.size();
  if (words.compare(w, ellipsis.size(), ellipsis) != 0)
    return k < key.size() && words[w] == key[k] && stands_for(words, key, w + 1, k + 1);
  for (std::size_t next = k + 1; next <= key.size(); ++next)
    if (stands_for(words, key, w + ellipsis.size(), next)) return true;
  return false;
}

// Uniform ones, neighbours from somewhere on, and those that agree at both ends.
std::vector<u64> any_long_keys() {
  const auto keys =
      *rc::gen::resize(40, rc::gen::nonEmpty(rc::gen::container<std::vector<u64>>(rc::gen::arbitrary<u64>())));
  const u64 first = *rc::gen::arbitrary<u64>(),
            spread = *rc::gen::elementOf(std::vector<u64>{0, 1, 10, 4096, 1000000007});
  std::vector<u64> list;
  for (std::size_t i = 0; i < keys.size(); ++i) list.push_back(spread == 0 ? keys[i] : first / 2 + i * spread);
  return list;
}

RC_GTEST_PROP(ShortKey, StaysInItsRoomAndIsAPartOfTheKey, ()) {
  const std::vector<u64> keys = any_long_keys();
  const u32 chars = *rc::gen::inRange<u32>(0, 22);
  const key_form form = form_of(keys, chars);
  const auto key = *rc::gen::oneOf(rc::gen::elementOf(keys), rc::gen::arbitrary<u64>());
  const std::string words = form.write(key), whole = std::to_string(key);
  RC_ASSERT(characters(words) <= chars);
  if (whole.size() <= chars)
    RC_ASSERT(words == whole);
  else if (chars < least_key_chars)
    RC_ASSERT(words.empty());
  else
    RC_ASSERT(stands_for(words, whole));
}

// Against all forms that have one ellipsis, and those of a run with one on either side.
RC_GTEST_PROP(ShortKey, TellsApartWhatAnyFormTellsApart, ()) {
  const std::vector<u64> keys = any_long_keys();
  const u32 chars = *rc::gen::inRange<u32>(2, 12);
  const std::set<u64> different(keys.begin(), keys.end());
  const auto apart = [&](const key_form& form) {
    std::set<std::string> words;
    for (const u64 key : different) words.insert(form.write(key));
    return words.size() == different.size();
  };
  bool any = false;
  for (u32 head = 0; head < chars; ++head) any |= apart({.chars = chars, .head = head, .run = chars - 1 - head});
  const key_form form = form_of(keys, chars);
  RC_ASSERT(form.distinct == apart(form));
  RC_ASSERT(!any || form.distinct);
}

}  // namespace
}  // namespace pivotscope::viz
