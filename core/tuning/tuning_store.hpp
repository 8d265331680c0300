// Tunings on disk: for each device, workload and what was required of the index, the last ranking. One JSON file beside
// the compiled kernels: $PIVOTSCOPE_CACHE, else $XDG_CACHE_HOME/pivotscope, else ~/.cache/pivotscope.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "core/tuning/autotuner.hpp"

namespace pivotscope {

// Empty when there is no home. `cache_folder`: named by the user, or empty.
std::filesystem::path tuning_path(const std::string& cache_folder = {});

// What a kept tuning answers. `workload` is its line, or any words that name the keys and lookups.
struct tuning_question {
  machine_kind kind = machine_kind::cpu;
  std::string machine = {};
  std::string workload = {};
  key_width width = key_width::u32;
  bool ascending = false, smallest = false;
};

// Never a failure: what cannot be read or understood is not there, and the note says so in words.
struct kept_tuning {
  std::optional<tuning> found = {};
  std::string note = {};
};
kept_tuning load_tuning(const std::filesystem::path& path, const tuning_question& question);

// In place of what was kept for that machine, workload and requirement; a whole_file, under a lock, so that of several
// who keep at once none is lost. A file that cannot be understood is set aside and begun anew: the words that say so,
// or none. One that cannot be read is a problem and stays.
outcome<std::string> keep_tuning(const std::filesystem::path& path, const std::string& workload, const tuning& what);

void to_json(nlohmann::json& json, const tuning& what);
outcome<tuning> tuning_from_json(const nlohmann::json& json);

}  // namespace pivotscope
