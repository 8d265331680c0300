// A document whose tables are made of results' files, and whose other words are people's.
//
//   <!-- table: figures/packed-h200.json hits -->
//   what stands here is made of that file's rows whose names begin with "hits"
//   <!-- end -->
//
// A marker is a line of its own. Behind the file may stand how the rows' names begin, nothing for all of them, and
// columns=row,config,per_second: names of the file's values (docs/json.md), and middle_half. Over a file's first table
// stands what it was measured on, and by which command, unless a table above says so. Several files side by side have
// one value in a column each:
//
//   <!-- table: five-16.json five-28.json AO across=per_second as=2^16,2^28 -->
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/report/measured_table.hpp"

namespace pivotscope {

struct rewritten_document {
  std::string text;
  std::size_t tables = 0;
};

// What a marker's file name stands for.
using table_reader = std::function<outcome<measured_table>(const std::string& file)>;

// All but what stands between the markers is as it was, byte for byte. Problem: begins with the line's number.
outcome<rewritten_document> rewrite_tables(std::string_view document, const table_reader& read);

}  // namespace pivotscope
