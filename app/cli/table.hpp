// A table as text: columns as wide as their widest cell.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "core/common/portable.hpp"

namespace pivotscope {

using table_row = std::vector<std::string>;

// The first row is the head, and is underlined. A row may have fewer cells than the head. Columns of words stand to the
// left, numbers to the right.
std::string table_text(const std::vector<table_row>& rows, std::initializer_list<std::size_t> of_words = {0});

// "21.3 G/s", "904 M/s", "12 /s".
std::string rate_text(double per_second);
// "4.27 TB/s", "12.1 GB/s"
std::string throughput_text(double bytes_per_second);

// Milliseconds with three significant digits: "0.0123", "4.56", "1230".
std::string milliseconds_text(double ms);

}  // namespace pivotscope
