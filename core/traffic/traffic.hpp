// traffic: what the point lookups of a config move. It is counted from traces: a sample of whole tiles is traced, in
// warps as on the GPU, and what a warp touches together counts once. A model then gives the least time that a GPU of
// known rates can take. docs/traffic.md says what the model leaves out.
#pragma once

#include <algorithm>
#include <array>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/common/job_control.hpp"
#include "core/common/outcome.hpp"
#include "core/config/index_config.hpp"
#include "core/index/model.hpp"
#include "core/memory_benchmark/device_rates.hpp"

namespace pivotscope {

class stored_index;
struct machine_info;
class key_array;

inline constexpr u32 sector_bytes = 32;  // the least that L1 requests from L2
inline constexpr u32 atom_bytes = 64;    // the least that L2 requests from DRAM (docs/measuring.md)
inline constexpr u32 line_bytes = 128;   // what one pass of L1 serves

// The GPU that is modelled.
struct traffic_machine {
  u64 l1_bytes = 256 * 1024;        // per multiprocessor, shared memory included: H100, H200
  u64 l2_bytes = 60 * 1024 * 1024;  // H200
  u32 processors = 132;             // H200
  u32 threads = 2048;               // resident in a multiprocessor
  u32 blocks = 32;
  device_rates rates = {};  // an H200's
};

// Returns the GPU that a machine is; for a CPU, whose cache says nothing about a GPU, an H200. `rates`: of that GPU.
traffic_machine modelled_gpu(const machine_info& on, device_rates rates = {});

// The requests of a warp in its steps, as sums over all steps. What the lanes of a step touch together counts once.
struct warp_requests {
  u64 loads = 0;  // of single lanes
  u64 bytes = 0;  // that the lanes get
  u64 sectors = 0, atoms = 0, lines = 0;

  bool operator==(const warp_requests&) const = default;
};

// Requests, by the number of sectors of a line that each brings: 1 to 4.
using line_requests = std::array<double, 5>;
constexpr double sectors_of(const line_requests& r) { return r[1] + 2 * r[2] + 3 * r[3] + 4 * r[4]; }

// Sums over the sampled lookups.
struct traffic {
  u64 lookups = 0, tiles = 0;
  u64 steps = 0;            // of lookups
  warp_requests within_l2;  // to levels that L2 can hold
  warp_requests past_l2;    // to the other levels
  u64 scratch_bytes = 0;    // that the lanes get from scratch
  // Requests past L1, by how many sectors of a line (1 to 4) each brings; and past L2, by how many atoms (1 or 2). What
  // the warp's 32 lookups touched before counts once; in a sorted tile, what the tile's other lookups touched as well.
  // A request to the first level that L1 cannot hold whole counts as the part of the level that L1 has no room for.
  line_requests l2_requests = {};
  std::array<u64, 3> dram_requests = {};
  // Requests past L1 to lines anywhere in the index: to levels whose keys are scattered, and to those past L2.
  double scattered_requests = 0;
  // Steps that warps take one after another, by what the slowest load of each waits for. A step
  // without loads does not count.
  struct step_waits {
    double l1 = 0, l2 = 0, dram = 0;  // scratch counts as L1
  } waits = {};
  u64 fill_bytes = 0;                // of the keys with which one block fills its scratch
  line_requests fill_requests = {};  // of the block's warps, for that
  bool fill_in_l1 = false;
  u32 l1_levels = 0, l2_levels = 0;  // levels from the root down that the cache can hold
  u64 index_bytes = 0;
  u64 past_l2_bytes = 0;     // of the levels that L2 cannot hold
  std::vector<u32> answers;  // of the sampled lookups, in the order of the batch

  u64 loads() const { return within_l2.loads + past_l2.loads; }
  u64 bytes() const { return within_l2.bytes + past_l2.bytes; }
  u64 sectors() const { return within_l2.sectors + past_l2.sectors; }
  u64 atoms() const { return within_l2.atoms + past_l2.atoms; }
  u64 lines() const { return within_l2.lines + past_l2.lines; }
  double l2_sectors() const { return sectors_of(l2_requests); }
  u64 dram_atoms() const { return dram_requests[1] + 2 * dram_requests[2]; }
};

// Returns how many levels from the root down fit into `bytes` together. A level whose keys lie scattered (AO) takes
// `block` bytes per key; the last step of AO takes the whole array.
u32 levels_that_fit(const index_model& model, u64 bytes, u32 block);

// Counts over the first tiles of `lookups` that together have `sample` of them, or over all. The
// index may be on any machine.
outcome<traffic> count_traffic(const stored_index& index, const key_array& lookups, u64 sample,
                               const traffic_machine& gpu, const job_control& control);

// The least time that `lookups` lookups can take by the model. It is the greatest of: what L1 needs for its
// passes over lines; what L2 needs for the sectors; what pages need for requests scattered over the index, where
// that was measured; what DRAM needs for the atoms and the batch itself; and latency: the steps that the resident
// warps take one after another.
struct traffic_prediction {
  u64 lookups = 0;
  double fill_bytes = 0;  // to fill scratch, in sectors; per lookup
  double l1_ms = 0, l2_ms = 0, pages_ms = 0, dram_ms = 0, latency_ms = 0;
  double ms() const { return std::max({l1_ms, l2_ms, pages_ms, dram_ms, latency_ms}); }
  // Returns the name of the greatest: "L1", "L2", "pages", "DRAM", "latency".
  std::string_view bound() const {
    return ms() == l1_ms      ? "L1"
           : ms() == l2_ms    ? "L2"
           : ms() == pages_ms ? "pages"
           : ms() == dram_ms  ? "DRAM"
                              : "latency";
  }
  double lookups_per_second() const { return ms() == 0 ? 0 : static_cast<double>(lookups) * 1e3 / ms(); }
};
traffic_prediction predict(const traffic& counted, const index_config& config, u64 lookups, const traffic_machine& gpu);

// "model: counted from traces; the least time by the rates of an NVIDIA H200, which are built in"
std::string traffic_model_words(const device_rates& rates);

void to_json(nlohmann::json& json, const traffic& counted);
// `words`: traffic_model_words().
nlohmann::json prediction_json(const traffic_prediction& prediction, const std::string& words);

}  // namespace pivotscope
