#include "core/bucket_scene/bucket_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/index/answer_words.hpp"
#include "core/index/step_words.hpp"

namespace pivotscope {

u64 bucket_words::searched() const { return searched_key(trace_); }

std::string bucket_words::first_bucket_words(u64 key, u64 least_representative) {
  return fmt::format("{} is not greater than the least representative, {}: bucket 0, without a ray.", key,
                     least_representative);
}

void bucket_words::tell_steps(const std::function<void(trace_step&, const trace_step*)>& tell) {
  for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
    trace_step& step = trace_.steps[i];
    tell(step, i + 1 < trace_.steps.size() ? &trace_.steps[i + 1] : nullptr);
    step.left_first = std::min(first_, end_), step.left_end = end_;
    step.left = count_left_words(step);
  }
  trace_.verdict = answer_words(trace_);
}

bool bucket_words::tell_found(trace_step& step, const trace_step* next) {
  if (next || trace_.row == not_found || !is_lookup()) return false;
  const comparison& entry = step.compared.back();
  first_ = entry.slot, end_ = entry.slot + 1;
  step.words = fmt::format("Slot {} has {}. Found.", entry.slot, entry.key);
  return true;
}

std::string bucket_words::first_words(const comparison& entry) const {
  return fmt::format("Slot {} has {}, the first that is {}.", entry.slot, entry.key,
                     takes_itself(trace_.asked) ? "not smaller" : "greater");
}

void bucket_words::tell_compared(trace_step& step) {
  const comparison& c = step.compared.back();
  const bool equal = c.met == relation::equal, smaller = c.met == relation::greater;  // than the searched key
  if (equal) {
    step.words = fmt::format("{} is equal: it or one before it is the first.", c.key);
  } else {
    step.words = step.compared.size() > 1 ? fmt::format("{} entries are read. ", step.compared.size()) : "";
    step.words += fmt::format("{} is {} than {}.", c.key, smaller ? "less" : "greater", searched());
  }
  if (smaller)
    first_ = c.slot + 1;
  else
    end_ = std::max(first_, !is_lookup() || equal ? c.slot + 1 : c.slot);
}

std::string bucket_words::inside_words(u64 inside) {
  return fmt::format("{} of these keys {} in the range.", inside == 0 ? "None" : std::to_string(inside),
                     inside == 1 ? "is" : "are");
}

std::string bucket_words::scan_end_words(const comparison& last) const {
  return fmt::format(" {} is greater than {}: the scan ends.", last.key, trace_.range->high);
}

}  // namespace pivotscope
