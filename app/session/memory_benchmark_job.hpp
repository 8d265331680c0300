// A device's memory benchmark (core/memory_benchmark), run as one piece and kept in the cache folder.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/session/background_job.hpp"

namespace pivotscope {

// Returns what is kept of the machines that there are.
viz::known_memory_benchmarks kept_memory_benchmarks(const std::vector<machine_report>& machines,
                                                    const std::string& cache_folder);

class memory_benchmark_job : public background_job {
 public:
  memory_benchmark_job(board& shared, machine_kind on, std::string cache_folder, time_source now);

  void begin() override;
  std::shared_ptr<job_control> control(timing_turns* turns) override;
  bool go_on(pivotscope::machine& on, const job_control& control) override;
  bool end(const problem& why) override;
  void stop() override;

 private:
  void put_on(viz::session_view& view) override { view.benchmarking = state_; }

  std::string cache_folder_;
  viz::memory_benchmark_state state_;
};

}  // namespace pivotscope
