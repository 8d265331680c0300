// What a cell of an index may say, where the family chooses among values: each value is a square, and what would come of it.
#pragma once

#include <string>
#include <vector>

#include "core/common/portable.hpp"

namespace pivotscope {

struct value_choices {
  // Of which the families say in words what they are there.
  enum kind : u8 { fits, no_room, crowded, twice, last_resort };

  std::string cell, keys;   // "cell 3"; "its 11 keys, and 4000000001 which comes"
  std::string row, column;  // what a row is, and what a column: "offset", "mapping"
  u32 rows = 0, columns = 0;
  u64 all_columns = 0;        // of which the first ones are listed
  std::vector<u8> kinds;      // of each square, row by row
  std::vector<u8> left_over;  // keys that would find no place
  u32 now = 0;  // the square of the value that the cell has; rows x columns: it is not among the listed ones

  u32 square(u32 row_number, u32 column_number) const { return row_number * columns + column_number; }
};

// What a value leads to, place by place: a bucket, and what it would have.
struct choice_place {
  u64 bucket = 0;
  u32 others = 0;     // slots that other cells' keys have
  u32 keys = 0;       // of the cell, which would come there or stay
  u32 slots = 0;      // of the bucket
  std::string words;  // "virtual bucket 3"
};

}  // namespace pivotscope
