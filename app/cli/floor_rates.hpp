// Whose rates the traffic model takes on a machine: those of its own floor, which is measured first where none is kept.
#pragma once

#include <string>

#include "core/memory_benchmark/device_rates.hpp"

namespace pivotscope {

class option_list;
class terminal_job;

struct benchmark_choice {
  bool none = false;

  void add_to(option_list& to);
  // On cuda the floor of a device of which none is kept is measured, some 20 s, and kept; what keeps that from being
  // done is told, and the model goes on with the rates that are built in. Elsewhere nothing is measured. Problem:
  // cancelled.
  outcome<device_rates> rates(machine& on, const std::string& cache_folder, terminal_job& job) const;
};

}  // namespace pivotscope
