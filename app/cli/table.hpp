// A table as text: columns as wide as their widest cell, the first to the left, the others to the right.
#pragma once

#include <string>
#include <vector>

#include "core/common/portable.hpp"

namespace pivotscope {

using table_row = std::vector<std::string>;

// The first row is the head, and is underlined. A row may have fewer cells than the head.
std::string table_text(const std::vector<table_row>& rows);

// "21.3 G/s", "904 M/s", "12 /s".
std::string rate_text(double per_second);

// Milliseconds with three significant digits: "0.0123", "4.56", "1230".
std::string milliseconds_text(double ms);

}  // namespace pivotscope
