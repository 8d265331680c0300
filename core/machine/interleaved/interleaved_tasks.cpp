#include "core/machine/interleaved/interleaved_tasks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/machine/interleaved/waiting_loop.hpp"

namespace pivotscope {
namespace {

// So often all of them may have waited, one after the other, until they are taken to wait for ever.
constexpr u32 most_rounds = 20;

}  // namespace

interleaved_tasks::interleaved_tasks(const shared_regions& begin, std::span<const interleaved_task> tasks,
                                     store_order stores, std::vector<shared_access>& seen)
    : memory_(begin), tasks_(tasks), seen_(seen), ended_(tasks.size(), false) {
  sources_.reserve(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i)
    sources_.emplace_back(memory_, begin, stores, static_cast<u32>(i), &seen_);
}

bool interleaved_tasks::all_ended() const {
  return std::ranges::all_of(ended_, [](bool ended) { return ended; });
}

void interleaved_tasks::fail(u32 task, std::string words) {
  ended_[task] = true;
  if (fault_.empty()) fault_ = std::move(words);
}

void interleaved_tasks::go_on(u32 task, u32 accesses) {
  interleaved_source& source = sources_[task];
  source.begin_turn(accesses);
  told_by_one_lane recorder;
  interleaved_memory memory(source, recorder);
  try {
    tasks_[task](memory);
    source.end_task();
    ended_[task] = true;
  } catch (const interleaved_source::turn_is_over&) {
  } catch (const interleaved_source::beyond_a_region& there) {
    fail(task, fmt::format("operation {} accesses byte {} of region {}, which is not there", task, there.byte,
                           number_of(there.region)));
  } catch (const told_by_one_lane::not_told& there) {
    fail(task, fmt::format("operation {} loads byte {} of region {} in all lanes, which may see different values", task,
                           there.byte, number_of(there.region)));
  }
}

turn_taken interleaved_tasks::take(turn t) {
  turn_taken taken{seen_.size(), seen_.size()};
  if (t.task >= tasks_.size()) return taken;
  while (!ended_[t.task]) {
    const auto done = static_cast<u32>(seen_.size() - taken.first);
    if (done == t.accesses) break;
    go_on(t.task, std::min(t.accesses - done, longest_wait));
    if (ended_[t.task] || seen_.size() - taken.first == t.accesses) break;
    const auto turn_so_far = std::span(seen_).subspan(taken.first);
    if (const std::optional<waiting_loop> loop = loop_at_end(turn_so_far)) {
      taken.end = taken.first + loop->first + loop->accesses;
      taken.waits = true;
      if (const u64 over = (turn_so_far.size() - loop->first) % loop->accesses; over > 0)
        go_on(t.task, static_cast<u32>(loop->accesses - over));
      return taken;
    }
    if (sources_[t.task].accesses() >= longest_task) {
      fail(t.task, fmt::format("operation {} has not come to its end after {} accesses, and they do not repeat", t.task,
                               sources_[t.task].accesses()));
    }
  }
  taken.end = seen_.size();
  return taken;
}

interleaved_end interleaved_tasks::end() {
  for (u32 round = 0; round < most_rounds && !all_ended(); ++round)
    for (u32 task = 0; task < tasks_.size(); ++task) take({task});
  if (fault_.empty() && !all_ended()) fault_ = "the operations wait for each other";
  interleaved_end out{std::move(memory_), {}, fault_.empty(), fault_};
  for (const interleaved_source& source : sources_) out.accesses.push_back(source.accesses());
  return out;
}

bool judged_right(const schedule& s, const interleaved_end& end, const interleaving_judge& judge,
                  interleaving_report& report) {
  ++report.schedules;
  std::string words = end.ended ? judge(end) : end.fault;
  if (words.empty()) return true;
  report.failing = s;
  report.words = std::move(words);
  return false;
}

}  // namespace pivotscope
