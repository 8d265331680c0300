// interleaved_tasks: tasks over shared memory, which go on turn by turn as they are told. The schedules are made by
// interleave.cpp and two_switches.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/machine/interleaved/interleave.hpp"

namespace pivotscope {

// What a task did in its turn.
struct turn_taken {
  std::size_t first = 0, end = 0;  // its accesses, in the list of all
  bool waits = false;              // it went on, and would have read the same for ever
};

class interleaved_tasks {
 public:
  // `begin` must outlive the tasks. `seen` gets all accesses in their order.
  interleaved_tasks(const shared_regions& begin, std::span<const interleaved_task> tasks, store_order stores,
                    std::vector<shared_access>& seen);

  // Lets a task go on. A turn to the task's end is over as well where the task waits: then at the begin of the loop in
  // which it waits. Of a waiting turn only the accesses up to the loop's first end are returned: the others repeat
  // them.
  turn_taken take(turn t);
  // Lets all tasks go to their ends, in the order of their numbers.
  interleaved_end end();

 private:
  bool all_ended() const;
  void go_on(u32 task, u32 accesses);
  void fail(u32 task, std::string words);

  shared_regions memory_;
  std::span<const interleaved_task> tasks_;
  std::vector<shared_access>& seen_;
  std::vector<bool> ended_;
  std::string fault_;
  std::vector<interleaved_source> sources_;
};

// Adds a schedule that has run to the report. Returns false if it is wrong.
bool judged_right(const schedule& s, const interleaved_end& end, const interleaving_judge& judge,
                  interleaving_report& report);

}  // namespace pivotscope
