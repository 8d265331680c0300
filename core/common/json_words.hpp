// What is said of JSON that is damaged: never the library's own words, which no user can act on.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace pivotscope {

// "it is no JSON from byte 17 on", "the field 'rows' is missing", "a field is of another kind than it should be".
std::string json_words(const nlohmann::json::exception& fault);

}  // namespace pivotscope
