// The rows of a sweep, one after the other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/session/background_job.hpp"
#include "core/machine/machine_source.hpp"

namespace pivotscope {

class sweep_job : public background_job {
 public:
  // Goes on behind what the board has of the same sweep, scale and machine.
  // `cache_folder`: where a GPU's memory benchmark may be kept, whose rates the traffic model takes.
  sweep_job(board& shared, const viz::sweep_request& asked, machine_kind on, machine_source machines,
            std::string cache_folder, time_source now);

  void begin() override;
  bool go_on(pivotscope::machine& on, const job_control& control) override;
  bool end(const problem& why) override;
  void stop() override;

 private:
  void put_on(viz::session_view& view) override { view.sweeping = state_; }
  void keep();

  machine_source machines_;
  std::string cache_folder_;
  u32 scale_;
  std::shared_ptr<const sweep> what_;
  viz::sweeping state_;
  std::vector<sweep_point> points_;
  machine_info machine_info_;
};

}  // namespace pivotscope
