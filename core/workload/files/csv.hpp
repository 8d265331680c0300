// CSV as RFC 4180 has it, read by libcsv: fields and rows, with the lines that they begin on.
#pragma once

#include <csv.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/portable.hpp"

namespace pivotscope {

// Is told what a text has: the fields of a row, then that the row has ended. An empty line is a row without fields.
class csv_rows {
 public:
  // `text` has no quotes around it, nor, where there were none, blanks. `line`: the line that it begins on, from 1.
  virtual void take_field(std::string_view text, u64 line) = 0;
  // `line`: the line that the row begins on.
  virtual void end_row(u64 line) = 0;

 protected:
  ~csv_rows() = default;
};

struct csv_fault {
  u64 line = 0;
  std::string words;
};

// Splits a text that comes in parts. A line feed, a carriage return or both end a row. A quoted field is quoted as a
// whole, and a quote within it is doubled.
class csv_reader {
 public:
  // Bytes of a field, of which it has fewer: else its quote is taken for one that is not closed.
  static constexpr std::size_t longest_field = 4 << 20;

  // With a blank as the separator, any number of blanks part two fields.
  csv_reader(char separator, csv_rows& to);
  ~csv_reader() { csv_free(&parser_); }
  csv_reader(const csv_reader&) = delete;
  csv_reader& operator=(const csv_reader&) = delete;

  // What is wrong with the text so far; nothing may be read behind that. Throws std::bad_alloc.
  std::optional<csv_fault> read(std::string_view part);
  // The text has ended.
  std::optional<csv_fault> end();

 private:
  static void on_field(void* text, std::size_t size, void* self);
  static void on_row(int end, void* self);
  csv_fault misplaced_quote(char at) const;

  csv_parser parser_;
  csv_rows& to_;
  u64 line_ = 1;               // that the next field begins on
  u64 row_line_ = 1;           // that the row begins on
  bool after_return_ = false;  // a line feed that comes now ends no other line
};

// The first rows of a text, at most `most`, as far as it is CSV.
std::vector<std::vector<std::string>> first_csv_rows(std::string_view text, char separator, std::size_t most);

}  // namespace pivotscope
