#include "app/session/verification_job.hpp"

#include <memory>

#include "core/index/config_text.hpp"

namespace pivotscope {
namespace {

// A machine that is wrong is wrong in most cases: a few tell what it is.
constexpr std::size_t most_failing = 20;

}  // namespace

verification_job::verification_job(board& shared, const viz::verify_request& asked, machine_kind on, time_source now)
    : background_job(shared, on, std::move(now)),
      generator_({.seed = asked.seed, .most_keys = asked.most_keys, .configs = standard_configs(on)}) {
  state_.asked = asked;
  state_.machine = on;
}

void verification_job::begin() {
  state_.running = state_.asked.cases > 0;
  show();
}

bool verification_job::go_on(pivotscope::machine& on, const job_control& control) {
  if (state_.done == state_.asked.cases) return end({});
  case_counts counts = state_.counts;
  const auto failure = verify_one(on, generator_, state_.done, counts, control);
  if (!failure && failure.error().cancelled) return true;
  if (!failure) return end(failure.error());
  configs_.insert(to_line(generator_.draw(state_.done).config));
  state_.counts = counts;
  state_.configs = configs_.size();
  if (*failure) take((*failure)->first, (*failure)->second);
  ++state_.done;
  if (state_.done == state_.asked.cases || failing_.size() == most_failing) return end({});
  *failure ? show() : show_in_time();
  return true;
}

void verification_job::take(const verify_case& c, const case_failure& failure) {
  failing_.push_back({.number = state_.done,
                      .config = c.config,
                      .load = c.load,
                      .key = failure.asked,
                      .words = failure.words,
                      .line = command_line(c, failure, state_.machine)});
  state_.failing = std::make_shared<const std::vector<viz::failing_case>>(failing_);
}

bool verification_job::end(const problem& why) {
  state_.running = false;
  state_.problem = why.words;
  show();
  return false;
}

void verification_job::stop() {
  state_.running = false;
  state_.stopped = true;
  show();
}

}  // namespace pivotscope
