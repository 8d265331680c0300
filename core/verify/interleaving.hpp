// Runs small mixed batches on an index under the orders that schedules say; the oracle judges each run. So faults of
// several writers are found by trying (core/machine/interleaved). Works for any family that changes.
#pragma once

#include "core/index/model.hpp"
#include "core/index/trace_code.hpp"
#include "core/machine/interleaved/interleave.hpp"
#include "core/machine/machine.hpp"
#include "core/verify/interleaved_case.hpp"

namespace pivotscope {

// The result of one schedule.
struct interleaved_run {
  std::vector<shared_access> accesses = {};  // of all operations, in their order
  std::vector<write_done> done = {};         // of each operation
  std::vector<script_answer> answers = {};
  shared_regions left = {};  // memory after the last access
  std::string fault = {};    // what is wrong; empty: nothing
};

// A case with its index built, its `before` operations done, and room made for its operations. Any
// schedule can be run on it.
class interleaving {
 public:
  using code = decltype(trace_code::interleaved);

  // The cpu machine builds the index. `perform`: another way to do operations, for a test; null: the family's own.
  // Problem: the family does not change, or lacks an operation.
  static outcome<std::unique_ptr<interleaving>> make(machine& cpu, const index_config& config,
                                                     const interleaved_case& of, code perform = nullptr);
  virtual ~interleaving() = default;

  virtual interleaved_run run(const schedule& s) = 0;
  // Tries all schedules with at most two switches.
  virtual interleaving_report two_switches(const job_control& control = {}) = 0;
  virtual interleaving_report random(u64 schedules, u64 seed) = 0;
  virtual const std::shared_ptr<const index_model>& model() const = 0;  // of the index before the operations
  virtual const shared_regions& begin() const = 0;                      // the memory of that index
  virtual u32 row_of(u64 operation) const = 0;                          // that the operation's insert gives
};

// Draws case i of a seed: two or three operations, at least one of them a write, on one key or on neighbours. One case
// in four begins with a tight start of the family.
interleaved_case draw_interleaved_case(const index_config& config, u64 seed, u64 i);

struct interleaving_counts {
  u64 cases = 0, schedules = 0;
  u64 operations[operation_count] = {};  // by `operation`
};
struct interleaving_failure {
  interleaved_case failing = {};
  std::string words = {};
};
// Tries case i of a seed: all schedules with two switches, and some random ones. A cancelled case is not counted.
outcome<std::optional<interleaving_failure>> try_interleaving(machine& cpu, const index_config& config, u64 seed, u64 i,
                                                              interleaving_counts& counts,
                                                              const job_control& control = {},
                                                              interleaving::code perform = nullptr);
// Tries whole cases, from the first one on, until `schedules` schedules have run.
outcome<std::optional<interleaving_failure>> try_interleavings(machine& cpu, const index_config& config, u64 schedules,
                                                               u64 seed, interleaving_counts& counts,
                                                               const job_control& control = {},
                                                               interleaving::code perform = nullptr);

}  // namespace pivotscope
