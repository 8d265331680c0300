// try_two_switches: schedules "first:a second:b third", then the rest. Of schedules that leave the same, one is tried:
// the one whose switches come before shared accesses (docs/updates.md has the argument).
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/machine/interleaved/interleaved_tasks.hpp"
#include "core/machine/interleaved/shared_bytes.hpp"

namespace pivotscope {
namespace {

// What the accesses of a task's first turn touch, if it is a turn to the end. Of a task that waits, up to the end of
// the first round of its loop: after a round it is as it was before it.
struct whole_turn {
  std::vector<std::vector<touched_bytes>> accesses;
  bool waits = false;
};

// Of the keys of sets: a turn has no order of its own.
struct in_order {
  bool operator()(const std::vector<turn>& a, const std::vector<turn>& b) const {
    const auto numbers = [](const turn& t) { return std::pair(t.task, t.accesses); };
    return std::ranges::lexicographical_compare(a, b, {}, numbers, numbers);
  }
};

class two_switches {
 public:
  two_switches(const shared_regions& begin, std::span<const interleaved_task> tasks, store_order stores,
               const interleaving_judge& judge, const job_control& control, interleaving_report& report)
      : begin_(begin),
        tasks_(tasks),
        stores_(stores),
        judge_(judge),
        control_(control),
        report_(report),
        shared_(begin) {}

  // Returns false if a schedule is wrong, or if all were cancelled.
  bool all_hold() {
    // A schedule may touch what none did before it. Then more accesses are shared, and there are more places to switch.
    do {
      touched_more_ = false;
      for (u32 first = 0; first < count(); ++first)
        if (!all_hold_from(first)) return false;
    } while (touched_more_);
    return true;
  }

 private:
  u32 count() const { return static_cast<u32>(tasks_.size()); }

  bool all_hold_from(u32 first) {
    if (!holds({{first}})) return false;
    const whole_turn& alone = turns_.at(std::vector<turn>{{first}});
    for (const u32 a : places(first, alone)) {
      for (u32 second = 0; second < count(); ++second)
        if (second != first && !all_hold_from({first, a}, second)) return false;
    }
    // Behind its end the first task may still stand before two others that meet.
    for (u32 second = 0; !alone.waits && second < count(); ++second)
      if (second != first && !all_hold_from({first}, second)) return false;
    return true;
  }
  bool all_hold_from(turn first, u32 second) {
    const auto with_each_third = [&](turn meanwhile) {
      for (u32 third = 0; third < count(); ++third) {
        const bool goes_on = third != second && (third != first.task || first.accesses != turn::to_the_end);
        if (goes_on && !holds({first, meanwhile, {third}})) return false;
      }
      return true;
    };
    if (!with_each_third({second})) return false;
    const auto whole = turns_.find(std::vector<turn>{first, {second}});
    if (whole == turns_.end()) return true;  // two tasks, one after the other
    for (const u32 b : places(second, whole->second))
      if (!with_each_third({second, b})) return false;
    return true;
  }

  // Returns after how many accesses of its turn a task is switched from.
  std::vector<u32> places(u32 task, const whole_turn& turn) const {
    std::vector<u32> list;
    for (u32 done = 1; done < turn.accesses.size(); ++done) {
      const auto is_shared = [&](const touched_bytes& t) { return shared_.is_shared(task, t); };
      if (std::ranges::any_of(turn.accesses[done], is_shared)) list.push_back(done);
    }
    return list;
  }

  bool holds(const std::vector<turn>& turns) {
    if (!tried_.insert(turns).second) return true;
    report_.cancelled = control_.cancelled();
    if (report_.cancelled) return false;
    seen_.clear();
    interleaved_tasks running(begin_, tasks_, stores_, seen_);
    std::vector<turn_taken> taken;
    taken.reserve(turns.size());
    for (const turn& t : turns) taken.push_back(running.take(t));
    const interleaved_end end = running.end();
    if (!judged_right({turns, stores_}, end, judge_, report_)) return false;
    keep_touched(turns, taken);
    return true;
  }

  void keep_touched(const std::vector<turn>& turns, const std::vector<turn_taken>& taken) {
    // The turn that was the first of its task and to its end: the first one, or the second.
    const std::size_t part = turns.size() == 1 ? 0 : 1;
    whole_turn whole{std::vector<std::vector<touched_bytes>>(taken[part].end - taken[part].first), taken[part].waits};
    std::vector<late_stores> late(tasks_.size());
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      each_touched(seen_[i], late[seen_[i].task], [&](const touched_bytes& t) {
        touched_more_ |= shared_.add(seen_[i].task, t);
        if (taken[part].first <= i && i < taken[part].end) whole.accesses[i - taken[part].first].push_back(t);
      });
    }
    if (turns[part].accesses != turn::to_the_end) return;
    turns_.emplace(std::vector<turn>(turns.begin(), turns.begin() + static_cast<std::ptrdiff_t>(part) + 1),
                   std::move(whole));
  }

  const shared_regions& begin_;
  std::span<const interleaved_task> tasks_;
  store_order stores_;
  const interleaving_judge& judge_;
  const job_control& control_;
  interleaving_report& report_;

  shared_bytes shared_;
  bool touched_more_ = false;
  std::set<std::vector<turn>, in_order> tried_;
  std::map<std::vector<turn>, whole_turn, in_order> turns_;  // by the turns up to it
  std::vector<shared_access> seen_;
};

}  // namespace

interleaving_report try_two_switches(const shared_regions& begin, std::span<const interleaved_task> tasks,
                                     const interleaving_judge& judge, const job_control& control) {
  interleaving_report report;
  for (const store_order stores : {store_order::at_once, store_order::late})
    if (!two_switches(begin, tasks, stores, judge, control, report).all_hold()) break;
  return report;
}

}  // namespace pivotscope
