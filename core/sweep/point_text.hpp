// A measured point as the text of a file of its own, and back: what a sweep that goes on later needs of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/common/outcome.hpp"
#include "core/sweep/sweep_point.hpp"

namespace pivotscope {

// JSON that ends with a checksum of itself (sealed_json.hpp), docs/json.md. Without what follows from the row: that is
// asked for again.
std::string point_text(const sweep_point& point);

// The text's JSON. Problem: it is damaged. Those from before there were checksums are taken as they are.
outcome<nlohmann::json> point_json(std::string_view text);

// Of that row, scaled as it was measured. What is wanted of it is told anew (tell_wants). Problem: it is no such text,
// or of another row.
outcome<sweep_point> point_from_text(std::string_view text, const sweep_row& row);

}  // namespace pivotscope
