// Small mixed batches to an index, under the orders that schedules ask for, each judged by the oracle: what goes wrong with
// several writers is found by looking (core/machine/interleaved). For any family that changes.
#pragma once

#include "core/index/model.hpp"
#include "core/index/trace_code.hpp"
#include "core/machine/interleaved/interleave.hpp"
#include "core/machine/machine.hpp"
#include "core/verify/interleaved_case.hpp"

namespace pivotscope {

// What one schedule came to.
struct interleaved_run {
  std::vector<shared_access> accesses = {};  // of all operations, in their order
  std::vector<write_done> done = {};         // of each operation
  std::vector<script_answer> answers = {};
  shared_regions left = {};  // memory behind the last access
  std::string fault = {};    // why that is wrong; empty: it is right
};

// A case whose index is built, has what stands before done to it, and room for the operations. Any of its schedules can be
// run.
class interleaving {
 public:
  using code = decltype(trace_code::interleaved);

  // The cpu machine builds the index. `perform`: another way of doing operations, as a test has one; null: the family's own.
  // Problem: the family does not change, or lacks an operation.
  static outcome<std::unique_ptr<interleaving>> make(machine& cpu, const index_config& config,
                                                     const interleaved_case& of, code perform = nullptr);
  virtual ~interleaving() = default;

  virtual interleaved_run run(const schedule& s) = 0;
  // All that have at most two switches.
  virtual interleaving_report two_switches(const job_control& control = {}) = 0;
  virtual interleaving_report random(u64 schedules, u64 seed) = 0;
  virtual const std::shared_ptr<const index_model>& model() const = 0;  // of the index that the operations come upon
  virtual const shared_regions& begin() const = 0;                      // its memory
  virtual u32 row_of(u64 operation) const = 0;                          // that an insert gives
};

// Case i of a seed: two or three operations, one of them a write at least, on a key or its neighbours.
interleaved_case draw_interleaved_case(const index_config& config, u64 seed, u64 i);

struct interleaving_counts {
  u64 cases = 0, schedules = 0;
  u64 operations[5] = {};  // by `operation`
};
struct interleaving_failure {
  interleaved_case failing = {};
  std::string words = {};
};
// Case i of a seed: all schedules with two switches, and some random ones. A cancelled one is not counted.
outcome<std::optional<interleaving_failure>> try_interleaving(machine& cpu, const index_config& config, u64 seed, u64 i,
                                                              interleaving_counts& counts,
                                                              const job_control& control = {},
                                                              interleaving::code perform = nullptr);
// Cases from the first on, whole ones, until so many schedules ran.
outcome<std::optional<interleaving_failure>> try_interleavings(machine& cpu, const index_config& config, u64 schedules,
                                                               u64 seed, interleaving_counts& counts,
                                                               const job_control& control = {},
                                                               interleaving::code perform = nullptr);

}  // namespace pivotscope
