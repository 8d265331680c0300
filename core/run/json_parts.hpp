// Parts of the JSON of records of all kinds: docs/json.md.
#pragma once

#include <nlohmann/json.hpp>

#include "core/common/json_words.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

nlohmann::json time_json(const stage_time& time);
nlohmann::json conditions_json(const measuring_conditions& met);
nlohmann::json kernel_json(const kernel_info& kernel);
nlohmann::json machine_json(const machine_info& info);
// As machine_json() made it; `driver` came later than the format. Throws what the library throws of what is not there, or
// of another kind.
outcome<machine_info> machine_from_json(const nlohmann::json& json);

// f(), or the words of what the library or a check of a value throws.
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
