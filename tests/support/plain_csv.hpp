// A second reader of CSV, as plain as can be: RFC 4180, with blanks around fields, and any line ends.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pivotscope::testing {

using csv_table = std::vector<std::vector<std::string>>;

// The rows of a text, empty lines without fields; nothing where a quote is out of place. With a blank as the separator
// blanks part the fields, however many.
inline std::optional<csv_table> plain_csv(std::string_view text, char separator) {
  std::size_t at = 0;
  const auto is = [&](std::string_view any) { return at < text.size() && any.find(text[at]) != any.npos; };
  const std::string parting(1, separator), ends = "\r\n", blanks = separator == '\t' ? " " : " \t";
  const auto skip_blanks = [&] {
    while (is(blanks)) ++at;
  };
  csv_table rows;
  while (at < text.size()) {
    std::vector<std::string> row;
    for (bool more = true; more;) {
      skip_blanks();
      std::string field;
      const bool quoted = is("\"");
      if (quoted) {
        for (++at; at < text.size(); ++at) {
          if (is("\"") && text.substr(at + 1, 1) != "\"") break;
          if (is("\"")) ++at;
          field += text[at];
        }
        if (at == text.size()) return std::nullopt;
        ++at;
        while (is(" \t") && !is(parting)) ++at;
        if (at < text.size() && !is(parting) && !is(ends)) return std::nullopt;
      } else {
        while (at < text.size() && !is(parting) && !is(ends)) field += text[at++];
        if (field.find('"') != field.npos) return std::nullopt;
        while (!field.empty() && blanks.find(field.back()) != blanks.npos) field.pop_back();
      }
      more = is(parting);
      const bool whole_line = row.empty() && !more;  // nothing in it is no field
      if (quoted || !field.empty() || (separator != ' ' && !whole_line)) row.push_back(field);
      at += more ? 1 : 0;
    }
    at += text.substr(at, 2) == "\r\n" ? 2 : 1;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace pivotscope::testing
