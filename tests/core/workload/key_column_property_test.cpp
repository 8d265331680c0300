// A column of a table, whatever the table is.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "core/workload/files/key_file.hpp"
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
  const bool needs = field.find_first_of(",;\t|\" \r\n") != std::string::npos;
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
  const char separator = *rc::gen::elementOf(std::string(",;\t|"));
  const bool names = *rc::gen::arbitrary<bool>();
  std::string text;
  numbers expected;
  const auto add_row = [&](const std::string& value) {
    for (u64 c = 0; c < columns; ++c) {
      if (c > 0) text += separator;
      text += written(c == wanted ? value : any_of("ab1 ,;\t|.\"\r\n"));
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
    const bool number =
        !field.empty() && std::all_of(field.begin(), field.end(), [](char c) { return c >= '0' && c <= '9'; });
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
  const std::string separators = ",;\t| ";
  RC_ASSERT(std::any_of(separators.begin(), separators.end(),
                        [&](char separator) { return plain_column(text, separator, place) == values_of(*read); }));
}

// Whatever the table is: a column that is named in place of one that is not there can be read.
RC_GTEST_PROP(KeyColumn, ThatIsSuggestedIsRead, ()) {
  const scratch_folder folder;
  const std::string separator = *rc::gen::element(",", ";", "|", "\t", " ");
  const u64 columns = *rc::gen::inRange<u64>(1, 6), rows = *rc::gen::inRange<u64>(0, 4);
  std::string text;
  for (u64 row = 0; row <= rows; ++row)
    for (u64 c = 0; c < columns; ++c) {
      text += row == 0 ? *rc::gen::element<std::string>("key", "keys", "id", "a b", "7", "1.5", "-", "", "\xc3\xb6",
                                                        "key,id")
                       : *rc::gen::element<std::string>("1", "1", "23", "x", "", "99999999999", "4 5", "6,7");
      text += c + 1 < columns ? separator : *rc::gen::element<std::string>("\n", "\r\n");
    }
  const std::string path = folder.write("t.csv", text);
  const auto refused = read_key_column(path, *rc::gen::element("kay", "idd", "nothing", "k", "1.4"), key_width::u32);
  RC_ASSERT(!refused.ok());
  const std::string words = refused.error().words;
  const std::string ahead[] = {"; did you mean '", "; there is only ", "; there are "};
  for (const std::string& part : ahead) {
    const std::size_t at = words.find(part);
    if (at == words.npos) continue;
    std::string list = words.substr(at + part.size());
    if (list.ends_with("'?")) list.resize(list.size() - 2);
    for (std::size_t and_at = list.find(" and "); and_at != list.npos; and_at = list.find(" and "))
      list.replace(and_at, 5, ", ");
    while (!list.empty()) {
      const std::size_t comma = std::min(list.find(", "), list.size());
      const auto read = read_key_column(path, list.substr(0, comma), key_width::u32);
      if (!read) RC_FAIL(words + "\nbut " + read.error().words + "\n" + text);
      list.erase(0, comma + 2);
    }
  }
}

}  // namespace
}  // namespace pivotscope
