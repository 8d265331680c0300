// A JSON file that ends with a checksum of itself: of what was damaged, a digit of a figure too, no byte is believed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/common/outcome.hpp"

namespace pivotscope {

// 16 hexadecimal digits of XXH3.
std::string checksum_text(std::string_view bytes);

// The text of a JSON object with a last field, "checksum", behind the others: checksum_text() of all that stands before
// it. `text` ends as nlohmann's dump(1) does, with "\n}\n".
std::string sealed(std::string_view text);

enum class seal : unsigned char { right, wrong, none };

// Whether the text is as sealed() made it, byte by byte. None: no such field stands at its end; a file from before
// there was one, or a damaged one: its format tells.
seal seal_of(std::string_view text);

// The JSON of such a text, whose "format" is `format`; of one before there were seals it is one less, and no checksum
// stands in it. Problem: it is damaged, or of another format.
outcome<nlohmann::json> parse_sealed(std::string_view text, int format);

}  // namespace pivotscope
