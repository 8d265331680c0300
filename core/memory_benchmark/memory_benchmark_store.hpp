// Floors on disk, one a device, which is its name and its driver: floors.json in the cache folder, beside the tunings
// (core/common/json_store.hpp).
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "core/memory_benchmark/memory_benchmark.hpp"
#include "core/statistics/figure.hpp"

namespace pivotscope {

// Empty when there is no home. `cache_folder`: named by the user, or empty.
std::filesystem::path memory_benchmark_path(const std::string& cache_folder = {});

// Never a failure: what cannot be read or understood is not there, and the note says so in words.
struct kept_memory_benchmark {
  std::optional<memory_benchmark> found = {};
  std::string note = {};
};
// `driver`: none: any, the newest first.
kept_memory_benchmark load_memory_benchmark(const std::filesystem::path& path, machine_kind kind,
                                            const std::string& name, const std::optional<std::string>& driver);

// In place of what was kept for that device. The words that say that a file was set aside, or none.
outcome<std::string> keep_memory_benchmark(const std::filesystem::path& path, const memory_benchmark& what);

void to_json(nlohmann::json& json, const memory_benchmark& what);
outcome<memory_benchmark> memory_benchmark_from_json(const nlohmann::json& json);

// What a point tells, as named values: the same names in the same order for every point.
figure_line figures_of(const benchmark_point& point);
// A line for each point that was measured, with what it was measured by and on behind its figures.
std::string memory_benchmark_csv(const memory_benchmark& what);

}  // namespace pivotscope
