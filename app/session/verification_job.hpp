// Random cases against the reference, one a piece.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/session/background_job.hpp"
#include "core/verify/cases.hpp"

namespace pivotscope {

class verification_job : public background_job {
 public:
  verification_job(board& shared, const viz::verify_request& asked, machine_kind on, time_source now);

  void begin() override;
  // No pass is timed, so frames need not wait.
  std::shared_ptr<job_control> control(timing_turns*) override { return std::make_shared<job_control>(); }
  bool go_on(pivotscope::machine& on, const job_control& control) override;
  bool end(const problem& why) override;
  void stop() override;

 private:
  void take(const verify_case& c, const case_failure& failure);
  void put_on(viz::session_view& view) override { view.verified = state_; }

  case_generator generator_;
  viz::verification state_;
  std::set<std::string> configs_;  // their lines
  std::vector<viz::failing_case> failing_;
};

}  // namespace pivotscope
