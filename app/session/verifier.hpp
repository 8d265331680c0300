// Random cases against the reference, one after the other, told on the board. The worker's: it says when the next one is
// to be checked, and on which machine.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/session/board.hpp"
#include "core/verify/cases.hpp"

namespace pivotscope {

class verifier {
 public:
  verifier(board& shared, const viz::verify_request& asked, machine_kind on, time_source now);

  machine_kind machine() const { return state_.machine; }
  void begin();
  // Checks the next case; one that is cancelled stays the next. False: that was the last, or there will be no more.
  bool next(pivotscope::machine& on, const job_control& control);
  bool end(const problem& why);  // false, as next()
  void stop();                   // the user's

 private:
  void take(const verify_case& c, const case_failure& failure);
  void show();

  board& board_;
  time_source now_;
  case_generator generator_;
  viz::verification state_;
  std::set<std::string> configs_;  // their lines
  std::vector<viz::failing_case> failing_;
  std::chrono::steady_clock::time_point shown_at_;
};

}  // namespace pivotscope
