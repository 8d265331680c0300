// Parts of the JSON of records of all kinds: docs/json.md.
#pragma once

#include <nlohmann/json.hpp>

#include "core/machine/machine.hpp"

namespace pivotscope {

nlohmann::json time_json(const stage_time& time);
nlohmann::json conditions_json(const measuring_conditions& met);
nlohmann::json kernel_json(const kernel_info& kernel);
nlohmann::json machine_json(const machine_info& info);

}  // namespace pivotscope
