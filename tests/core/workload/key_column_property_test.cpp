// A column of a table, whatever the table is.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "core/workload/key_file.hpp"
#include "tests/app/program.hpp"
#include "tests/support/plain_csv.hpp"

namespace pivotscope {
namespace {

using numbers = std::vector<u64>;

std::string any_of(std::string_view bytes) {
  return *rc::gen::container<std::string>(rc::gen::elementOf(std::string(bytes)));
}

numbers values_of(const key_array& keys) {
  const auto span = keys.as<u64>();
  return {span.begin(), span.end()};
}

// A field as a writer of CSV writes it: in quotes where it must be, else as chance has it.
std::string written(const std::string& field) {
  const bool needs = field.find_first_of(",;\t\" \r\n") != std::string::npos;
  if (!needs && *rc::gen::arbitrary<bool>()) return field;
  std::string doubled;
  for (const char c : field) doubled += c == '"' ? "\"\"" : std::string(1, c);
  return '"' + doubled + '"';
}

// Every column of numbers comes back, by name and by number.
RC_GTEST_PROP(KeyColumn, OfATableAsAnyoneWritesItIsRead, ()) {
  const scratch_folder folder;
  const u64 columns = *rc::gen::inRange<u64>(1, 5), rows = *rc::gen::inRange<u64>(0, 20),
            wanted = *rc::gen::inRange<u64>(0, columns);
  const char separator = *rc::gen::elementOf(std::string(",;\t"));
  const bool names = *rc::gen::arbitrary<bool>();
  std::string text;
  numbers expected;
  const auto add_row = [&](const std::string& value) {
    for (u64 c = 0; c < columns; ++c) {
      if (c > 0) text += separator;
      text += written(c == wanted ? value : any_of("ab1 ,;\t.\"\r\n"));
    }
    text += *rc::gen::element("\n", "\r\n", "\r");
  };
  if (names) add_row("the key");
  for (u64 r = 0; r < rows; ++r) {
    expected.push_back(*rc::gen::arbitrary<u64>());
    add_row(std::to_string(expected.back()));
  }
  const std::string column = names && *rc::gen::arbitrary<bool>() ? "the key" : std::to_string(wanted + 1);
  const auto read = read_key_column(folder.write("t.csv", text), column, key_width::u64);
  if (!read) RC_FAIL(read.error().words + "\n" + text);
  RC_ASSERT(values_of(*read) == expected);
}

// The column as a second reader has it, if it has one that is all numbers below a name, or without one.
std::optional<numbers> plain_column(const std::string& text, char separator, u64 place) {
  std::optional<testing::csv_table> table = testing::plain_csv(text, separator);
  if (!table) return std::nullopt;
  numbers keys;
  for (std::size_t row = 0; row < table->size(); ++row) {
    const std::vector<std::string>& fields = (*table)[row];
    if (fields.empty()) continue;
    if (fields.size() <= place) return std::nullopt;
    const std::string& field = fields[place];
    const bool number = !field.empty() && std::all_of(field.begin(), field.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!number && row > 0) return std::nullopt;
    if (number) keys.push_back(std::stoull(field));
  }
  return keys;
}

// Bytes that matter in any order: the keys are a second reader's, or the file is refused.
RC_GTEST_PROP(KeyColumn, OfAnyBytesIsASecondReadersOrRefused, ()) {
  const scratch_folder folder;
  std::string text = *rc::gen::element("", "a,b\n", "a;b\r\n", "1,", "\"a\",\"b\"\n");
  text += any_of("1123,,;\t|\"\"\r\n\n a");
  const u64 place = *rc::gen::inRange<u64>(0, 3);
  const auto read = read_key_column(folder.write("t.csv", text), std::to_string(place + 1), key_width::u64);
  if (!read) return;
  const std::string separators = ",;\t";
  RC_ASSERT(std::any_of(separators.begin(), separators.end(), [&](char separator) {
    return plain_column(text, separator, place) == values_of(*read);
  }));
}

}  // namespace
}  // namespace pivotscope
