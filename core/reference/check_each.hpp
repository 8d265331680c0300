// Checks answers one by one, in parallel.
#pragma once

#include <atomic>

#include "core/common/expect.hpp"
#include "core/common/job_control.hpp"
#include "core/common/parallel.hpp"
#include "core/reference/answer_checker.hpp"

namespace pivotscope {

// Calls right(i) for all i < count, in parallel, and looks at the control after every `grain` answers. found(i) returns
// true if answer i found something. wrong_words(i) is called for the first answer that is not right.
template <class Right, class Found, class Words>
check_report check_each(u64 count, u64 grain, const job_control& control, const Right& right, const Found& found,
                        const Words& wrong_words) {
  std::atomic<u64> wrong{0}, finds{0}, done{0}, first_wrong{~0ull};
  parallel_parts(count, grain, [&](const index_part& part) {
    u64 wrong_here = 0, found_here = 0;
    for (u64 i = part.begin(); i < part.end(); ++i) {
      if ((i - part.begin()) % grain == 0 && control.cancelled()) return;
      found_here += found(i);
      if (right(i)) continue;
      ++wrong_here;
      for (u64 seen = first_wrong; i < seen && !first_wrong.compare_exchange_weak(seen, i);) {
      }
    }
    wrong += wrong_here, finds += found_here;
    control.progress("checking", static_cast<double>(done += part.size()) / static_cast<double>(count));
  });
  check_report report{count, wrong, finds, {}};
  PIVOTSCOPE_EXPECT(report.wrong <= count && report.found <= count);
  PIVOTSCOPE_EXPECT(report.wrong == 0 || first_wrong < count);
  if (report.wrong > 0) report.first_wrong = wrong_words(first_wrong);
  return report;
}

}  // namespace pivotscope
