#include "viz/models/latches.hpp"

#include <algorithm>

namespace pivotscope::viz {
namespace {

using kind = shared_access::kind;

class latch_watch {
 public:
  latch_watch(const latched_model& model, std::size_t accesses) : model_(model), accesses_(accesses) {}

  void see(std::size_t i, const shared_access& a) {
    if (a.what == kind::fence) return let_go_late(i, a.task);
    const auto latch = model_.latch_in(a.region, a.byte, a.bytes);
    if (!latch || (a.what == kind::load && !latch->is_polled)) return;
    const bool was = latch->is_held(a.before), is = latch->is_held(a.after);
    const auto holder = held_now(latch->at);
    const bool own = holder && story_.held[*holder].task == a.task;
    if (!is && own)
      a.late ? late_.push_back(*holder) : let_go(i, *holder);
    else if (was && holder && !own)
      story_.waits.push_back({i, *holder});
    else if (!was && is)
      take(i, a.task, *latch);
  }
  latch_story story() && { return std::move(story_); }

 private:
  std::optional<std::size_t> held_now(cell_ref at) const {
    for (std::size_t h = 0; h < story_.held.size(); ++h)
      if (story_.held[h].at == at && story_.held[h].end == accesses_) return h;
    return std::nullopt;
  }
  void take(std::size_t i, u32 task, const latch_in_word& latch) {
    u32 lane = 0;
    const auto is_taken = [&](const latch_held& h) { return h.task == task && h.end == accesses_ && h.lane == lane; };
    while (std::any_of(story_.held.begin(), story_.held.end(), is_taken)) ++lane;
    story_.held.push_back({task, latch.at, latch.name, latch.is_claim, i, accesses_, lane});
  }
  void let_go(std::size_t i, std::size_t held) {
    story_.held[held].end = i + 1;
    std::erase(late_, held);
  }
  void let_go_late(std::size_t i, u32 task) {
    for (const std::size_t held : std::vector(late_))
      if (story_.held[held].task == task) let_go(i, held);
  }

  const latched_model& model_;
  std::size_t accesses_;
  latch_story story_;
  std::vector<std::size_t> late_;  // let go, which others do not see yet
};

}  // namespace

const latch_wait* latch_story::wait_at(std::size_t access) const {
  const auto at = std::lower_bound(waits.begin(), waits.end(), access,
                                   [](const latch_wait& wait, std::size_t i) { return wait.access < i; });
  return at != waits.end() && at->access == access ? &*at : nullptr;
}

u32 latch_story::lanes() const {
  u32 lanes = 0;
  for (const latch_held& h : held) lanes = std::max(lanes, h.lane + 1);
  return lanes;
}

latch_story latches_of(const index_model& model, std::span<const shared_access> accesses) {
  const latched_model* const tells = latched(model);
  if (!tells) return {};
  latch_watch watch(*tells, accesses.size());
  for (std::size_t i = 0; i < accesses.size(); ++i) watch.see(i, accesses[i]);
  return std::move(watch).story();
}

}  // namespace pivotscope::viz
