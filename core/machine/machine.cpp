#include "core/machine/machine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/index/operations.hpp"

namespace pivotscope {

stopping_options batch_options::rule() const {
  return until ? *until : stopping_options{.fixed = std::max(1u, repeats)};
}

std::vector<machine_report> find_machines() { return {detail::report_cuda(), detail::report_cpu()}; }

outcome<std::unique_ptr<machine>> open_machine(machine_kind kind, const machine_options& options) {
  if (kind == machine_kind::cuda) return detail::open_cuda(options);
  return detail::open_cpu();
}

status check_batch_fits(const index_config& config, const batch& asked) {
  if (auto why = check_serves(config, asked.kind)) return problem{*why};
  if (is_write(asked.kind)) {
    return problem{fmt::format("{} make another index of this one: they are a script's (machine::update)",
                               operation_noun(asked.kind))};
  }
  const bool ends_fit = asked.kind != operation::range || asked.highs.width() == config.keys;
  if (asked.width() != config.keys || !ends_fit) {
    return problem{fmt::format("the {}' key width is not that of the index", operation_noun(asked.kind))};
  }
  if (asked.kind == operation::range && asked.highs.size() != asked.size())
    return problem{"the ranges have more ends of one kind than of the other"};
  return fine();
}

void count_found(batch_answers& answers, bool rows) {
  answers.ranges.assign(answers.found.size(), {});
  if (rows) answers.begins = {0};
  for (std::size_t i = 0; i < answers.found.size(); ++i) {
    const u32 row = answers.found[i];
    if (row == unanswered) answers.ranges[i] = unanswered_range;
    if (row != unanswered && row != not_found) {
      answers.ranges[i] = {1, row};
      if (rows) answers.rows.push_back(row);
    }
    if (rows) answers.begins.push_back(answers.rows.size());
  }
  answers.found.clear();
}

}  // namespace pivotscope
