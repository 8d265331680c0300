// Numbers of one's own, whatever they are: text and lines give them back.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/workload/own_numbers.hpp"

namespace pivotscope {
namespace {

std::vector<u64> some_numbers(u64 most) {
  return *rc::gen::resize(static_cast<int>(most), rc::gen::nonEmpty(rc::gen::container<std::vector<u64>>(rc::gen::oneOf(
                                                      rc::gen::arbitrary<u64>(), rc::gen::just(~u64{0})))));
}

RC_GTEST_PROP(OwnNumbers, TextGivesThemBack, ()) {
  const std::vector<u64> numbers = some_numbers(60);
  std::string text;
  for (const u64 number : numbers) {
    text += *rc::gen::container<std::string>(rc::gen::elementOf(std::string(" \t\r\n,;|[](){}\"'")));
    text += *rc::gen::arbitrary<bool>() ? fmt::format("{}", number) : fmt::format("0x{:x}", number);
    text += *rc::gen::elementOf(std::string(" \t\r\n,;|[](){}\"'"));
  }
  const auto read = numbers_from_text(text, key_width::u64, numbers.size());
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == numbers);
  RC_ASSERT(!numbers_from_text(text, key_width::u64, numbers.size() - 1).ok());
}

// The same text with anything in a word's place is refused with the line of that word, or read as another number.
RC_GTEST_PROP(OwnNumbers, WhatIsNoNumberIsSaidWithItsLine, ()) {
  const u64 before = *rc::gen::inRange<u64>(0, 20);
  std::string text;
  for (u64 i = 0; i < before; ++i) text += "7\n";
  const std::string word =
      *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::elementOf(std::string("xyz.-+_"))));
  const auto read = numbers_from_text(text + word + "\n9", key_width::u32, 100);
  RC_ASSERT(!read.ok());
  RC_ASSERT(read.error().words.starts_with(fmt::format("line {}: ", before + 1)));
}

RC_GTEST_PROP(OwnNumbers, AWorkloadWithThemIsOneLine, ()) {
  workload w;
  w.seed = *rc::gen::arbitrary<u64>();
  const auto name = [] { return *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127))); };
  if (*rc::gen::arbitrary<bool>()) {
    w = with_keys(w, {.list = some_numbers(60)});
  } else {
    w = with_keys(w, {.file = name()});
    if (*rc::gen::arbitrary<bool>()) w.own_keys.column = name();
  }
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      w = with_batch(
          w, {.numbers = {.list = some_numbers(60)}, .kind = *rc::gen::element(operation::find, operation::successor)});
      break;
    case 1: {
      own_lookups asked{.numbers = {.list = some_numbers(60)}, .kind = operation::range};
      for (const u64 low : asked.numbers.list) asked.highs.push_back(low / 2 + 5);
      w = with_batch(w, asked);
      RC_ASSERT(*lookups_from_text(text_of(asked), key_width::u64) == asked);
      break;
    }
    case 2:
      w = with_batch(w, {.numbers = {.file = name()}, .kind = *rc::gen::elementOf(read_operations)});
      break;
    default:
      break;
  }
  const std::string line = to_line(w);
  const auto read = workload_from_line(line);
  if (!read) RC_FAIL(read.error().words + "\n" + line);
  RC_ASSERT(*read == w);
  RC_ASSERT(to_line(*read) == line);
}

}  // namespace
}  // namespace pivotscope
