// Parts of the JSON that all kinds of records share: docs/json.md.
#pragma once

#include <nlohmann/json.hpp>

#include "core/common/json_words.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

nlohmann::json time_json(const stage_time& time);
nlohmann::json conditions_json(const measuring_conditions& met);
nlohmann::json kernel_json(const kernel_info& kernel);
nlohmann::json machine_json(const machine_info& info);
// Reads what machine_json() made. `driver` may be missing: the format got it later. Throws what the JSON library throws
// if another field is missing or of another type.
outcome<machine_info> machine_from_json(const nlohmann::json& json);

// Returns f(), or as a problem the words of what the JSON library or a check of a value throws.
template <class F>
auto in_words(F&& f) -> outcome<decltype(f())> {
  try {
    return f();
  } catch (const nlohmann::json::exception& e) {
    return problem{json_words(e)};
  } catch (const std::invalid_argument& e) {
    return problem{e.what()};
  }
}

}  // namespace pivotscope
