// Small operations over shared memory under every order of their accesses that a schedule can ask for: what goes wrong with two
// writers is found by looking, not by luck (DESIGN.md, "Concurrency that can be tested without luck").
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/common/job_control.hpp"
#include "core/machine/interleaved/interleaved_source.hpp"
#include "core/machine/interleaved/schedule.hpp"

namespace pivotscope {

// One operation: what it does follows from what its accesses bring, and from nothing else. It is called again for each of its
// turns, and its last call is the one that ends.
using interleaved_task = std::function<void(interleaved_memory&)>;

// A task that has not ended after so many accesses waits for another: its turn is over.
inline constexpr u32 most_accesses_a_turn = 1000;

struct interleaved_end {
  shared_regions memory;
  std::vector<u64> accesses;  // of each task
  bool ended = true;          // false: tasks that wait for each other, or one that accesses what is not there
  std::string fault = {};     // which, in words
};

// Runs the tasks over a copy of the memory, as the schedule says. `seen`, where it is given, has all accesses in their order.
interleaved_end interleave(const shared_regions& begin, std::span<const interleaved_task> tasks, const schedule& s,
                           std::vector<shared_access>* seen = nullptr);

// What is wrong with what a schedule came to, in words; empty: nothing. Tasks leave their answers where it finds them.
using interleaving_judge = std::function<std::string(const interleaved_end&)>;

struct interleaving_report {
  u64 schedules = 0;
  std::optional<schedule> failing;  // the first
  std::string words;                // why
  bool cancelled = false;           // before the last one
};
// All schedules with at most two switches between tasks, under both orders of stores.
interleaving_report try_two_switches(const shared_regions& begin, std::span<const interleaved_task> tasks,
                                     const interleaving_judge& judge, const job_control& control = {});
// So many random ones of a seed.
interleaving_report try_random(const shared_regions& begin, std::span<const interleaved_task> tasks, u64 schedules,
                               u64 seed, const interleaving_judge& judge);

}  // namespace pivotscope
