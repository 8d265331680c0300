#include "core/machine/interleaved/interleave.hpp"

#include "core/machine/interleaved/interleaved_tasks.hpp"
#include "core/workload/generate/seeded_bijection.hpp"

namespace pivotscope {

interleaved_end interleave(const shared_regions& begin, std::span<const interleaved_task> tasks, const schedule& s,
                           std::vector<shared_access>* seen) {
  std::vector<shared_access> unasked;
  interleaved_tasks running(begin, tasks, s.stores, seen ? *seen : unasked);
  for (const turn& t : s.turns) running.take(t);
  return running.end();
}

interleaving_report try_random(const shared_regions& begin, std::span<const interleaved_task> tasks, u64 schedules,
                               u64 seed, const interleaving_judge& judge) {
  interleaving_report report;
  constexpr u32 turns = 12, longest_turn = 4;
  for (u64 i = 0; i < schedules && !tasks.empty(); ++i) {
    u64 drawn = 0;
    const auto below = [&](u64 n) { return static_cast<u32>(random_bits(random_bits(seed, i), drawn++) % n); };
    schedule s;
    s.stores = below(2) == 0 ? store_order::at_once : store_order::late;
    for (u32 t = 0; t < turns; ++t) s.turns.push_back({below(tasks.size()), 1 + below(longest_turn)});
    if (!judged_right(s, interleave(begin, tasks, s), judge, report)) break;
  }
  return report;
}

}  // namespace pivotscope
