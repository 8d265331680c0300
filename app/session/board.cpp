#include "app/session/board.hpp"

#include <algorithm>
#include <utility>

#include "core/common/expect.hpp"
#include "core/common/plain_words.hpp"

namespace pivotscope {

board::board(viz::session_choice start, std::function<void()> wake, time_source now)
    : wake_(std::move(wake)), now_(std::move(now)) {
  view_.choice = std::move(start);
  view_.runs = std::make_shared<const std::vector<viz::session_run>>();
}

viz::session_view board::copy() const {
  const std::lock_guard lock(mutex_);
  viz::session_view out = view_;
  if (out.job.running) {
    out.job.elapsed_s = seconds_between(stage_began_, now_());
    // An estimate from the first two hundredths would be a guess.
    if (out.job.fraction >= 0.02 && out.job.elapsed_s > 0.2)
      out.job.remaining_s = out.job.elapsed_s * (1 - out.job.fraction) / out.job.fraction;
  }
  return out;
}

viz::session_choice board::choice() const {
  const std::lock_guard lock(mutex_);
  return view_.choice;
}

void board::progress(std::string_view stage, double fraction) {
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    viz::job_state& job = view_.job;
    const auto now = now_();
    if (job.stage != stage) {
      job.stage = stage;
      stage_began_ = now;
    }
    PIVOTSCOPE_EXPECT(fraction <= 1);  // nor is it NaN: what remains is estimated from it
    job.fraction = fraction;
    if (now - last_wake_ > std::chrono::milliseconds(33)) {
      last_wake_ = now;
      wake = true;
    }
  }
  if (wake) wake_();
}

void board::job_asked() {
  change_quietly([&](viz::session_view& view) {
    if (view.job.running) return;
    view.job = {};
    view.job.running = true;
    view.job.stage = "starting";
    stage_began_ = now_();
  });
}

void board::job_begins(std::string_view stage) {
  change([&](viz::session_view& view) {
    view.job = {};
    view.job.running = true;
    view.job.stage = stage;
    stage_began_ = now_();
  });
}

void board::job_ends(bool stopped_by_user) {
  change_quietly([&](viz::session_view& view) {
    view.job = {};
    view.job.stopped = stopped_by_user;
  });
}

void board::forget_choice(viz::session_view& view) {
  std::erase_if(view.notices, [](const viz::notice& n) { return n.of_choice; });
}

void board::tell(viz::notice what) {
  what.words = plain_lines(what.words);
  change([&](viz::session_view& view) {
    const bool known = std::any_of(view.notices.begin(), view.notices.end(),
                                   [&](const viz::notice& n) { return n.words == what.words; });
    if (!known) view.notices.push_back(std::move(what));
  });
}

}  // namespace pivotscope
