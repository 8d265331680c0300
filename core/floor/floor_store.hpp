// Floors on disk, one a device, which is its name and its driver: floors.json in the cache folder, beside the tunings
// (core/common/kept_entries.hpp).
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "core/floor/floor.hpp"
#include "core/measure/figure.hpp"

namespace pivotscope {

// Empty when there is no home. `cache_folder`: named by the user, or empty.
std::filesystem::path floor_path(const std::string& cache_folder = {});

// Never a failure: what cannot be read or understood is not there, and the note says so in words.
struct kept_floor {
  std::optional<device_floor> found = {};
  std::string note = {};
};
// `driver`: none: any, the newest first.
kept_floor load_floor(const std::filesystem::path& path, machine_kind kind, const std::string& name,
                      const std::optional<std::string>& driver);

// In place of what was kept for that device. The words that say that a file was set aside, or none.
outcome<std::string> keep_floor(const std::filesystem::path& path, const device_floor& what);

void to_json(nlohmann::json& json, const device_floor& what);
outcome<device_floor> floor_from_json(const nlohmann::json& json);

// What a point tells, as named values: the same names in the same order for every point.
figure_line figures_of(const floor_point& point);
// A line for each point that was measured, with what it was measured by and on behind its figures.
std::string floor_csv(const device_floor& what);

}  // namespace pivotscope
