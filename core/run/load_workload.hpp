// load_workload: from a workload's line to its keys on a machine and its batch. The command line, the window, verify, sweeps
// and the tuner go this way; who keeps the keys of the workload before gives them in, and pays for the batch alone.
#pragma once

#include <memory>

#include "core/machine/machine.hpp"
#include "core/run/key_set.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

struct loaded_key_set {
  std::shared_ptr<const key_set> set;
  double ms = 0;  // making or reading them, by the host's clock
};
// Makes or reads the workload's keys and brings them to the machine. `sorted`: true if some index of the run will have
// them sorted there. `made`: the keys, where they are there already. Problem also: the host's memory cannot hold what
// this, the batch and a run after it need (check_memory_for()).
outcome<loaded_key_set> load_keys(const workload& w, key_width width, machine& on, const job_control& control,
                                  bool sorted = true, std::shared_ptr<const key_array> made = nullptr);

struct loaded_workload {
  std::shared_ptr<const key_set> keys;
  batch asked;
  double keys_ms = 0, batch_ms = 0;  // making or reading them, by the host's clock
};
// The same, and makes or reads the batch. `kept`: the workload's keys, where they lie on the machine already.
outcome<loaded_workload> load_workload(const workload& w, key_width width, machine& on, const job_control& control,
                                       bool sorted = true, std::shared_ptr<const key_set> kept = nullptr);

// Returns the bytes that loading and a run after it take of the host's memory at their peak; 0 for keys of a
// file, whose reading is checked by itself.
u64 host_bytes_for(const workload& w, key_width width, machine_kind kind, bool sorted = true);
// Returns a problem if the host's memory cannot hold them.
status check_memory_for(const workload& w, key_width width, const machine& on, bool sorted = true);

}  // namespace pivotscope
