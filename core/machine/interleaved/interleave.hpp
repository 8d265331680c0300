// The interleaved machine: runs a few operations on one index as if they were concurrent, one memory access at a time,
// in an order that a schedule says. So what goes wrong with several writers is found by trying orders, not by luck
// (docs/updates.md, "Writers that are tested without luck").
//
//   0:3 1:2 0 late     task 0 does three accesses, task 1 two, then 0 goes on to its end, then 1 (schedule.hpp)
//
// How it runs a family's source. A task is one operation; trace_code::interleaved calls the family's insert, erase or
// ..._now (core/batch/update.hpp) with a memory of this machine's own:
//
//   memory    interleaved_source: every load, store, compare-and-swap, add and fence is an access, and a turn may end
//             before it
//   turns     No threads. A task is called from its begin in each of its turns; its accesses of earlier turns are
//             answered from a log, so that it comes to where it was.
//   stores    seen by others at once; or late: one by one before the storing task's next fence or after its end, the newest
//             first
//
// interleave() runs one schedule. try_two_switches() tries all with at most two switches between tasks, try_random()
// random ones; both return the first that is judged wrong; its line replays it. core/verify/interleaving.hpp does
// this for any family that changes, with the oracle as judge; the window steps through a run (replay.hpp).
//
// What it leaves out. A switch before an access that is not shared (shared_bytes.hpp) is like the same switch behind
// that access, so it is not tried. Nothing else is left out: a task that comes to its end while the others stand still
// is switched from before each of its shared accesses. One that does not come to its end must be waiting: its accesses
// then repeat (waiting_loop.hpp). It is switched from within the first round of that loop, because in later rounds it
// is as it was in the first. This asks of a family that a loop which waits keeps no count of its rounds.
//
// What it shares. With every machine: the family's source of writes and of reads beside them. With cpu and trace: the
// memory of simt/host.hpp. The cpu machine builds the index.
//
// What it cannot do. It runs one thread per operation, so it does not run the find of a lane group, nor a batch. It
// takes no times. An access is at most 8 bytes; a wider load comes in parts. `late` is one reordering of stores that a
// GPU may do, not all of them. It tries small cases, so it finds faults and proves nothing. A schedule in which a task
// is not at its end after 16,000 accesses and does not wait, or in which all wait for each other for 20 rounds of
// turns, is a fault: no schedule is cut short unseen.
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

// One operation. What it does must follow from what its accesses bring, and from nothing else. It is called again for
// each of its turns; the last call is the one that returns.
using interleaved_task = std::function<void(interleaved_memory&)>;

// A task that goes to its end is looked at after so many accesses: does it wait for another one? Then its turn ends.
inline constexpr u32 longest_wait = 1000;
// A task with more accesses is a fault.
inline constexpr u32 longest_task = 16 * longest_wait;
inline constexpr u32 most_tasks = 32;  // of try_two_switches

struct interleaved_end {
  shared_regions memory;
  std::vector<u64> accesses;  // number of accesses of each task
  bool ended = true;          // false: a task waits for ever or is too long, or accesses what is not there
  std::string fault = {};     // which of these, in words
};

// Runs the tasks over a copy of the memory, as the schedule says. `seen`, if given, gets all accesses in their order.
interleaved_end interleave(const shared_regions& begin, std::span<const interleaved_task> tasks, const schedule& s,
                           std::vector<shared_access>* seen = nullptr);

// Returns what is wrong with the end of a schedule, in words; empty: nothing. Tasks leave their answers
// where the judge finds them.
using interleaving_judge = std::function<std::string(const interleaved_end&)>;

struct interleaving_report {
  u64 schedules = 0;                // that ran; each came to its end, except perhaps the failing one
  std::optional<schedule> failing;  // the first one
  std::string words;                // why it is wrong
  bool cancelled = false;           // stopped before the last schedule
};
// Tries all schedules with at most two switches between tasks, "0:3 1:2 0" and so on, under both orders of stores; of
// schedules that leave the same, one. There are at most most_tasks.
interleaving_report try_two_switches(const shared_regions& begin, std::span<const interleaved_task> tasks,
                                     const interleaving_judge& judge, const job_control& control = {});
// Tries `schedules` random schedules of a seed.
interleaving_report try_random(const shared_regions& begin, std::span<const interleaved_task> tasks, u64 schedules,
                               u64 seed, const interleaving_judge& judge);

}  // namespace pivotscope
