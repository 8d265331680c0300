// Numbers of one's own, whatever they are: text and lines give them back.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/workload/key_file.hpp"
#include "core/workload/own_numbers.hpp"
#include "tests/app/program.hpp"

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

// A table as anyone may write it; every column of numbers comes back, by name and by number.
RC_GTEST_PROP(OwnNumbers, AColumnOfATableIsReadWhateverStandsBesideIt, ()) {
  const scratch_folder folder;
  const u64 columns = *rc::gen::inRange<u64>(1, 5), rows = *rc::gen::inRange<u64>(0, 20),
            wanted = *rc::gen::inRange<u64>(0, columns);
  const char comma = *rc::gen::elementOf(std::string(",;"));
  const bool names = *rc::gen::arbitrary<bool>();
  std::string text;
  std::vector<u64> numbers;
  const auto add_line = [&](const auto& value) {
    for (u64 c = 0; c < columns; ++c) {
      if (c > 0) text += comma;
      const bool quotes = *rc::gen::arbitrary<bool>();
      std::string field =
          c == wanted ? value() : *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab1 ,;.\"")));
      const bool needs = field.find_first_of(",;\" ") != std::string::npos;
      if (quotes || needs) {
        std::string doubled;
        for (const char ch : field) doubled += ch == '"' ? "\"\"" : std::string(1, ch);
        field = "\"" + doubled + "\"";
      }
      text += field;
    }
    text += *rc::gen::arbitrary<bool>() ? "\n" : "\r\n";
  };
  // The first separator outside of quotes says which it is: a single column has none.
  if (names) add_line([] { return std::string("the key"); });
  for (u64 r = 0; r < rows; ++r)
    add_line([&] {
      numbers.push_back(*rc::gen::arbitrary<u64>());
      return std::to_string(numbers.back());
    });
  const std::string column = names && *rc::gen::arbitrary<bool>() ? "the key" : std::to_string(wanted + 1);
  const auto read = read_key_column(folder.write("t.csv", text), column, key_width::u64);
  if (!read) RC_FAIL(read.error().words + "\n" + text);
  const auto span = read->as<u64>();
  RC_ASSERT(std::vector<u64>(span.begin(), span.end()) == numbers);
}

}  // namespace
}  // namespace pivotscope
