// Which index to take: one answer out of what was measured here, what was measured elsewhere, and the papers' rule, in
// that order, with how it is known and, where it was measured, how much faster it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/tuning/adviser.hpp"
#include "core/tuning/autotuner.hpp"
#include "core/tuning/known_faster.hpp"

namespace pivotscope {

enum class known_by : u8 {
  measurement,  // on this machine, of this batch
  elsewhere,    // on other hardware, of workloads like this one
  papers_rule,  // lightweight, Section 6.1
};
std::string_view known_by_words(known_by how);  // "measured here"

// As many times the operations a second.
struct times_faster {
  double times = 1;
  bool told = true;  // false: the runs do not tell the two apart
};
std::string times_words(double times);  // "1.04 times", "2.3 times", "12 times"

struct recommendation {
  index_config config = {};
  known_by how = known_by::papers_rule;
  std::vector<advice_reason> reasons = {};
  bool in_use = false;                           // it is the current config
  std::optional<times_faster> of_current = {};   // beside the current config; nothing: not measured, or in use
  std::optional<times_faster> of_standard = {};  // beside std::lower_bound; nothing: not measured
};

struct recommendation_question {
  index_config current = {};
  const tuning* measured = nullptr;  // here, of this batch; null: nothing was
  const tuned_config* current_alone =
      nullptr;  // runs of the whole batch with the current config, made apart from it; or null
  const known_row* same_method = nullptr;  // known_faster() of the current config
};
recommendation recommend(const advice& given, const recommendation_question& question);

}  // namespace pivotscope
