// bucket_words: what traces say alike of lookups that search sorted entries of buckets, once rays have found these. The
// family's teller inherits it, and says what is its own: of buckets, or of nodes.
#pragma once

#include <functional>
#include <string>

#include "core/index/lookup_trace.hpp"

namespace pivotscope {

class bucket_words {
 protected:
  // `end`: of the cells that may have what is asked for.
  bucket_words(lookup_trace& trace, u64 end) : trace_(trace), end_(end) {}

  u64 searched() const;
  bool is_lookup() const { return !trace_.range && !trace_.successor; }
  // The begin of a search that casts no ray, as the key is not greater than the least representative.
  static std::string first_bucket_words(u64 key, u64 least_representative);

  // Calls tell(step, the next one or null) for all steps, says of each what it leaves, and then the trace's verdict.
  void tell_steps(const std::function<void(trace_step& step, const trace_step* next)>& tell);

  // Tells a step that arrived at the entry that is asked for. Returns false if it did not.
  bool tell_found(trace_step& step, const trace_step* next);
  // "Slot 7 has 19, the first that is not smaller."
  std::string first_words(const comparison& entry) const;
  // Tells a step that compared entries, and takes what it leaves.
  void tell_compared(trace_step& step);
  // "2 of these keys are in the range."; "None of these keys are in the range."
  static std::string inside_words(u64 inside);
  // " 22 is greater than 20: the scan ends."
  std::string scan_end_words(const comparison& last) const;

  lookup_trace& trace_;
  u64 first_ = 0, end_;  // cells of the main region that may still have what is asked for
};

}  // namespace pivotscope
