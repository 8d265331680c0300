// A document whose tables are made of results' files, and whose other words are people's.
//
//   <!-- table: figures/packed-h200.json hits -->
//   what stands here is made of that file's rows whose names begin with "hits"
//   <!-- end -->
//
// A marker is a line of its own. Behind the file may stand how the rows' names begin, nothing for all of them, and
// columns=row,config,per_second: names of the sweep's values (docs/json.md), and middle_half. Over a file's first table stands what
// it was measured on, and by which command.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/sweep/sweep_result.hpp"

namespace pivotscope {

struct rewritten_document {
  std::string text;
  std::size_t tables = 0;
};

// The result that a marker's file name stands for.
using result_reader = std::function<outcome<sweep_result>(const std::string& file)>;

// All but what stands between the markers is as it was, byte for byte. Problem: begins with the line's number.
outcome<rewritten_document> rewrite_tables(std::string_view document, const result_reader& read);

}  // namespace pivotscope
