#include "core/machine/interleaved/interleave.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/workload/generate/seeded_bijection.hpp"

namespace pivotscope {
namespace {

constexpr u32 longest_turn = 200;  // that a switch is tried after
// So often all of them may have waited, one after the other, until they are taken to wait for ever.
constexpr u32 most_rounds = 20;

class interleaver {
 public:
  interleaver(const shared_regions& begin, std::span<const interleaved_task> tasks, store_order stores,
              std::vector<shared_access>* seen = nullptr)
      : memory_(begin), tasks_(tasks), ended_(tasks.size(), false) {
    sources_.reserve(tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) sources_.emplace_back(memory_, stores, static_cast<u32>(i), seen);
  }

  void take(turn t) {
    if (t.task >= tasks_.size() || ended_[t.task]) return;
    interleaved_source& source = sources_[t.task];
    source.begin_turn(std::min(t.accesses, most_accesses_a_turn));
    no_recorder nobody;
    interleaved_memory memory(source, nobody);
    try {
      tasks_[t.task](memory);
      source.end_task();
      ended_[t.task] = true;
    } catch (const interleaved_source::turn_is_over&) {
    } catch (const interleaved_source::beyond_a_region& there) {
      ended_[t.task] = true;
      if (fault_.empty()) {
        fault_ = fmt::format("operation {} accesses byte {} of region {}, which is not there", t.task, there.byte,
                             number_of(there.region));
      }
    }
  }
  bool has_ended(u32 task) const { return ended_[task]; }

  interleaved_end end() {
    const auto all = [&] { return std::ranges::all_of(ended_, [](bool ended) { return ended; }); };
    for (u32 round = 0; round < most_rounds && !all(); ++round)
      for (u32 task = 0; task < tasks_.size(); ++task) take({task});
    if (fault_.empty() && !all()) fault_ = "the operations wait for each other";
    interleaved_end out{std::move(memory_), {}, fault_.empty(), fault_};
    for (const interleaved_source& source : sources_) out.accesses.push_back(source.accesses());
    return out;
  }

 private:
  shared_regions memory_;
  std::span<const interleaved_task> tasks_;
  std::vector<bool> ended_;
  std::string fault_;
  std::vector<interleaved_source> sources_;
};

struct trial {
  const shared_regions& begin;
  std::span<const interleaved_task> tasks;
  const interleaving_judge& judge;
  const job_control& control;
  interleaving_report report = {};

  // False: it is wrong, or all were cancelled. `second_ended`: had the task of its second turn come to its end by then?
  bool holds(const schedule& s, bool* second_ended = nullptr) {
    report.cancelled = control.cancelled();
    if (report.cancelled) return false;
    interleaver machine(begin, tasks, s.stores);
    for (std::size_t i = 0; i < s.turns.size(); ++i) {
      machine.take(s.turns[i]);
      if (i == 1 && second_ended) *second_ended = machine.has_ended(s.turns[i].task);
    }
    const interleaved_end end = machine.end();
    ++report.schedules;
    std::string words = end.ended ? judge(end) : end.fault;
    if (words.empty()) return true;
    report.failing = s;
    report.words = std::move(words);
    return false;
  }

  // Every schedule that begins with so many accesses of `first`, goes on with `second` for a while, and then with a third task,
  // which may be the first again.
  bool holds_from(turn first, u32 second, store_order stores) {
    bool ended = false;
    for (u32 b = 1; !ended && b <= longest_turn; ++b) {
      for (u32 third = 0; third < tasks.size(); ++third)
        if (third != second && !holds({{first, {second, b}, {third}}, stores}, &ended)) return false;
    }
    return true;
  }
};

}  // namespace

interleaved_end interleave(const shared_regions& begin, std::span<const interleaved_task> tasks, const schedule& s,
                           std::vector<shared_access>* seen) {
  interleaver machine(begin, tasks, s.stores, seen);
  for (const turn& t : s.turns) machine.take(t);
  return machine.end();
}

interleaving_report try_two_switches(const shared_regions& begin, std::span<const interleaved_task> tasks,
                                     const interleaving_judge& judge, const job_control& control) {
  trial all{begin, tasks, judge, control};
  const auto count = static_cast<u32>(tasks.size());
  for (const store_order stores : {store_order::at_once, store_order::late}) {
    for (u32 first = 0; first < count; ++first) {
      if (!all.holds({{{first}}, stores})) return all.report;
      for (u32 a = 1; a <= longest_turn; ++a) {
        interleaver alone(begin, tasks, stores);
        alone.take({first, a});
        if (alone.has_ended(first)) break;  // no switch within it
        for (u32 second = 0; second < count; ++second)
          if (second != first && !all.holds_from({first, a}, second, stores)) return all.report;
      }
    }
  }
  return all.report;
}

interleaving_report try_random(const shared_regions& begin, std::span<const interleaved_task> tasks, u64 schedules,
                               u64 seed, const interleaving_judge& judge) {
  const job_control nobody;
  trial all{begin, tasks, judge, nobody};
  constexpr u32 turns = 12, longest_turn = 4;
  for (u64 i = 0; i < schedules && !tasks.empty(); ++i) {
    u64 drawn = 0;
    const auto below = [&](u64 n) { return static_cast<u32>(random_bits(random_bits(seed, i), drawn++) % n); };
    schedule s;
    s.stores = below(2) == 0 ? store_order::at_once : store_order::late;
    for (u32 t = 0; t < turns; ++t) s.turns.push_back({below(tasks.size()), 1 + below(longest_turn)});
    if (!all.holds(s)) return all.report;
  }
  return all.report;
}

}  // namespace pivotscope
